package locale

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colloquy/classroom"
)

// The functions whose argument, at that place, is a key.
var keyArguments = map[string]int{
	"t": 1, "count": 1, "text": 1, "Text": 1, "Count": 1, "sentence": 0, "flash": 2, "Has": 0,
}

// Keys that the code makes from a value; each begins with one of these.
var madeKeys = []string{
	"agent.role_", "agent.stage_", "card.cited_", "card.status_", "class.manner_", "class.rule_", "class.speakers_",
	"cue.", "error.", "ledger.fate_",
	"format.month_", "mode.", "model.field_",
	"model.thinking_", "model_error.", "provider.about_", "retry.", "run_end.", "run_interrupt.", "script.",
}

var keyForm = regexp.MustCompile(`^[a-z]+(_[a-z]+)*\.[a-z0-9_.]+$`)

// Every key that the code asks for has a text, and every text has code that asks for
// it. A text's values are those that the code gives.
func TestKeys(t *testing.T) {
	used := map[string]bool{}
	eachCall(t, func(file string, call *ast.CallExpr, at int) {
		key := literal(call, at)
		if key == "" {
			return
		}
		m := English().messages[key]
		if m == nil {
			t.Errorf("%s asks for %q, which has no text", file, key)
			return
		}
		used[key] = true
		given := []string{}
		for i := at + 1; i < len(call.Args); i += 1 {
			if name := literal(call, i); name != "" && !keyForm.MatchString(name) {
				given = append(given, name)
			}
		}
		for _, v := range value.FindAllString(m.One+m.Other, -1) {
			name := strings.Trim(v, "{}. ")
			if name != "N" && call.Ellipsis == 0 && !slices.Contains(given, name) {
				t.Errorf("%s: the text of %q needs %s", file, key, name)
			}
		}
	})
	strays := literals(t)
	for key := range English().messages {
		made := slices.ContainsFunc(madeKeys, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
		if !made && !used[key] && !strays[key] {
			t.Errorf("nothing asks for %q", key)
		}
	}
	if len(used) < 150 {
		t.Errorf("only %d keys were found in the code", len(used))
	}
}

// Each error of classroom, and each word that a script asks for, has a text.
func TestKeysOfErrorsAndScripts(t *testing.T) {
	source, err := os.ReadFile("../../classroom/errors.go")
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`Code: "(\w+)", Status: \d+(?:, Text: "([\w.]+)")?`)
	found := form.FindAllStringSubmatch(string(source), -1)
	for _, m := range found {
		key := m[2]
		if key == "" {
			key = "error." + m[1]
		}
		text, made := English().Text(key), key == "error.model_number"
		if !made && (!strings.HasSuffix(text, ".") || len(text) < 20) {
			t.Errorf("%s: %q is no sentence", key, text)
		}
	}
	if len(found) < 60 {
		t.Errorf("only %d errors were found", len(found))
	}
	script := regexp.MustCompile(`\btext\((?:\w+ \? )?"(\w+)"(?: : "(\w+)")?`)
	asked := map[string]bool{}
	files, _ := filepath.Glob("../../static/js/*.js")
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range script.FindAllStringSubmatch(string(source), -1) {
			for _, key := range m[1:] {
				if key != "" && !English().Has("script."+key) {
					t.Errorf("%s asks for %q, which has no text", f, key)
				}
				asked[key] = true
			}
		}
	}
	for key := range English().Section("script") {
		dynamic := strings.HasPrefix(key, "error_") || strings.HasPrefix(key, "reconnecting")
		if !asked[key] && !dynamic {
			t.Errorf("no script asks for %q", key)
		}
	}
}

// Every code that a run can end with, or that it is retried for, has a sentence.
func TestKeysOfCodes(t *testing.T) {
	codes := regexp.MustCompile(`(failedEnd\(|Code: |Reason: |code = )"(\w+)"`)
	keys := 0
	eachFile(t, "../../agents", func(name, source string) {
		if strings.Contains(name, "/llm/") || strings.Contains(name, "/floor/") {
			return
		}
		for _, m := range codes.FindAllStringSubmatch(source, -1) {
			keys++
			switch code := m[2]; {
			case slices.Contains([]string{"edited", "run_end", "barrier", "restart", "user", "send_now"}, code):
			case code == "closed" || English().Has("run_end."+code) || English().Has("retry."+code),
				English().Has("run_interrupt." + code), English().Has("cue." + code):
			default:
				t.Errorf("%s: the code %q has no sentence", name, code)
			}
		}
	})
	if keys < 12 {
		t.Errorf("only %d codes were found", keys)
	}
}

func eachCall(t *testing.T, do func(file string, call *ast.CallExpr, at int)) {
	eachFile(t, "../..", func(name, source string) {
		f, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			called := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				called = fun.Name
			case *ast.SelectorExpr:
				called = fun.Sel.Name
			}
			first, ok := keyArguments[called]
			for at := 0; ok && at <= first; at++ { // a method has its language before the dot
				if keyForm.MatchString(literal(call, at)) {
					do(name, call, at)
					break
				}
			}
			return true
		})
	})
}

// literals are all strings of the code that have the form of a key.
func literals(t *testing.T) map[string]bool {
	out := map[string]bool{}
	eachFile(t, "../..", func(name, source string) {
		for _, m := range regexp.MustCompile(`"([a-z_]+\.[a-z0-9_.]+)"`).FindAllStringSubmatch(source, -1) {
			out[m[1]] = true
		}
	})
	return out
}

// eachFile visits the Go files that are no tests.
func eachFile(t *testing.T, root string, do func(name, source string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := os.ReadFile(name)
		if err == nil {
			do(filepath.ToSlash(name), string(source))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func literal(call *ast.CallExpr, at int) string {
	if at >= len(call.Args) {
		return ""
	}
	basic, ok := call.Args[at].(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(basic.Value)
	return text
}

// Every problem that a model's server can have has a sentence, and every sentence a problem.
func TestKeysOfProblems(t *testing.T) {
	form := regexp.MustCompile(`(?:return |Problem: |problem, predicate :?= |newError\([\w.]+, )"(\w+)"`)
	found := map[string]bool{}
	for _, root := range []string{"../../agents/llm", "../../cmd/colloquy"} {
		eachFile(t, root, func(name, source string) {
			if strings.Contains(name, "/tutor/") || !strings.Contains(source, "llm.Error{") &&
				!strings.Contains(source, "Problem:") && !strings.Contains(source, "describe(") {
				return
			}
			for _, m := range form.FindAllStringSubmatch(source, -1) {
				if m[1] == "T" || m[1] == "none" { // no problems, but the other strings of these files
					continue
				}
				if found[m[1]] = true; !English().Has("model_error." + m[1]) {
					t.Errorf("%s: the problem %q has no sentence", name, m[1])
				}
			}
		})
	}
	for key := range English().Section("model_error") {
		if !found[strings.TrimSuffix(key, "_wait")] {
			t.Errorf("no server has the problem %q", key)
		}
	}
}

// Every mode has its words.
func TestKeysOfModes(t *testing.T) {
	for _, m := range classroom.Modes() {
		for _, text := range []string{"label", "summary", "placeholder", "empty"} {
			if !English().Has("mode." + m.ID + "." + text) {
				t.Errorf("the mode %q has no %s", m.ID, text)
			}
		}
	}
}
