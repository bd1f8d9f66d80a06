package tutor_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
)

var update = flag.Bool("update", false, "write the golden answers anew")

// said returns what the tutor says to a request, and the question with which it gives the
// floor away.
func said(t *testing.T, req llm.Request) string {
	t.Helper()
	var text, call strings.Builder
	for e, err := range tutor.New(tutor.Options{}).Stream(t.Context(), req) {
		switch {
		case err != nil:
			t.Fatal(err)
		case e.Kind == llm.TextDelta:
			text.WriteString(e.Text)
		case e.Kind == llm.CallDelta:
			call.WriteString(e.Name + e.Text)
		}
	}
	if call.Len() > 0 {
		return text.String() + "\n\n[" + call.String() + "]"
	}
	return text.String()
}

func teacher(l llm.Lookup) llm.Request {
	l.Materials = append(l.Materials, "Photosynthesis", "The French Revolution")
	if l.Languages == nil {
		l.Languages = []string{"en"}
	}
	return llm.Request{Speaker: llm.Speaker{ID: "ada", Name: "Ada", Role: "teacher"}, Lookup: &l}
}

var (
	green = llm.Passage{
		Material: "Photosynthesis", Heading: "Photosynthesis › Where?", Language: "en",
		Text: "Leaves look green because chlorophyll reflects green light. It absorbs 430 nm and 660 nm best.",
	}
	table = llm.Passage{
		Material: "Photosynthesis", Heading: "Photosynthesis › Parts", Language: "en",
		Text: "| Part | Job |\n| --- | --- |\n| Leaf | catches light |",
	}
	terror = llm.Passage{
		Material: "The French Revolution", Heading: "Terror › Reasons for it", Language: "en",
		Text: "Its leaders defended it as necessary, because France was at war.",
	}
	victims = llm.Passage{
		Material: "The French Revolution", Heading: "Terror › Victims", Language: "en",
		Text: "About 17,000 people were executed, and many of the victims were innocent.",
	}
	kreislauf = llm.Passage{
		Material: "Gewässer", Heading: "Der Wasserkreislauf", Language: "de",
		Text: "Die Sonne lässt Wasser verdunsten. Der Wasserdampf steigt auf und bildet Wolken.",
	}
)

// requests are the scenes of which the answers are kept in testdata/golden.
func requests() map[string]llm.Request {
	found := llm.Lookup{
		Question: "Why are leaves green?", Passages: []llm.Passage{green, table}, Mentioned: []string{"leaves",
			"green"},
	}
	repaired, german, english := found, found, found
	repaired.Repairs = []llm.Repair{{Typed: "leavs", Read: "leaves"}}
	german.Question = "Wie entstehen die Wolken und der Regen?"
	german.Passages, german.Mentioned = []llm.Passage{kreislauf}, []string{"Wolken"}
	english.Question, english.Passages = "How are the clouds made by the sun?", []llm.Passage{kreislauf}
	out := map[string]llm.Request{
		"answer": teacher(found), "repaired": teacher(repaired), "german": teacher(german),
		"other-language": teacher(english),
		"miss":           teacher(llm.Lookup{Question: "What is a black hole?", Unknown: []string{"black", "hole"}}),
		"miss-near": teacher(llm.Lookup{Question: "Is chlorophyll a vitamin?", Unknown: []string{"vitamin"},
			Mentioned: []string{"chlorophyll"}, Near: []llm.Passage{green}}),
		"miss-language": teacher(llm.Lookup{Question: "Warum ist die Banane krumm und gelb?",
			Unknown: []string{"Banane"}}),
		"preparing": teacher(llm.Lookup{Question: "What is x?", Unknown: []string{"x"}, Preparing: true}),
		"hostile": teacher(llm.Lookup{Question: "What is <b>?", Unknown: []string{"<b>[x](http://e)*",
			strings.Repeat("ä", 300)}}),
	}
	for _, q := range []string{"hello!", "I don't get it", "who are you?", "just tell me the answer", "I'm so bored",
		"Danke", "Help me please"} {
		out["intent-"+strings.Trim(strings.ReplaceAll(strings.ToLower(q), " ", "-"),
			"!?")] = teacher(llm.Lookup{Question: q})
	}
	for _, manner := range []string{"hints", "socratic"} {
		for rung := 1; rung <= 5; rung++ {
			r := teacher(found)
			reason := []string{"open", "press", "stuck", "try", "try"}[rung-1]
			r.Rules = llm.Rules{
				Manner: manner, HintRung: rung, HintOf: 5, Tries: rung - 1, Asked: rung, HintReason: reason,
			}
			out[manner+"-"+string(rune('0'+rung))] = r
		}
	}
	assistant := teacher(found)
	assistant.Speaker.Role = "assistant"
	assistant.Lookup.Terms = []llm.Definition{{Term: "chlorophyll", Sentence: "**Chlorophyll** is a pigment.",
		Source: green}}
	out["assistant"] = assistant
	student := teacher(found)
	student.Speaker.Role = "student"
	out["student"] = student
	for name, s := range map[string]llm.Staging{
		"discussion": {Mode: "discussion"}, "debate-opening": {Mode: "debate", StageRole: llm.StageModerator,
			For: "Mina", Against: "Jonas"},
		"debate-for":     {Mode: "debate", StageRole: llm.StageFor, Round: 1},
		"debate-against": {Mode: "debate", StageRole: llm.StageAgainst, Round: 1},
		"debate-summary": {Mode: "debate", StageRole: llm.StageSummary},
	} {
		r := teacher(llm.Lookup{Question: "Was the Terror necessary?", Passages: []llm.Passage{terror, victims}})
		r.Staging = s
		out[name] = r
	}
	last := teacher(llm.Lookup{Question: "Was the Terror necessary?", Passages: []llm.Passage{terror, victims},
		Turn: 1})
	last.Staging = llm.Staging{Mode: "discussion"}
	out["discussion-last"] = last
	none := teacher(llm.Lookup{Question: "Homework should be abolished"})
	none.Staging = llm.Staging{Mode: "debate", StageRole: llm.StageModerator}
	out["debate-none"] = none
	part := teacher(llm.Lookup{Question: "photosynthesis", Passages: []llm.Passage{green}, Part: []llm.Passage{green,
		table}, Parts: 2, Titles: []string{"Where?", "Parts"}})
	part.Staging = llm.Staging{Mode: "lecture", StageRole: llm.StageLecture, Round: 1}
	out["lecture"] = part
	recap := teacher(*part.Lookup)
	recap.Staging = llm.Staging{Mode: "lecture", StageRole: llm.StageSummary, Round: 3}
	out["lecture-summary"] = recap
	kept := found
	kept.Passages = []llm.Passage{{Material: "Photosynthesis", Heading: "Photosynthesis › Where?", Text: "[…] […]",
		Language: "en"}}
	out["kept-back"] = teacher(kept)
	out["nothing"] = llm.Request{Speaker: llm.Speaker{Role: "teacher"}}
	return out
}

func TestAnswers(t *testing.T) {
	for name, req := range requests() {
		file := filepath.Join("testdata", "golden", name+".md")
		got := said(t, req) + "\n"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s%v", name, got, want, err)
		}
	}
}

// Whatever is quoted stands in the passage, and the whole passage is quoted.
func TestQuotesAreWhole(t *testing.T) {
	for name, req := range requests() {
		if !strings.HasPrefix(name, "answer") && name != "lecture" && name != "german" {
			continue
		}
		var quoted strings.Builder
		for line := range strings.Lines(said(t, req)) {
			if rest, ok := strings.CutPrefix(line, "> "); ok {
				quoted.WriteString(rest)
			}
		}
		plain := strings.ReplaceAll(quoted.String(), "**", "")
		for _, p := range req.Lookup.Passages {
			if !strings.Contains(plain, p.Text) {
				t.Errorf("%s: %q is not quoted in %q", name, p.Text, plain)
			}
		}
	}
}

// Below the last rung no hint says what the passage says.
func TestHintsKeepTheAnswer(t *testing.T) {
	for name, req := range requests() {
		rung := req.Rules.HintRung
		if rung == 0 {
			continue
		}
		got := said(t, req)
		if rung < 5 && strings.Contains(got, "430 nm") || rung < 4 && strings.Contains(got, "chlorophyll reflects") {
			t.Errorf("%s gives away %q", name, got)
		}
		if rung == 5 && !strings.Contains(got, "430 nm") {
			t.Errorf("%s keeps the answer: %q", name, got)
		}
	}
}

// An answer that was cut off goes on where its block began.
func TestAnswerGoesOn(t *testing.T) {
	req := requests()["answer"]
	whole := said(t, req)
	req.Messages = []llm.Message{{Role: llm.User, From: "Tom", Text: "why"}, {Role: llm.Self,
		Text: whole[:len(whole)-20]}}
	rest := said(t, req)
	if !strings.HasSuffix(whole, rest) || len(rest) >= len(whole) || !strings.HasPrefix(rest, ">") {
		t.Errorf("goes on with %q", rest)
	}
}

func TestModel(t *testing.T) {
	model := tutor.New(tutor.Options{})
	if model.Name() != "tutor" || !model.Profile().Scripted {
		t.Errorf("%s has the profile %+v", model.Name(), model.Profile())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range model.Stream(ctx, requests()["answer"]) {
		if err == nil {
			t.Error("it speaks after the end of its context")
		}
	}
}
