package prose

import "strings"

// A Doc renders one growing text and remembers what cannot change any more. The zero value is an empty text. It is not
// safe for concurrent use.
type Doc struct {
	Words Words // set before the first call

	text       string   // the text of the last call
	start      int      // where the open stretch begins
	read       int      // how far the splitter has read: complete lines only
	lines      splitter // the state of the open stretch
	frozen     []Chunk
	unrendered string      // what the frozen chunks had no HTML for; all that follows is shown as it is
	budget     budget      // what the frozen chunks left
	code       growingCode // the open stretch, where it is a fence
}

// Grow returns what Open returns. It renders only the open end if text extends the last text, otherwise
// everything.
func (d *Doc) Grow(text string) []Chunk {
	if !strings.HasPrefix(text, d.text) || len(text) > maxText && len(d.text) <= maxText {
		*d = Doc{Words: d.Words}
	}
	if d.text == "" {
		d.budget = newBudget()
	}
	d.text = text
	head, rest := divide(text)
	d.freeze(head)
	chunks := make([]Chunk, len(d.frozen), len(d.frozen)+4)
	copy(chunks, d.frozen)
	if d.unrendered != "" {
		return append(chunks, overLimit(d.unrendered+text[d.start:])...)
	}
	end, left := d.tail(head)
	return append(append(chunks, end...), overLimit(left+rest)...)
}

// freeze moves complete lines to the frozen part.
func (d *Doc) freeze(text string) {
	for d.unrendered == "" {
		n := d.next(text[d.read:])
		if n == 0 {
			return
		}
		inFence := d.lines.fence
		before, after := d.lines.read(text[d.read : d.read+n])
		if before {
			d.freezeUpTo(text, d.read)
		}
		if inFence.mark != 0 && !after {
			d.code.line(tidy(text[d.read : d.read+n]))
		} else if d.lines.fence.mark != 0 {
			d.code = openCode(d.lines.fence)
		}
		d.read += n
		if after {
			d.freezeUpTo(text, d.read)
			d.lines = splitter{}
		}
	}
}

// next returns the length of the next line. Code grows by whole lines, however long.
func (d *Doc) next(text string) int {
	if d.lines.fence.mark != 0 {
		return nextLine(text)
	}
	return lineOrPart(text, maxSegment)
}

// freezeUpTo renders the stretch up to end for good.
func (d *Doc) freezeUpTo(text string, end int) {
	chunks, left := render(growing, &d.budget, d.Words, tidy(text[d.start:end]))
	d.frozen, d.unrendered = append(d.frozen, chunks...), left
	d.start, d.code = end, growingCode{}
}

// tail renders the open stretch, and returns what is left of it when the budget for HTML is spent.
func (d *Doc) tail(text string) (chunks []Chunk, left string) {
	last := wholeRunes(strings.TrimSuffix(text[d.read:], "\r"))
	if f := d.lines.fence; f.mark != 0 {
		if f.closing(last) {
			last = ""
		}
		return []Chunk{{HTML: d.code.html(tidy(last))}}, ""
	}
	if undecided(last) {
		last = ""
	}
	b := d.budget
	end := tidy(text[d.start:d.read] + last)
	if marks := unclosed(end); marks != "" {
		end = strings.TrimRight(end, " \n") + marks
	}
	return render(open, &b, d.Words, end)
}
