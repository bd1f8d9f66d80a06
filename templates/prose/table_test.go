package prose

import (
	"fmt"
	"strings"
	"testing"
)

// tableOf writes a table of short rows below a wide header.
func tableOf(columns, rows int) string {
	return strings.Repeat("|a", columns) + "\n" + strings.Repeat("|-", columns) + "\n" + strings.Repeat("|a\n", rows)
}

// B2: a table of many cells in few bytes shows its source and says so, also in a list; the words around it stay.
func TestTableBomb(t *testing.T) {
	bomb := tableOf(500, 3000)
	text := "Before.\n\n" + bomb + "\nAfter."
	raw := strings.TrimRight(bomb, "\n") + notice(english.TableTooLarge)
	want := "<p>Before.</p><p class=\"raw\">" + raw + "</p><p>After.</p>"
	chunks := renderText(text)
	safe(t, "table", chunks)
	if got := htmlOf(chunks); got != want {
		t.Errorf("%d bytes: %.200s … %s", len(got), got, got[max(0, len(got)-100):])
	}
	grown := openText(text)
	safe(t, "growing table", grown)
	if got := htmlOf(grown); got != want {
		t.Errorf("growing: %d bytes: %.200s … %s", len(got), got, got[max(0, len(got)-100):])
	}
	item := htmlOf(renderText("- " + strings.ReplaceAll(bomb, "\n", "\n  ")))
	if !strings.HasPrefix(item, `<ul><li><p class="raw">|a`) || strings.Count(item, "<td") > 0 {
		t.Errorf("in a list: %.200s", item)
	}
	if words := Plain(text); !strings.HasPrefix(words, "Before. |a|a") || !strings.HasSuffix(words, "|a After.") {
		t.Errorf("plain: %.50q … %q", words, words[max(0, len(words)-40):])
	}
}

// The cells of a text add up, at the same place however it arrived.
func TestTableCellsAddUp(t *testing.T) {
	text := strings.Repeat(tableOf(100, 59)+"\n", 5) // 6,000 cells each
	for name, chunks := range map[string][]Chunk{"render": renderText(text), "open": openText(text)} {
		got := htmlOf(chunks)
		set, shown := strings.Count(got, "<table>"), strings.Count(got, notice(english.TableTooLarge))
		if cells := strings.Count(got, "<td>") + strings.Count(got, "<th>"); set != 3 || shown != 2 || cells != 18_000 {
			t.Errorf("%s: %d tables set with %d cells, %d shown", name, set, cells, shown)
		}
	}
	exact := tableOf(200, 99)
	if got := htmlOf(renderText(exact)); strings.Count(got, "<td>") != 19_800 {
		t.Error("a table of 20,000 cells is not set")
	}
}

func TestCellsAreCounted(t *testing.T) {
	for text, want := range map[string]int{
		"a|b\n-|-\n1|2\n3": 6, "|a|b|\n|-|-|": 2, "words\n| a |\n| - |\n| 1 |": 2, "| a\\|b |\n|:-:|\n| 1 |": 2,
		"a|b\n-|-|-\n1": 6, "a|b\n-:-|-\na|b\n-|-\n1|2": 4,
		"a|b|c\n-|-\n": 0, "a|b\n-\n1": 0, "a|b": 0, "a\n---\nb": 0, "a\nb\nc": 0,
	} {
		got := htmlOf(renderText(text))
		if set := strings.Count(got, "<td") + strings.Count(got, "<th>") + strings.Count(got, "<th "); set != want {
			t.Errorf("%q: %d cells, want %d: %s", text, set, want, got)
		}
		left := newBudget()
		render(whole, &left, english, text)
		if counted := maxCells - left.cells; counted != want {
			t.Errorf("%q: %d cells counted, want %d", text, counted, want)
		}
	}
}

func BenchmarkTableBomb(b *testing.B) {
	text := tableOf(500, 3000)
	for b.Loop() {
		if got := len(fmt.Sprint(renderText(text))); got > 2*len(text) {
			b.Fatalf("%d bytes", got)
		}
	}
}
