package templates

import (
	"testing"
	"time"

	"colloquy/classroom"
)

// sharedBench is an empty session whose owner has just made a link.
func sharedBench(t *testing.T, p Prefs) Workbench {
	b := bench(t, newScript(t).fold(), p)
	b.Share.New = "http://192.168.1.20:8080/link?token=abcdef"
	return b
}

func sampleShare() *Share {
	until := classroom.StampOf(began.Add(90 * time.Minute))
	return &Share{Session: "s1", Links: []classroom.GuestLink{
		{ID: "l1", Kind: classroom.SessionObject, Object: "s1", Right: classroom.Take, Expires: until},
		{ID: "l2", Kind: classroom.SessionObject, Object: "s1", Right: classroom.Read, Expires: until},
	}}
}

// guestBench is the page of a session as a guest is shown it.
func guestBench(t *testing.T, p Prefs, readOnly bool) Workbench {
	b := bench(t, lesson(t).fold(), p)
	b.Page.Person = classroom.Person{ID: "g1", Name: "Tom", Role: classroom.GuestRole}
	b.Page.Lists, b.Teaches, b.Share, b.Nav, b.ReadOnly = false, false, nil, Nav{}, readOnly
	b.Audience = classroom.ForPupils
	return b
}

func sampleReview(p Prefs) Review {
	event := func(id classroom.Cursor, p classroom.Payload) classroom.Event {
		e, err := classroom.Draft{Exchange: 2, Attempt: 1, Payload: p}.Encode(id, classroom.StampOf(began))
		if err != nil {
			panic(err)
		}
		return e
	}
	return Review{
		Page: samplePage("Review of Biology 9b", p), Nav: sampleNav("c1", ""), Class: sampleClass(),
		Notes: []classroom.ReviewNote{
			{Session: "s1", Title: "Plants and light", Event: event(9, classroom.Safety{Lang: "en"})},
			{Session: "s2", Event: event(7, classroom.RunEnd{
				Status: classroom.Failed, Code: "overloaded", Params: classroom.Params{"model": "Qwen 3 8B"},
				Detail: "http://127.0.0.1:11434/v1/chat/completions: 503",
			})},
		},
	}
}
