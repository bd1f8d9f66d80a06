package agents_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"colloquy/agents"
	"colloquy/classroom"
	"colloquy/store/storetest"
)

// A memoryLibrary keeps the materials of one class in memory, and the queries that it
// was asked. A passage is found by each of its words.
type memoryLibrary struct {
	materials []classroom.Material
	passages  []classroom.Passage
	queries   []string
	reading   *classroom.Progress // of its index; nil where no rebuild is due
}

var _ agents.Library = (*memoryLibrary)(nil)

// add adds a material whose sections each have a heading and one paragraph.
func (l *memoryLibrary) add(name, text string) {
	l.materials = append(l.materials, classroom.Material{ID: name, Name: name})
	slices.SortFunc(l.materials, func(a, b classroom.Material) int { return cmp.Compare(a.Name, b.Name) })
	for section := range strings.SplitSeq(text, "# ") {
		if heading, paragraph, ok := strings.Cut(section, "\n\n"); ok {
			l.passages = append(l.passages, classroom.Passage{
				MaterialID: name, Material: name, Section: heading, From: len(l.passages),
				Text: strings.TrimSpace(paragraph),
			})
		}
	}
}

func (l *memoryLibrary) SearchMaterials(
	_ context.Context, _ string, q classroom.MaterialQuery,
) (found classroom.Found, err error) {
	l.queries = append(l.queries, q.Question)
	words := strings.Fields(strings.ToLower(q.Question))
	for _, p := range l.passages {
		has := func(word string) bool { return strings.Contains(strings.ToLower(p.Text), strings.Trim(word, "?.,")) }
		if slices.ContainsFunc(words, has) && len(found.Passages) < q.Limit {
			found.Passages = append(found.Passages, p)
		}
	}
	for _, w := range words {
		w = strings.Trim(w, "?.,")
		if len(w) > 3 && slices.ContainsFunc(l.passages, func(p classroom.Passage) bool {
			return slices.Contains(strings.Fields(strings.ToLower(p.Text)), w)
		}) {
			found.Mentioned = append(found.Mentioned, w)
		}
	}
	return found, nil
}

func (l *memoryLibrary) NextPassages(
	_ context.Context, material string, after, limit int, _ bool,
) (out []classroom.Passage, err error) {
	for _, p := range l.passages {
		if p.MaterialID == material && p.From > after && len(out) < limit {
			out = append(out, p)
		}
	}
	return out, nil
}

func (l *memoryLibrary) Materials(context.Context, string) ([]classroom.Material, error) {
	return l.materials, nil
}

func (l *memoryLibrary) IndexProgress() (classroom.Progress, bool) {
	if l.reading == nil {
		return classroom.Progress{}, false
	}
	return *l.reading, true
}

// TestMemoryLibrary: the library of the runtime's tests keeps what a store's keeps.
func TestMemoryLibrary(t *testing.T) {
	l := new(memoryLibrary)
	storetest.TestLibrary(t, l, "c", l.add)
}
