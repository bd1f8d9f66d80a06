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
	if code != 200 || strings.Count(body, classroom.ErrTooManyFiles.Message) != 2 ||
		!strings.Contains(body, "page-0.md and 49 more were added.") {
		t.Fatal(code, body)
	}
}

func TestEmptyPasteIsTold(t *testing.T) {
	w := newWebServer(t)
	w.session(nil)
	to := "/classes/" + w.firstClass().ID + "/materials"
	if code, body := w.submit(to, "name", "", "text", " "); code != 422 ||
		!strings.Contains(body, classroom.ErrEmptyPaste.Message) {
		t.Fatal(code, body)
	}
}
