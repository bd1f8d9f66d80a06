package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
	"colloquy/classroom/address"
)

// maxBody is the largest JSON or form body: the longest text with every byte escaped.
const maxBody = 6*classroom.MaxTextBytes + 64<<10

// tooLarge reports whether err says that a body is too large.
func tooLarge(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

// messageTooLong turns the error of a body that is too large into text_too_long, for
// bodies that hold one message.
func messageTooLong(err error) error {
	if tooLarge(err) {
		return fmt.Errorf("%w: %w", classroom.ErrTextTooLong, err)
	}
	return err
}

// readJSON reads the body into v. An empty body does not change v.
func readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge(err) {
		return fmt.Errorf("read body: %w", err)
	}
	if err != nil {
		return fmt.Errorf("read body: %w: %w", classroom.ErrBadRequest, err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	if !utf8.Valid(body) {
		return classroom.ErrBadRequest
	}
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("read body: %w: %w", classroom.ErrBadRequest, err)
	}
	return nil
}

// cursorOf reads a cursor; the empty text is 0.
func cursorOf(text string) (classroom.Cursor, error) {
	if text == "" {
		return 0, nil
	}
	for _, r := range []byte(text) {
		if r < '0' || r > '9' {
			return 0, classroom.ErrBadCursor
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return math.MaxInt64, nil // beyond every head
	}
	if err != nil {
		return 0, classroom.ErrBadCursor
	}
	return classroom.Cursor(n), nil
}

// cursorFrom returns the cursor from which a client continues: the largest of the
// parameter after, its alias lastEventId, and the header Last-Event-ID, since the
// address of a page can be out of date. A header that is no cursor is ignored.
func cursorFrom(r *http.Request) (classroom.Cursor, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return 0, classroom.ErrBadCursor
	}
	var most classroom.Cursor
	for _, text := range slices.Concat(q["after"], q["lastEventId"]) {
		c, err := cursorOf(text)
		if err != nil {
			return 0, err
		}
		most = max(most, c)
	}
	if c, err := cursorOf(r.Header.Get("Last-Event-ID")); err == nil {
		most = max(most, c)
	}
	return most, nil
}

// limitOf reads a number from 1 to most; for an empty text it returns otherwise.
func limitOf(text string, otherwise, most int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, classroom.ErrBadLimit
	}
	return n, nil
}

// fromHTMX reports whether htmx sent the request, and not the browser itself.
func fromHTMX(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

func wantsJSON(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || strings.Contains(r.Header.Get("Accept"), "application/json") ||
		strings.HasPrefix(r.Header.Get("Accept"), "text/event-stream")
}

// fromLoopback reports whether a program on this machine sent the request. One that a
// proxy forwarded was not sent from here.
func fromLoopback(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	forwarded := r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != ""
	return err == nil && address.Of(host) == address.Loopback && !forwarded
}
