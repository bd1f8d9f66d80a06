package templates

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"colloquy/classroom/provider"
	"colloquy/templates/locale"

	"github.com/a-h/templ"
	templparser "github.com/a-h/templ/parser/v2"
	"github.com/a-h/templ/parser/v2/visitor"
	"golang.org/x/net/html"
)

// sameInEveryLanguage are names, and what a person types as it stands.
var sameInEveryLanguage = []string{
	"Colloquy", "Claude", "Aa", "EUR", "English", "--link", "--model",
	"https://api.openai.com/v1",
}

// A page in the pseudo-locale has no text in plain letters but what people, agents and
// models wrote. What they wrote in the samples stands in the tests of this package.
func TestPseudoLocale(t *testing.T) {
	t.Parallel()
	written := literalsOf(t, "*_test.go")
	for _, l := range locale.Languages() {
		written += " " + l.Text("layout.language_name")
	}
	for _, p := range provider.All() {
		written += " " + p.Title
	}
	components := parts(t)
	for name, page := range previews(t, Prefs{Language: "en-XA"}) {
		components["page-"+name] = page
	}
	for name, c := range components {
		if strings.HasSuffix(name, "long") {
			continue
		}
		for _, text := range textsOf(t, renderIn(t, locale.Pseudo(), c)) {
			for _, word := range plainWord.FindAllString(text, -1) {
				known := strings.Contains(written, word) || slices.Contains(sameInEveryLanguage, text)
				if !known {
					t.Errorf("%s: %q has %q, which is in no file of words", name, text, word)
				}
			}
		}
	}
}

// No template has a text of its own.
func TestTemplatesHaveNoWords(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.templ")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d templates, %v", len(files), err)
	}
	for _, file := range files {
		parsed, err := templparser.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		v := visitor.New()
		check := func(text string) {
			text = strings.TrimSpace(html.UnescapeString(text))
			if plainWord.MatchString(text) && !slices.Contains(sameInEveryLanguage, text) {
				t.Errorf("%s has the words %q", file, text)
			}
		}
		v.Text = func(n *templparser.Text) error {
			check(n.Value)
			return nil
		}
		attribute := v.ConstantAttribute
		v.ConstantAttribute = func(n *templparser.ConstantAttribute) error {
			if slices.Contains([]string{"title", "aria-label", "placeholder", "alt", "data-confirm"}, n.Key.String()) {
				check(n.Value)
			}
			return attribute(n)
		}
		if err := v.VisitTemplateFile(parsed); err != nil {
			t.Fatal(err)
		}
	}
}

// The code that makes pages has no sentences: a literal with two words in it is an
// error or a line for the log.
func TestPageCodeHasNoSentences(t *testing.T) {
	t.Parallel()
	sentence := regexp.MustCompile(`^[^<%{/]*[A-Za-z]{2,} [a-zA-Z]{2,}[^<{]*$`)
	for _, root := range []string{".", "../web"} {
		eachGoFile(t, root, func(name string, f *ast.File) {
			if strings.Contains(name, "livetest") || strings.Contains(name, "prose") {
				return
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					return n.Name.Name != "Error" // the text of a Go error
				case *ast.CompositeLit:
					return !isMetric(n)
				case *ast.CallExpr:
					return !isForOperators(n)
				case *ast.BasicLit:
					if n.Kind == token.STRING && sentence.MatchString(strings.Trim(n.Value, "\"`")) &&
						!slices.Contains(notWords, strings.Trim(n.Value, "\"`")) {
						t.Errorf("%s has the words %s", name, n.Value)
					}
				}
				return true
			})
		})
	}
}

// notWords are literals with spaces that nobody reads.
var notWords = []string{
	"button small primary", "button small quiet-button", "find button", "load, every 2s", "button small",
}

// isForOperators reports whether a call makes an error, a metric or a line of the log.
func isForOperators(c *ast.CallExpr) bool {
	name := ""
	switch fun := c.Fun.(type) {
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			name = x.Name + "."
		}
		name += fun.Sel.Name
	case *ast.Ident:
		name = fun.Name
	}
	for _, known := range []string{
		"errors.New", "fmt.Errorf", "panic", "ErrorContext", "Error", "Warn", "Info", "counter", "gauge", "Set",
		"regexp.MustCompile", "prometheus.", "writeText",
	} {
		if strings.Contains(name, known) {
			return true
		}
	}
	return false
}

func isMetric(n *ast.CompositeLit) bool {
	of, ok := n.Type.(*ast.SelectorExpr)
	return ok && strings.HasSuffix(of.Sel.Name, "Opts")
}

var plainWord = regexp.MustCompile(`[A-Za-z]{2,}`)

func renderIn(t *testing.T, l *locale.Language, c templ.Component) string {
	t.Helper()
	var out strings.Builder
	if err := c.Render(locale.With(t.Context(), l), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// textsOf returns what people read or hear of a page.
func textsOf(t *testing.T, page string) []string {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for n := range doc.Descendants() {
		switch {
		case n.Type == html.TextNode:
			hidden := slices.Contains([]string{"script", "style", "code", "noscript"}, n.Parent.Data)
			if !hidden && !hasClass(n.Parent, "safety-words") { // these are in the language of the message
				out = append(out, strings.TrimSpace(n.Data))
			}
		case n.Type == html.ElementNode:
			for _, a := range n.Attr {
				switch a.Key {
				case "title", "aria-label", "placeholder", "alt", "data-confirm":
					out = append(out, a.Val)
				}
			}
		}
	}
	return out
}

// literalsOf returns the string literals of files, one after another.
func literalsOf(t *testing.T, pattern string) string {
	var out strings.Builder
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				out.WriteString(l.Value + "\n")
			}
			return true
		})
	}
	return out.String()
}

func eachGoFile(t *testing.T, root string, do func(name string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		generated := strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go")
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || generated {
			return err
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err == nil {
			do(filepath.ToSlash(name), f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func hasClass(n *html.Node, class string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "class" && a.Val == class })
}
