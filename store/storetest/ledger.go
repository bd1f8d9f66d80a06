package storetest

import (
	"testing"

	"colloquy/classroom"
)

// Each question of a class stands in its ledger with what became of it, newest first.
func testLedger(t *testing.T, s Store) {
	session := mustSession(t, s, newSession(t, s))
	cited := classroom.MessageEnd{MessageID: "m", Citations: []classroom.Citation{{N: 1, Status: classroom.Quoted}}}
	unfounded := classroom.MessageEnd{
		MessageID: "m", Citations: []classroom.Citation{{N: 1, Status: classroom.NotFromMaterials}},
	}
	end := func(status, code string) classroom.Payload { return classroom.RunEnd{Status: status, Code: code} }
	var want []string
	at := session.Head
	for i, c := range []struct {
		fate   string
		events []classroom.Payload
	}{
		{classroom.FateAnswered, []classroom.Payload{cited, end(classroom.Completed, "")}},
		{classroom.FateUnsourced, []classroom.Payload{unfounded, end(classroom.Completed, "")}},
		{classroom.FateHint, []classroom.Payload{classroom.Hint{Rung: 1, Of: 5}, end(classroom.Completed, "")}},
		{classroom.FateSafety, []classroom.Payload{end(classroom.Completed, classroom.CodeSafety)}},
		{classroom.FateStopped, []classroom.Payload{end(classroom.Failed, "x"), end(classroom.Cancelled, "")}},
		{classroom.FateFailed, []classroom.Payload{end(classroom.Failed, "x")}},
		{classroom.FateOpen, nil},
	} {
		question := classroom.UserMessage{Text: c.fate, Author: classroom.Author{ID: "p", Name: "Kim"}}
		drafts := []classroom.Draft{
			{Exchange: i + 1, Payload: question},
			{Exchange: i + 1, Attempt: 1, Payload: classroom.RunStart{Prompt: at + 1}},
		}
		for _, p := range c.events {
			drafts = append(drafts, classroom.Draft{Exchange: i + 1, Attempt: 1, Agent: "ada", Payload: p})
		}
		mustAppend(t, s, session.ID, 0, drafts...)
		at += classroom.Cursor(len(drafts))
		want = append([]string{c.fate}, want...)
	}
	for _, limit := range []int{10, 3} {
		got, err := s.Ledger(t.Context(), session.ClassID, limit)
		if err != nil || len(got) != min(limit, len(want)) {
			t.Fatalf("%d entries, %v, want %d", len(got), err, min(limit, len(want)))
		}
		for i, l := range got {
			if l.Fate != want[i] || l.Text != want[i] || l.Author != "Kim" || l.Session != session.ID ||
				l.Exchange != len(want)-i || l.Time == 0 {
				t.Errorf("entry %d is %+v, want %s", i, l, want[i])
			}
		}
	}
	if got, err := s.Ledger(t.Context(), "missing", 10); err != nil || len(got) != 0 {
		t.Errorf("of a missing class: %v, %v", got, err)
	}
}
