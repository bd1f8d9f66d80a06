package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"colloquy/classroom"
	"colloquy/templates"
)

const (
	sourceBefore = 6  // passages before the one that is opened
	sourcePart   = 20 // passages on a page
)

// sessionSource opens a passage that a session cites, for whoever may read the session.
func (s *Server) sessionSource(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	id := r.URL.Query().Get("material")
	if !classroom.ValidID(id) {
		return classroom.ErrNotFound
	}
	m, _, err := s.opt.Materials.Material(r.Context(), id)
	if err == nil && m.ClassID != session.ClassID {
		err = classroom.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.showSource(w, r, m, "/sessions/"+session.ID+"/source?material="+url.QueryEscape(id)+"&from=",
		"/sessions/"+session.ID)
}

// materialPage opens a material at a passage, for whoever may read it.
func (s *Server) materialPage(w http.ResponseWriter, r *http.Request) error {
	m := callerFrom(r).target.material
	return s.showSource(w, r, m, "/materials/"+m.ID+"?from=", "/classes/"+m.ClassID)
}

// showSource shows the passages of a material around the one that the address names, and no
// passage that is for teachers only. address leads to a passage by its first byte.
func (s *Server) showSource(w http.ResponseWriter, r *http.Request, m classroom.Material, address, back string) error {
	lit, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil || lit < 0 {
		lit = 0
	}
	passages, from, err := s.passagesAround(r.Context(), m.ID, lit)
	if err != nil {
		return err
	}
	class, err := s.opt.Classes.Class(r.Context(), m.ClassID)
	if err != nil {
		return err
	}
	set, err := s.withheldIn(r.Context(), class)
	if err != nil {
		return err
	}
	passages = set.RedactAll(passages)
	v := templates.Source{Page: s.page(w, r, m.Name), Material: m.Name, Lit: lit, Back: back}
	if len(passages) > sourcePart {
		v.More = address + strconv.Itoa(passages[sourcePart].From)
		passages = passages[:sourcePart]
	}
	if from > 0 {
		v.Before = address + strconv.Itoa(from)
	}
	v.Passages = passages
	return writePage(w, r, http.StatusOK, templates.SourcePage(v))
}

// passagesAround returns the passages of a material from a few before a byte on, one more
// than a page holds, and the first byte of what stands before them; 0 for nothing.
func (s *Server) passagesAround(ctx context.Context, material string, at int) ([]classroom.Passage, int, error) {
	const step = 400
	var before []classroom.Passage
	for after := -1; ; {
		next, err := s.opt.Materials.NextPassages(ctx, material, after, step, false)
		if err != nil || len(next) == 0 {
			return before[max(0, len(before)-sourceBefore):], 0, err
		}
		for i, p := range next {
			if p.From < at {
				before = append(before, p)
				continue
			}
			rest := next[i:]
			if len(rest) <= sourcePart {
				more, err := s.opt.Materials.NextPassages(ctx, material, p.From-1, sourcePart+1, false)
				if err != nil {
					return nil, 0, err
				}
				rest = more
			}
			kept := before[max(0, len(before)-sourceBefore):]
			earlier := 0
			if n := len(before) - len(kept); n > 0 {
				earlier = before[max(0, n-sourcePart+sourceBefore)].From
			}
			return append(kept, rest...), earlier, nil
		}
		after = next[len(next)-1].From
	}
}
