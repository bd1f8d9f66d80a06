package web

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"colloquy/classroom"
	"colloquy/templates"
)

const ledgerEntries = 1000 // on a page and in a file

// ledger returns the questions of the class that the address asks for: all, or those of one
// fate.
func (s *Server) ledger(r *http.Request) (fate string, entries []classroom.LedgerEntry, err error) {
	fate = r.URL.Query().Get("fate")
	entries, err = s.opt.Reviews.Ledger(r.Context(), callerFrom(r).target.class.ID, ledgerEntries)
	if !slices.Contains(classroom.Fates(), fate) {
		return "", entries, err
	}
	return fate, slices.DeleteFunc(entries, func(l classroom.LedgerEntry) bool { return l.Fate != fate }), err
}

// ledgerPage lists the questions of a class, or sends them as a table.
func (s *Server) ledgerPage(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	fate, entries, err := s.ledger(r)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("format") == "csv" {
		return writeLedger(w, r, entries)
	}
	v := templates.Ledger{Class: class, Fate: fate, Entries: entries}
	if v.Nav, err = s.nav(r, class.ID, ""); err != nil {
		return err
	}
	v.Page = s.page(w, r, text(r, "page.ledger", "Title", class.Title))
	return writePage(w, r, http.StatusOK, templates.LedgerPage(v))
}

func (s *Server) apiLedger(w http.ResponseWriter, r *http.Request) error {
	_, entries, err := s.ledger(r)
	if err != nil {
		return err
	}
	if entries == nil {
		entries = []classroom.LedgerEntry{}
	}
	writeJSON(w, http.StatusOK, entries)
	return nil
}

// writeLedger sends entries as CSV, with a byte order mark for spreadsheets.
func writeLedger(w http.ResponseWriter, r *http.Request, entries []classroom.LedgerEntry) error {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="questions.csv"`)
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("\ufeff"))
	table := csv.NewWriter(w)
	rows := [][]string{{"time", "session", "question", "author", "text", "fate"}}
	for _, l := range entries {
		rows = append(rows, []string{
			l.Time.Time().UTC().Format(time.RFC3339), safeCell(l.Title), strconv.Itoa(l.Exchange), safeCell(l.Author),
			safeCell(l.Text), l.Fate,
		})
	}
	return table.WriteAll(rows)
}

// safeCell returns a text that no spreadsheet takes for a formula.
func safeCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r|%", rune(s[0])) {
		return "'" + s
	}
	return s
}
