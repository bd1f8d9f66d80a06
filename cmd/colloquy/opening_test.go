package main

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page's stream opens with the frames that the browser tests of package
// templates are given by their double of the server.
func TestPageStreamOpens(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile("../../templates/testdata/stream/opening.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, newFakeModel(t))
	id := s.session("ada")
	b := s.browser()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", b.base+"/sessions/"+id+"/stream?after=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := b.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var got strings.Builder
	for lines := bufio.NewScanner(res.Body); strings.Count(got.String(), "\n\n") < 2 && lines.Scan(); {
		got.WriteString(lines.Text() + "\n")
	}
	shape := func(frames string) string {
		frames = strings.ReplaceAll(frames, id, "s1")
		frames = regexp.MustCompile(`:(true|false)`).ReplaceAllString(frames, ":true")
		return regexp.MustCompile(`:[0-9]+`).ReplaceAllString(frames, ":9")
	}
	if shape(got.String()) != shape(string(want)) {
		t.Errorf("the stream opens with\n%s\nand the double with\n%s (%s)", got.String(), want, res.Status)
	}
}
