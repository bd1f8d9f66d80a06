package tutor

import (
	"regexp"
	"sort"
	"strings"
)

// A quote is what is shown of one passage: runs of units that follow each other.
type quote struct {
	from *passage
	runs [][]match
}

const (
	maxRun    = 330 // a run of sentences is not grown beyond
	maxQuoted = 1100
)

// pick chooses the best units of ranked, up to n of them, with the sentences
// around them that belong to the same thought.
func (q question) pick(ranked []match, n int) []quote {
	var out []quote
	used := map[*unit]bool{}
	size, picked := 0, 0
	for _, m := range ranked {
		if picked == n || m.score < 0.62*ranked[0].score || size > maxQuoted {
			break
		}
		if taken(m, used, out) || picked > 0 && !q.seconds(m, ranked[0]) {
			continue
		}
		run := []match{m}
		if !q.brief {
			run = grow(m, ranked, used)
		}
		for _, r := range run {
			used[r.unit] = true
			size += r.length()
		}
		out = place(out, run)
		picked++
	}
	return out
}

// seconds reports whether m is worth standing beside the best.
func (q question) seconds(m, best match) bool {
	switch {
	case m.cover < enough || m.dangles() || len(m.words) <= 7:
		return false
	case q.kind == overview:
		return m.from != best.from // an overview looks further
	case q.kind == compare:
		return m.fits
	case best.kind == wholeList && best.order:
		return m.from.Section == best.from.Section // beside all the steps little else is worth saying
	}
	return (m.fits || !best.fits) && (m.from == best.from || m.score >= 0.8*best.score)
}

// taken reports whether m is used already, is part of a list that is, or says
// nearly the same as a quote does.
func taken(m match, used map[*unit]bool, quotes []quote) bool {
	if used[m.unit] {
		return true
	}
	for u := range used {
		sameList := u.block == m.block && (u.kind == wholeList || m.kind == wholeList)
		if sameList && inPassage(m.from, u) || alike(u, m.unit) {
			return true
		}
	}
	return false
}

func inPassage(p *passage, u *unit) bool { return u.place < len(p.units) && p.units[u.place] == u }

// alike reports whether two units share most of their words.
func alike(a, b *unit) bool {
	both := shared(a, b)
	return both > 0 && 10*both >= 7*min(shared(a, a), shared(b, b))
}

// grow takes in the sentence before m if m points to it, and those behind that
// go on with it.
func grow(m match, ranked []match, used map[*unit]bool) []match {
	run := []match{m}
	if m.kind != sentence {
		return introduced(m, ranked, used)
	}
	size := m.length()
	for i := m.place; i > 0 && run[0].dangles() && size < maxRun; i-- {
		p, ok := joined(m.from.units[i-1], m, ranked, used)
		if !ok {
			break
		}
		run, size = append([]match{p}, run...), size+p.length()
	}
	for i := m.place + 1; i < len(m.from.units) && len(run) < 3; i++ {
		p, ok := joined(m.from.units[i], m, ranked, used)
		if !ok || size+p.length() > maxRun || !p.dangles() && (p.score < 0.85*m.score || alike(p.unit, m.unit)) {
			break
		}
		run, size = append(run, p), size+p.length()
	}
	return run
}

// introduced puts the sentence that stands right above a table before it.
func introduced(m match, ranked []match, used map[*unit]bool) []match {
	if m.kind != wholeTable || m.place == 0 || !strings.HasPrefix(m.lines[0], "|") {
		return []match{m}
	}
	above := m.from.units[m.place-1]
	for _, r := range ranked {
		if r.unit == above && above.kind == sentence && r.score >= 0.6*m.score && r.cover >= enough && above.block == m.block-1 && !used[above] && !above.dangles() {
			return []match{r, m}
		}
	}
	return []match{m}
}

// joined finds u among the ranked, if it stands in the paragraph of m.
func joined(u *unit, m match, ranked []match, used map[*unit]bool) (match, bool) {
	if u.block != m.block || used[u] {
		return match{}, false
	}
	for _, r := range ranked {
		if r.unit == u {
			return r, true
		}
	}
	return match{}, false
}

// place adds run to the quote of its passage, in the order of the text.
func place(quotes []quote, run []match) []quote {
	for i := range quotes {
		if quotes[i].from == run[0].from {
			quotes[i].runs = sewn(append(quotes[i].runs, run))
			return quotes
		}
	}
	return append(quotes, quote{run[0].from, [][]match{run}})
}

// sewn orders runs as in the text and joins those that touch.
func sewn(runs [][]match) [][]match {
	sort.SliceStable(runs, func(a, b int) bool { return runs[a][0].place < runs[b][0].place })
	out := runs[:1]
	for _, r := range runs[1:] {
		last := out[len(out)-1]
		end := last[len(last)-1]
		if end.block == r[0].block && end.place+1 == r[0].place {
			out[len(out)-1] = append(last, r...)
			continue
		}
		out = append(out, r)
	}
	return out
}

// render writes q as a Markdown quotation with its source.
func (q quote) render() string {
	var parts []string
	for _, run := range q.runs {
		parts = append(parts, joinRun(run))
	}
	return quotation(strings.Join(parts, "\n\n"), q.from.source())
}

// joinRun writes the sentences of a run as one paragraph; what stands below a
// sentence (a formula, a list) stays below it.
func joinRun(run []match) string {
	var b strings.Builder
	below := false
	for i, m := range run {
		switch {
		case i == 0:
		case below, m.kind != sentence:
			b.WriteString("\n\n")
		default:
			b.WriteString(" ")
		}
		b.WriteString(m.text())
		below = len(m.lines) > 1
	}
	return b.String()
}

func quotation(text, source string) string {
	text = "> " + strings.ReplaceAll(text+"\n\n— "+source, "\n", "\n> ")
	return strings.ReplaceAll(text, "> \n", ">\n")
}

var fileEnding = regexp.MustCompile(`(?i)\.(md|markdown|txt|text)$`)

// title is the material's name as a reader would write it.
func title(name string) string {
	name = strings.TrimSpace(fileEnding.ReplaceAllString(strings.TrimSpace(name), ""))
	if name == "" {
		return "a text without a name"
	}
	if !strings.Contains(name, " ") && strings.ContainsAny(name, "-_") {
		name = strings.NewReplacer("-", " ", "_", " ").Replace(name)
		return strings.ToUpper(first(name, 1)) + name[1:]
	}
	return name
}

// source names the material and the section, "*Photosynthesis*, The light reactions".
func (p *passage) source() string {
	name := title(p.Material)
	out := "*" + label(name) + "*"
	var sections []string
	for _, s := range strings.Split(p.Section, "›") {
		if s = strings.TrimSpace(s); s != "" && keyOf(s) != keyOf(name) {
			sections = append(sections, label(s))
		}
	}
	if len(sections) > 2 {
		sections = sections[len(sections)-2:]
	}
	if len(sections) > 0 {
		out += ", " + strings.Join(sections, " › ")
	}
	return out
}
