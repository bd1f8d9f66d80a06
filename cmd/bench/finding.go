//go:build linux

package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"colloquy/agents"
	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
	"colloquy/classroom"
	"colloquy/store"
)

//go:embed finding
var findingFiles embed.FS

const (
	libraryFolder = "cmd/colloquy/library" // of the starter texts, from the root of the repository
	starter       = "starter"              // the text of a question on none of them
)

// fixedOn are the texts on which the cut-off of the search was fixed. The others only
// report.
var fixedOn = []string{
	"starter/acids-and-bases", "starter/algorithms-and-loops", "starter/english-tenses", "starter/forces-and-motion",
	"starter/french-revolution", "starter/how-a-law-is-made", "gewaesser", "lab-titration", "school-law",
}

// A findingQuestion is a line of finding/questions.tsv. Answer stands verbatim in the
// passage that answers it; it is empty where nothing does.
type findingQuestion struct{ id, text, kind, language, before, question, answer string }

// findingQuestions reads the questions.
func findingQuestions() ([]findingQuestion, error) {
	content, err := findingFiles.ReadFile("finding/questions.tsv")
	if err != nil {
		return nil, err
	}
	var out []findingQuestion
	for i, line := range strings.Split(strings.TrimRight(string(content), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			return nil, fmt.Errorf("questions.tsv: line %d has %d fields", i+1, len(f))
		}
		if i > 0 {
			out = append(out, findingQuestion{f[0], f[1], f[2], f[3], f[4], f[5], f[6]})
		}
	}
	return out, nil
}

// A findingScore counts answers.
type findingScore struct {
	asked, inTurn, inThree int // questions that have an answer
	off, admitted          int // questions that have none
	quotes, verbatim       int
	failed                 []string
}

// measureFinding asks the built-in tutor the questions, each in a class that has the texts.
func measureFinding(ctx context.Context, _ int) ([]row, error) {
	questions, err := findingQuestions()
	if err != nil {
		return nil, err
	}
	f, err := newFinding(ctx)
	if err != nil {
		return nil, err
	}
	defer f.close()
	var fixed, other findingScore
	for _, q := range questions {
		score := &other
		if slices.Contains(fixedOn, q.text) {
			score = &fixed
		}
		if err := f.ask(ctx, q, score); err != nil {
			return nil, fmt.Errorf("question %s: %w", q.id, err)
		}
	}
	if *listFailed {
		for _, line := range append(fixed.failed, other.failed...) {
			fmt.Fprintln(os.Stderr, line)
		}
	}
	return append(fixed.rows("texts that the cut-off was fixed on"), other.rows("other texts")...), nil
}

func (s findingScore) rows(of string) []row {
	part := func(n, of int) string { return fmt.Sprintf("%d of %d, %d %%", n, of, 100*n/max(of, 1)) }
	return []row{
		{"answers found in the teacher's turn, " + of, "90 %", part(s.inTurn, s.asked), "–", "–"},
		{"in the first three passages, " + of, "95 %", part(s.inThree, s.asked), "–", "–"},
		{"questions off the materials admitted, " + of, "90 %", part(s.admitted, s.off), "–", "–"},
		{"quotations verbatim, " + of, "100 %", part(s.verbatim, s.quotes), "–", "–"},
	}
}

// A finding is a runtime over classes that have the texts.
type finding struct {
	*loop
	classes map[string]string // by text
	texts   strings.Builder   // all of them
}

func newFinding(ctx context.Context) (*finding, error) {
	dir, err := os.MkdirTemp("", "colloquy-bench-")
	if err != nil {
		return nil, err
	}
	o := &loop{dir: dir, roster: []classroom.Agent{{ID: "ada", Name: "Ms Ada", Role: classroom.Teacher}}}
	if o.store, err = store.Open(ctx, store.Options{Dir: dir}); err != nil {
		return nil, err
	}
	f := &finding{loop: o, classes: map[string]string{}}
	model := tutor.New(tutor.Options{})
	o.runtime, err = agents.New(agents.Options{
		Log: o.store, Leases: o.store, Classes: o.store, Library: o.store, Holder: "bench",
		Tools: []agents.Tool{agents.SearchMaterials(o.store), agents.CueUser()},
		Model: func(context.Context, classroom.Class, classroom.Agent) llm.Model { return model },
	})
	if err == nil {
		err = f.addTexts(ctx)
	}
	return f, err
}

func (f *finding) addTexts(ctx context.Context) error {
	files, err := filepath.Glob(libraryFolder + "/*.md")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no texts in %s: run this in the root of the repository: %w", libraryFolder, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := f.addText(ctx, starter, filepath.Base(file), string(text)); err != nil {
			return err
		}
	}
	own, err := findingFiles.ReadDir("finding/materials")
	if err != nil {
		return err
	}
	for _, e := range own {
		text, err := findingFiles.ReadFile("finding/materials/" + e.Name())
		if err != nil {
			return err
		}
		if err := f.addText(ctx, strings.TrimSuffix(e.Name(), ".md"), e.Name(), string(text)); err != nil {
			return err
		}
	}
	return nil
}

func (f *finding) addText(ctx context.Context, class, name, text string) error {
	if f.classes[class] == "" {
		c, err := f.store.CreateClass(ctx, classroom.Class{Title: class, Mode: classroom.ModeQA, Roster: f.roster})
		if err != nil {
			return err
		}
		f.classes[class] = c.ID
	}
	f.texts.WriteString(text + "\n\n")
	_, err := f.store.AddMaterial(ctx, classroom.Material{ClassID: f.classes[class], Name: name}, text)
	return err
}

// ask asks one question and counts what came of it.
func (f *finding) ask(ctx context.Context, q findingQuestion, score *findingScore) error {
	class, _, _ := strings.Cut(q.text, "/")
	s, err := f.store.CreateSession(ctx, classroom.Session{ClassID: f.classes[class], Mode: classroom.ModeQA}, f.roster)
	if err != nil {
		return err
	}
	said := ""
	for _, text := range []string{q.before, q.question} {
		if text == "" {
			continue
		}
		if said, err = f.answer(ctx, s.ID, text); err != nil {
			return err
		}
	}
	found, err := f.store.SearchMaterials(ctx, f.classes[class], classroom.MaterialQuery{
		Question: q.question, Before: q.before,
	})
	if err != nil {
		return err
	}
	score.count(q, said, found, f.texts.String())
	return nil
}

// count counts what the teacher said to a question, and what the search found.
func (s *findingScore) count(q findingQuestion, said string, found classroom.Found, texts string) {
	quotes := quotesIn(said)
	for _, quote := range quotes {
		s.quotes++
		if strings.Contains(strings.ReplaceAll(texts, "**", ""), strings.ReplaceAll(quote, "**", "")) {
			s.verbatim++
		}
	}
	good := strings.Contains(strings.ReplaceAll(strings.Join(quotes, "\n"), "**", ""), strings.ReplaceAll(q.answer,
		"**", ""))
	switch {
	case q.answer == "":
		s.off++
		if good = len(quotes) == 0; good {
			s.admitted++
		}
	default:
		s.asked++
		if good {
			s.inTurn++
		}
		if slices.ContainsFunc(found.Passages, func(p classroom.Passage) bool {
			return strings.Contains(p.Text,
				q.answer)
		}) {
			s.inThree++
		}
	}
	if !good {
		s.failed = append(s.failed, fmt.Sprintf("%s %s %s: %q: %.160q", q.id, q.text, q.kind, q.question, said))
	}
}

// quotesIn returns the quotations in an answer, without the marks on the words.
func quotesIn(said string) []string {
	var out []string
	open := false
	for line := range strings.SplitSeq(said, "\n") {
		rest, quoted := strings.CutPrefix(line, "> ")
		switch {
		case !quoted:
		case open:
			out[len(out)-1] += "\n" + rest
		default:
			out = append(out, rest)
		}
		open = quoted
	}
	return out
}

// answer posts a message and returns what the teacher says.
func (f *finding) answer(ctx context.Context, session, text string) (string, error) {
	receipt, err := f.runtime.Send(ctx, session, classroom.Post{Text: text})
	if err != nil {
		return "", err
	}
	for {
		changed := f.store.Changed(session)
		events, err := f.store.Read(ctx, session, receipt.Cursor, 10_000)
		if err != nil {
			return "", err
		}
		said := ""
		for _, e := range events {
			if p, err := classroom.Decode(e); err == nil {
				if m, ok := p.(classroom.MessageEnd); ok {
					for _, b := range m.Blocks {
						said += b.Text + "\n"
					}
				}
			}
			if e.Type == classroom.TypeRunEnd {
				return said, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
