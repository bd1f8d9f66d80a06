package prose

import "testing"

// TestUnclosed: what has begun at the open end of a text is shown as begun.
func TestUnclosed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"— *Forces and Newton's laws of": "<p>— <em>Forces and Newton's laws of</em></p>",
		"a **bold word":                  "<p>a <strong>bold word</strong></p>",
		"a **bold *and slanted":          "<p>a <strong>bold <em>and slanted</em></strong></p>",
		"*Forces ":                       "<p><em>Forces</em></p>",
		"a `code span":                   "<p>a <code>code span</code></p>",
		"*done* and *more":               "<p><em>done</em> and <em>more</em></p>",
		"2 * 3 and 4 *":                  "<p>2 * 3 and 4 *</p>",
		"$a *b":                          "<p>$a *b</p>",
		"*a \n\nb":                       "<p>b</p>",
	} {
		chunks := openText(text)
		if got := chunks[len(chunks)-1].HTML; got != want && got != want+"\n" {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	if got := renderText("a *word")[0].HTML; got != "<p>a *word</p>" && got != "<p>a *word</p>\n" {
		t.Errorf("closed, it is %q", got)
	}
}
