package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// The log and the metrics have the status that the reader got: the first.
func TestRecorderNotesTheStatusThatWasSent(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter)
		want   int
	}{
		"two statuses": {func(w http.ResponseWriter) { w.WriteHeader(404); w.WriteHeader(200) }, 404},
		"text only":    {func(w http.ResponseWriter) { _, _ = w.Write([]byte("Hello")) }, 200},
		"two texts": {func(w http.ResponseWriter) { _, _ = w.Write([]byte("Hi")); _, _ = w.Write([]byte("you")) },
			200},
		"text first": {func(w http.ResponseWriter) { _, _ = w.Write([]byte("Hello")); w.WriteHeader(500) }, 200},
	} {
		sent := httptest.NewRecorder()
		r := &recorder{ResponseWriter: sent}
		c.answer(r)
		if r.status != c.want || sent.Code != c.want || r.bytes != int64(sent.Body.Len()) {
			t.Errorf("%s: noted %d and %d bytes, sent %d and %d bytes",
				name, r.status, r.bytes, sent.Code, sent.Body.Len())
		}
	}
}

func TestServerNeedsEveryPart(t *testing.T) {
	var whole Options
	newWebServer(t, func(o *Options) { whole = *o })
	for name, drop := range map[string]func(*Options){
		"Logger": func(o *Options) { o.Logger = nil }, "Generate": func(o *Options) { o.Generate = nil },
		"Log": func(o *Options) { o.Log = nil }, "Runner": func(o *Options) { o.Runner = nil },
		"Classes": func(o *Options) { o.Classes = nil }, "Sessions": func(o *Options) { o.Sessions = nil },
		"Materials": func(o *Options) { o.Materials = nil }, "People": func(o *Options) { o.People = nil },
		"Models": func(o *Options) { o.Models = nil },
	} {
		part := whole
		drop(&part)
		if s, err := New(part); err == nil {
			s.CloseStreams("shutdown")
			t.Errorf("a server without %s was made", name)
		}
	}
}
