package web

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"strings"
	"testing"

	"colloquy/classroom"
)

func TestFilesBeyondTheMostAreTold(t *testing.T) {
	w := newWebServer(t)
	w.session(nil)
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i := range maxFiles + 2 {
		part, err := form.CreateFormFile("file", fmt.Sprintf("page-%d.md", i))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, fmt.Sprintf("Text %d of many.", i))
	}
	form.Close()
	code, body := w.ask(
		"POST", "/classes/"+w.firstClass().ID+"/materials", b.String(), "Content-Type: "+form.FormDataContentType(),
		"HX-Request: true",
	)
	if code != 200 || strings.Count(body, english(classroom.ErrTooManyFiles)) != 2 ||
		!strings.Contains(body, "page-0.md and 49 more were added.") {
		t.Fatal(code, body)
	}
}

func TestEmptyPasteIsTold(t *testing.T) {
	w := newWebServer(t)
	w.session(nil)
	to := "/classes/" + w.firstClass().ID + "/materials"
	if code, body := w.submit(to, "name", "", "text", " "); code != 422 ||
		!strings.Contains(body, english(classroom.ErrEmptyPaste)) {
		t.Fatal(code, body)
	}
}

// TestFileNamesHoldNoPath: what a client calls a file is a name without a path,
// whatever system the client runs on, also for a draft, whose name is a form's value.
func TestFileNamesHoldNoPath(t *testing.T) {
	for sent, want := range map[string]string{
		"notes.md":              "notes.md",
		"../../etc/notes.md":    "notes.md",
		"/etc/notes.md":         "notes.md",
		`C:\class\notes.md`:     "notes.md",
		`..\..\class/notes.txt`: "notes.txt",
		"a\r\nb\x00.md":         "ab.md",
		"":                      "material.txt",
	} {
		if got := fileName(sent); got != want {
			t.Errorf("%q is named %q, want %q", sent, got, want)
		}
	}
}
