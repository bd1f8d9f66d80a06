package prose

import (
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Lexers are lists of regular expressions, and each can be made to take minutes by hostile input. Code that people
// read stays far below these limits; what passes one stays plain.
const (
	maxColoured   = 16 << 10
	maxCodeLine   = 500
	maxBlankRun   = 20
	colourTimeout = 500 * time.Millisecond // one block
)

var colouredCode = memo[string]{room: 4 << 20}

// lessonLanguages are the languages that are coloured, by their lexers' names. Others stay
// plain: their lexers were never tried with hostile code, and some take seconds for it.
const lessonLanguages = `Bash C C# C++ CSS Dart Diff Docker Go Haskell HTML INI Java JavaScript JSON Julia Kotlin Lua
	Makefile Matlab OCaml Octave Perl PHP PowerShell Prolog Python R Ruby Rust Scala Scheme SQL Swift TeX TOML
	TypeScript XML YAML`

// languages maps the names code goes by to lexers. Asking chroma for a name it does not know
// would compare the name with every file pattern there is.
var languages = sync.OnceValue(func() map[string]chroma.Lexer {
	known := make(map[string]chroma.Lexer)
	wanted := set(strings.ToLower(lessonLanguages))
	for _, lexer := range lexers.GlobalLexerRegistry.Lexers {
		config := lexer.Config()
		if !wanted[strings.ToLower(config.Name)] {
			continue
		}
		for _, name := range append(config.Aliases, config.Name) {
			known[strings.ToLower(name)] = lexer
		}
	}
	return known
})

// coloured marks the words of closed code with classes. The characters stay what they are.
func (b *budget) coloured(code, language string) string {
	language = languageName(language)
	lexer := languages()[language]
	if lexer == nil || !readable(code) {
		return escape(code)
	}
	key := language + "\x00" + code
	if html, ok := colouredCode.get(key); ok {
		return html
	}
	if b.colouring <= 0 {
		return escape(code)
	}
	begin := time.Now()
	html := spans(lexer, code)
	b.colouring -= time.Since(begin)
	colouredCode.put(key, html, len(html))
	return html
}

func readable(code string) bool {
	if len(code) > maxColoured || strings.Contains(code, strings.Repeat("\n", maxBlankRun)) {
		return false
	}
	for line := range strings.Lines(code) {
		if len(line) > maxCodeLine {
			return false
		}
	}
	return true
}

func spans(lexer chroma.Lexer, code string) string {
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return escape(code)
	}
	var html, seen strings.Builder
	end := time.Now().Add(colourTimeout)
	for token := tokens(); token != chroma.EOF; token = tokens() {
		if time.Now().After(end) {
			return escape(code)
		}
		seen.WriteString(token.Value)
		word := strings.TrimRight(token.Value, "\n")
		if class := classOf(token.Type); class != "" && strings.TrimSpace(word) != "" {
			html.WriteString(`<span class="` + class + `">` + escape(word) + "</span>")
		} else {
			html.WriteString(escape(word))
		}
		html.WriteString(token.Value[len(word):])
	}
	if strings.TrimSuffix(seen.String(), "\n") != strings.TrimSuffix(code, "\n") {
		return escape(code)
	}
	return strings.TrimSuffix(html.String(), "\n")
}

// classOf returns the CSS class of a token type, or "" if the style sheet has none.
func classOf(t chroma.TokenType) string {
	switch t {
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameDecorator:
		return "nf"
	case chroma.NameClass, chroma.NameException, chroma.NameNamespace, chroma.KeywordType:
		return "nc"
	case chroma.NameTag:
		return "nt"
	case chroma.NameAttribute, chroma.NameBuiltin, chroma.NameBuiltinPseudo, chroma.NameConstant,
		chroma.KeywordConstant:
		return "nb"
	case chroma.GenericInserted:
		return "gi"
	case chroma.GenericDeleted:
		return "gd"
	case chroma.GenericHeading, chroma.GenericSubheading:
		return "gh"
	}
	switch {
	case t.InCategory(chroma.Keyword), t == chroma.OperatorWord:
		return "k"
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "m"
	}
	return ""
}
