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

// cleanMath writes the formula again from known elements and attributes. Anything else makes it
// fail, except the spans that hold places for equation numbers.
func cleanMath(markup string) (string, error) {
	var out strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(markup))
	for {
		kind := tokens.Next()
		token := tokens.Token()
		switch {
		case kind == html.ErrorToken:
			return out.String(), endOf(out.String())
		case kind == html.TextToken:
			out.WriteString(escape(token.Data))
		case token.Data == "span" && kind != html.CommentToken:
		case !mathElements[token.Data]:
			return "", errForeign
		case kind == html.StartTagToken:
			out.WriteString("<" + token.Data + mathAttributesOf(token) + ">")
		case kind == html.EndTagToken:
			out.WriteString("</" + token.Data + ">")
		default:
			return "", errForeign
		}
	}
}

func endOf(markup string) error {
	if !strings.HasPrefix(markup, "<math") || !strings.HasSuffix(markup, "</math>") {
		return errForeign
	}
	return nil
}

func mathAttributesOf(token html.Token) string {
	var attributes strings.Builder
	var classes []string
	for _, a := range token.Attr {
		switch {
		case a.Key == "class":
			classes = append(classes, temmlClasses(a.Val)...)
		case a.Key == "style":
			more, color := styleClasses(a.Val)
			classes = append(classes, more...)
			if color != "" {
				attributes.WriteString(` mathcolor="` + escape(color) + `"`)
			}
		case mathAttributes[a.Key]:
			attributes.WriteString(" " + a.Key + `="` + escape(a.Val) + `"`)
		}
	}
	if len(classes) > 0 {
		attributes.WriteString(` class="` + strings.Join(classes, " ") + `"`)
	}
	return attributes.String()
}

// temmlClasses keeps the classes that are Temml's own.
func temmlClasses(value string) (kept []string) {
	for _, class := range strings.Fields(value) {
		if strings.Trim(class, "abcdefghijklmnopqrstuvwxyz-") != "" {
			continue
		}
		own := otherClasses[class]
		for _, prefix := range []string{"tml-", "wbk-", "chr-", "ff-"} {
			own = own || strings.HasPrefix(class, prefix)
		}
		if own {
			kept = append(kept, class)
		}
	}
	return kept
}

var otherClasses = set(`menclose upstrike downstrike sout longdiv-top longdiv-arc mathcal mathscr`)

// styles are the declarations that matter to the meaning of a formula: the lines of tables and
// boxes, and aligned columns. Each has a class in static/css/code.css instead.
var styles = map[string]string{
	"padding-left:0em": "tml-l0", "padding-left:0pt": "tml-l0", "padding-left:1em": "tml-l1",
	"padding-right:0em": "tml-r0", "padding-right:0pt": "tml-r0",
	"border-left:0.06em solid": "tml-bl", "border-right:0.06em solid": "tml-br",
	"border-top:0.06em solid": "tml-bt", "border-bottom:0.06em solid": "tml-bb",
	"border:1px solid": "tml-fbox", "width:100%": "tml-wide", "width:50%": "tml-half", "text-align:left": "tml-left",
}

func styleClasses(style string) (classes []string, color string) {
	for declaration := range strings.SplitSeq(style, ";") {
		if class := styles[strings.TrimSpace(declaration)]; class != "" {
			classes = append(classes, class)
		}
		if value, ok := strings.CutPrefix(declaration, "color:#"); ok &&
			strings.Trim(value, "0123456789abcdefABCDEF") == "" {
			color = "#" + value
		}
	}
	return classes, color
}
