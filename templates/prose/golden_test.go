package prose

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// testdata/*.md are texts as models write them; beside each stands what the page shows, one chunk a line end.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d texts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, strings.TrimSuffix(file, ".md")+".html", lines(renderText(string(text))))
			compare(t, strings.TrimSuffix(file, ".md")+".open.html", lines(openText(string(text[:len(text)*2/3]))))
		})
	}
}

func lines(chunks []Chunk) string {
	var out strings.Builder
	for _, c := range chunks {
		out.WriteString(c.HTML + "\n")
	}
	return out.String()
}

func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs:\ngot\n%s\nwant\n%s", golden, got, want)
	}
}
