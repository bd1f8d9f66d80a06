package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colloquy/classroom"
)

// recordedLog reads a session's log from the fixtures of a version.
func recordedLog(t *testing.T, folder, name string) []classroom.Event {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []classroom.Event
	for line := range bytes.Lines(text) {
		var e classroom.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, e)
	}
	return out
}

// foldText writes what a fold holds as plain text, without the sentences of
// this version: codes, cursors and what was said stay the same for ever.
func foldText(f *classroom.Fold) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%q %s, rounds %d, head %d, %s, running %d, barrier %v\n",
		f.Title, f.Mode, f.Rounds, f.Cursor, f.Status(), f.Running, f.Barrier)
	for _, a := range f.Roster {
		fmt.Fprintf(&w, "agent %s %q %s %s %s\n", a.ID, a.Name, a.Role, a.Color, a.Avatar)
	}
	for _, m := range f.Queue.Steer {
		fmt.Fprintf(&w, "steer %d %q\n", m.Cursor, m.Text)
	}
	for _, m := range f.Queue.FollowUp {
		fmt.Fprintf(&w, "follow-up %d %q\n", m.Cursor, m.Text)
	}
	for _, m := range f.Queue.Dropped {
		fmt.Fprintf(&w, "dropped %d %q %s\n", m.Cursor, m.Text, f.Queue.Reason)
	}
	for _, c := range f.Cards {
		cardText(&w, c)
	}
	return w.String()
}

func cardText(w *strings.Builder, c *classroom.Card) {
	fmt.Fprintf(w, "\nexchange %d %s, attempt %d, interrupted by %q, resumed for %q, at %s\n",
		c.Exchange, c.State, c.Attempt, c.InterruptReason, c.ResumeReason, c.Started)
	fmt.Fprintf(w, "question %d of %q at %s: %q\n",
		c.Question.Cursor, c.Question.Author.Name, c.Question.Time, c.Question.Text)
	for _, window := range c.Windows {
		fmt.Fprintf(w, "window %s %s, round %d, part %q, by %q, open %v, %d turns, %q, %s\n",
			window.Agent.ID, window.Agent.Role, window.Round, window.StageRole, window.By,
			window.Open, window.Turns, window.StopReason, usageText(window.Usage))
		for _, x := range window.Entries {
			entryText(w, x)
		}
	}
	if c.Cue != nil {
		fmt.Fprintf(w, "cue %q, several %v\n", c.Cue.Question, c.Cue.Multi)
		for _, o := range c.Cue.Options {
			fmt.Fprintf(w, "  option %s %q\n", o.ID, o.Label)
		}
	}
	for _, l := range c.Products {
		fmt.Fprintf(w, "link %s %s %q\n", l.Kind, l.Ref, l.Title)
	}
	if c.End != nil {
		cost := "none"
		if c.End.Cost != nil {
			cost = fmt.Sprint(*c.End.Cost)
		}
		fmt.Fprintf(w, "end %s %q, message %q, detail %q, %s, cost %s\n",
			c.End.Status, c.End.Code, c.End.Message, c.End.Detail, usageText(c.End.Usage), cost)
	}
}

func entryText(w *strings.Builder, x *classroom.Entry) {
	switch {
	case x.Message != nil:
		fmt.Fprintf(w, "  message open %v, %q, superseded %v, %s\n",
			x.Message.Open, x.Message.StopReason, x.Message.Superseded, usageText(x.Message.Usage))
		for _, p := range x.Message.Blocks {
			fmt.Fprintf(w, "    %s %s%q\n", p.Kind, p.Name, p.Text)
		}
	case x.Call != nil:
		fmt.Fprintf(w, "  call %s %s, done %v, error %v: %q %s\n",
			x.Call.Name, x.Call.Args, x.Call.Done, x.Call.IsError, x.Call.Content, x.Call.Details)
	case x.Steer != nil:
		fmt.Fprintf(w, "  steer %d %q\n", x.Steer.Cursor, x.Steer.Text)
	case x.Retry != nil:
		fmt.Fprintf(w, "  retry %d of %d after %d ms: %q\n",
			x.Retry.Attempt, x.Retry.Max, x.Retry.WaitMS, x.Retry.Reason)
	case x.Notice != nil:
		fmt.Fprintf(w, "  compaction from %d: %q\n", x.Notice.FirstKept, x.Notice.Summary)
	}
}

func usageText(u classroom.Usage) string {
	return fmt.Sprintf("tokens %d/%d/%d/%d/%d", u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Reasoning)
}
