package floor

import (
	"testing"

	"colloquy/classroom"
)

var cast = []classroom.Agent{
	{ID: "ada", Name: "Ms Ada Lindqvist", Role: classroom.Teacher},
	{ID: "ben", Name: "Ben", Role: classroom.Assistant},
	{ID: "li", Name: "李老师", Role: classroom.Student},
	{ID: "ana-2", Name: "Ana María", Role: classroom.Student},
	{ID: "ana", Name: "Ana Sol", Role: classroom.Student},
}

// TestReadReply: a director's reply is read in every form in which models give it.
func TestReadReply(t *testing.T) {
	for reply, want := range map[string]string{
		"ada":                                   "ada",
		" Ada \n":                               "ada",
		"**Ada**":                               "ada",
		"`ben`":                                 "ben",
		"\"Ben\".":                              "ben",
		"Assistant: Ben":                        "ben",
		"Next: Ms Ada Lindqvist":                "ada",
		"The next speaker is Ben, then Ada.":    "ben",
		`{"next_agent": "ben"}`:                 "ben",
		"```json\n{\"next\": \"li\"}\n```":      "li",
		"李老师":                                   "li",
		"下一位是李老师。":                              "li",
		"Ana María":                             "ana-2",
		"ana maría!":                            "ana-2",
		"ana-2":                                 "ana-2",
		"Ana Sol":                               "ana",
		"USER":                                  ReplyUser,
		"user":                                  ReplyUser,
		"**END**":                               ReplyEnd,
		"end.":                                  ReplyEnd,
		"I think we should END here":            ReplyEnd,
		"In the end nobody has anything to say": "",
		"Zoe":                                   "",
		"":                                      "",
		"Adamant":                               "",
		"{":                                     "",
		"<think>Ada was first</think> ben":      "ada", // the first name counts, also in thinking
		`{"next_agent": "nobody", "reason":"ben"}`: "",
	} {
		if got := ReadReply(reply, cast, true); got != want {
			t.Errorf("%q is read as %q, want %q", reply, got, want)
		}
	}
	named := append([]classroom.Agent{
		{ID: "user-2", Name: "User"}, {ID: "end-2", Name: "End"},
		{ID: "will", Name: "Will"}, {ID: "grace", Name: "Grace"},
	}, cast...)
	for reply, want := range map[string]string{
		"USER": ReplyUser, "end": ReplyEnd, "I will choose Grace next, as she waits.": "grace",
	} {
		if got := ReadReply(reply, named, true); got != want {
			t.Errorf("%q is read as %q, want %q", reply, got, want)
		}
	}
	for _, reply := range []string{"USER", "END", "end"} {
		if got := ReadReply(reply, cast, false); got != "" {
			t.Errorf("%q is read as %q where it is not offered", reply, got)
		}
	}
}

// FuzzReadReply: whatever the reply, what is read is offered.
func FuzzReadReply(f *testing.F) {
	for _, seed := range []string{"ada", "**Ben**", `{"next":"li"}`, "END", "Ms", "\xff", "ana ana-2"} {
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, reply string, ending bool) {
		got := ReadReply(reply, cast, ending)
		switch {
		case got == "" || contains(cast, got):
		case ending && (got == ReplyUser || got == ReplyEnd):
		default:
			t.Errorf("%q is read as %q", reply, got)
		}
	})
}
