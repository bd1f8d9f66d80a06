package prose

import (
	"errors"
	"strings"

	"golang.org/x/net/html"
)

// mathElements and mathAttributes are all that a formula may be made of. Styles are left out: the page's content policy
// forbids them.
var (
	mathElements = set(`math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover
		mmultiscripts mprescripts mtable mtr mtd mpadded mphantom menclose merror mstyle`)
	mathAttributes = set(`display displaystyle scriptlevel mathvariant stretchy symmetric fence separator form accent
		accentunder largeop movablelimits minsize maxsize lspace rspace linethickness width height depth voffset
		columnalign rowalign columnspacing rowspacing columnlines rowlines columnspan rowspan frame notation
		mathcolor mathbackground intent arg`)
)

var errForeign = errors.New("formula holds something foreign")

func set(words string) map[string]bool {
	known := make(map[string]bool)
	for _, word := range strings.Fields(words) {
		known[word] = true
	}
	return known
}

// cleanMath writes the formula again from known elements and attributes. Anything else spoils it.
func cleanMath(markup string) (string, error) {
	var out strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(markup))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if out.Len() == 0 {
				return "", errForeign
			}
			return out.String(), nil
		case html.TextToken:
			out.WriteString(escape(tokens.Token().Data))
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			if !mathElements[token.Data] {
				return "", errForeign
			}
			out.WriteString("<" + token.Data + mathAttributesOf(token))
			if token.Type == html.SelfClosingTagToken {
				out.WriteString("></" + token.Data)
			}
			out.WriteString(">")
		case html.EndTagToken:
			token := tokens.Token()
			if !mathElements[token.Data] {
				return "", errForeign
			}
			out.WriteString("</" + token.Data + ">")
		default:
			return "", errForeign
		}
	}
}

func mathAttributesOf(token html.Token) string {
	var out strings.Builder
	for _, a := range token.Attr {
		switch {
		case mathAttributes[a.Key]:
			out.WriteString(" " + a.Key + `="` + escape(a.Val) + `"`)
		case a.Key == "class":
			if class := temmlClasses(a.Val); class != "" {
				out.WriteString(` class="` + class + `"`)
			}
		}
	}
	return out.String()
}

// temmlClasses keeps the classes that are Temml's own.
func temmlClasses(value string) string {
	var kept []string
	for _, class := range strings.Fields(value) {
		if strings.HasPrefix(class, "tml-") && strings.Trim(class, "abcdefghijklmnopqrstuvwxyz-") == "" {
			kept = append(kept, class)
		}
	}
	return strings.Join(kept, " ")
}
