package tutor_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"colloquy/agents/llm"
	"colloquy/agents/llm/tutor"
)

// A passageText is one passage of the class's materials.
type passageText struct {
	MaterialID string `json:"material_id"`
	Material   string `json:"material"`
	Section    string `json:"section,omitempty"`
	Text       string `json:"text"`
}

// A class plays what the runtime and the store do around the tutor: the
// transcript of each agent, and a plain search over materials.
type class struct {
	t        testing.TB
	texts    []passageText
	topics   []string
	rules    llm.Rules
	noTool   bool
	lines    []line
	searched []string // every query, in order
	stage    *stage   // the scene that is played, if one is
}

// A line is one step of the conversation; own lines are seen by their speaker alone.
type line struct {
	from string // an agent's id, or ""
	msg  llm.Message
}

var cast = []llm.Speaker{{ID: "ada", Name: "Ada", Role: "teacher"}, {ID: "bo", Name: "Bo", Role: "assistant"}, {ID: "cem", Name: "Cem", Role: "student"}}

func newClass(t testing.TB, files ...string) *class {
	c := &class{t: t}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		c.add(strings.TrimSuffix(filepath.Base(f), ".md"), string(data))
	}
	return c
}

// add splits a material at its headings.
func (c *class) add(name, body string) {
	sections, at := map[int]string{}, 0
	title, part := name, ""
	flush := func() {
		if strings.TrimSpace(part) != "" {
			var path []string
			for i := 1; i <= at; i++ {
				if sections[i] != "" {
					path = append(path, sections[i])
				}
			}
			c.texts = append(c.texts, passageText{"m-" + name, title, strings.Join(path, " › "), strings.TrimSpace(part)})
		}
		part = ""
	}
	for l := range strings.Lines(body) {
		n := len(l) - len(strings.TrimLeft(l, "#"))
		if n == 0 || !strings.HasPrefix(l[n:], " ") {
			part += l
			continue
		}
		flush()
		at = n
		sections[n] = strings.TrimSpace(l[n:])
		for i := n + 1; i < 7; i++ {
			delete(sections, i)
		}
		if n == 1 {
			title = sections[1]
		}
	}
	flush()
	c.topics = append(c.topics, title)
}

// find returns the passages that hold at least two words of the query, or its only one.
func (c *class) find(query string) []passageText {
	words := strings.Fields(strings.ToLower(query))
	type hit struct {
		passageText
		n, all int
	}
	var hits []hit
	for _, x := range c.texts {
		body := strings.ToLower(x.Section + " " + x.Section + " " + x.Text)
		h := hit{passageText: x}
		for _, w := range words {
			if len(w) > 4 {
				w = strings.TrimRight(w, "se")
			}
			k := strings.Count(body, w)
			h.all += min(k, 4)
			if k > 0 {
				h.n++
			}
		}
		if h.n >= min(2, len(words)) && h.n > 0 {
			hits = append(hits, h)
		}
	}
	sort.SliceStable(hits, func(i, j int) bool {
		return hits[i].n > hits[j].n || hits[i].n == hits[j].n && hits[i].all > hits[j].all
	})
	out := []passageText{}
	for _, h := range hits[:min(6, len(hits))] {
		out = append(out, h.passageText)
	}
	if c.stage != nil {
		return c.around(out)
	}
	return out
}

func (c *class) ask(question string) { c.human("Tom", question) }

func (c *class) human(name, question string) {
	c.lines = append(c.lines, line{"", llm.Message{Role: llm.User, From: name, Text: question}})
}

// request is what the runtime would ask for that speaker.
func (c *class) request(who llm.Speaker) llm.Request {
	req := llm.Request{Speaker: who, Rules: c.rules, System: "You are " + who.Name}
	c.stage.direct(&req)
	if !c.noTool {
		req.Tools = []llm.Tool{{Name: "search_materials"}}
	}
	for _, l := range c.lines {
		switch {
		case l.from == "" || l.from == who.ID:
			req.Messages = append(req.Messages, l.msg)
		case l.msg.Role == llm.Self && l.msg.Text != "":
			peer := speaker(l.from)
			req.Messages = append(req.Messages, llm.Message{Role: llm.User, From: peer.Name + ", " + peer.Role, Peer: true, Text: l.msg.Text})
		}
	}
	return req
}

func speaker(id string) llm.Speaker {
	for _, s := range slices.Concat(cast, troupe) {
		if s.ID == id {
			return s
		}
	}
	return llm.Speaker{}
}

// speak gives the floor to who until it says something, and returns that.
func (c *class) speak(who llm.Speaker) string {
	c.t.Helper()
	for range 6 {
		m := gather(c.t, tutor.New(tutor.Options{}), c.request(who))
		c.lines = append(c.lines, line{who.ID, m})
		if len(m.Calls) == 0 {
			return m.Text
		}
		for _, call := range m.Calls {
			c.answer(who, call)
		}
	}
	c.t.Fatalf("%s did not stop searching: %q", who.Name, c.searched)
	return ""
}

func (c *class) answer(who llm.Speaker, call llm.Call) {
	c.t.Helper()
	var args struct{ Query string }
	if err := json.Unmarshal(call.Args, &args); err != nil || args.Query == "" || call.Name != "search_materials" {
		c.t.Fatalf("%s called %s with %s", who.Name, call.Name, call.Args)
	}
	c.searched = append(c.searched, args.Query)
	details := map[string]any{"query": args.Query, "passages": c.find(args.Query)}
	if len(c.find(args.Query)) == 0 {
		details["topics"] = c.topics
	}
	data, err := json.Marshal(details)
	if err != nil {
		c.t.Fatal(err)
	}
	c.lines = append(c.lines, line{who.ID, llm.Message{Role: llm.ToolResult, CallID: call.ID, Text: string(data), Details: data}})
}

// gather collects a sequence into the message it makes, and checks its shape.
func gather(t testing.TB, m llm.Model, req llm.Request) llm.Message {
	t.Helper()
	out := llm.Message{Role: llm.Self}
	finished := llm.Reason("")
	for e, err := range m.Stream(context.Background(), req) {
		if err != nil {
			t.Fatal(err)
		}
		if finished != "" {
			t.Fatalf("an event follows the finish: %+v", e)
		}
		switch e.Kind {
		case llm.TextDelta:
			out.Text += e.Text
		case llm.CallDelta:
			if e.ID != "" {
				out.Calls = append(out.Calls, llm.Call{ID: e.ID, Name: e.Name})
			}
			c := &out.Calls[len(out.Calls)-1]
			c.Args = append(c.Args, e.Text...)
		case llm.Finish:
			finished = e.Reason
		}
	}
	want := llm.Stop
	if len(out.Calls) > 0 {
		want = llm.ToolUse
	}
	if finished != want {
		t.Fatalf("finish %q, want %q", finished, want)
	}
	return out
}
