package classroom

import (
	"strings"
	"testing"
)

// exchangeOfDistress is a question that ended in distress and one after it; a
// steer of the second ended that one.
func exchangeOfDistress(t *testing.T) []Event {
	end := RunEnd{Status: Completed, Code: CodeSafety, Params: Params{"lang": "de"}}
	said := MessageEnd{MessageID: "m", Blocks: []Block{{Kind: BlockText, Text: "Because"}}, StopReason: StopLength}
	return slimLog(t, []Draft{
		{Payload: SessionStart{ClassID: "bio", Roster: []Agent{{ID: "ada", Name: "Ada", Role: Teacher}}}},
		{Exchange: 1, Payload: UserMessage{Text: "first secret", Delivery: Prompt}},
		{Exchange: 1, Attempt: 1, Payload: RunStart{Prompt: 2}},
		{Exchange: 1, Attempt: 1, Payload: Safety{Prompt: 2, Kind: DistressSelfHarm, Lang: "de", Action: ActionAdult}},
		{Exchange: 1, Attempt: 1, Payload: end},
		{Exchange: 2, Payload: UserMessage{Text: "Why green?", Delivery: Prompt}},
		{Exchange: 2, Attempt: 1, Payload: RunStart{Prompt: 6}},
		{Exchange: 2, Attempt: 1, Agent: "ada", Payload: AgentStart{Name: "Ada", Role: Teacher}},
		{Exchange: 2, Payload: UserMessage{Text: "second secret", Delivery: Steer}},
		{Payload: QueueUpdate{Steer: []Queued{{Cursor: 9, Text: "second secret"}}}},
		{Exchange: 2, Attempt: 1, Agent: "ada", Payload: said},
		{Exchange: 2, Attempt: 1, Agent: "ada", Payload: AgentEnd{StopReason: StopLength}},
		{Exchange: 2, Attempt: 1, Payload: QueueUpdate{Reason: CodeSafety}},
		{Exchange: 2, Attempt: 1, Payload: Safety{Prompt: 9, Kind: DistressAbuse, Lang: "de", Action: ActionAdult}},
		{Exchange: 2, Attempt: 1, Payload: end},
	})
}

func TestDistressStandsOnItsCardAndInNoTranscript(t *testing.T) {
	f := Of(exchangeOfDistress(t))
	if c := f.Card(1); c.Safety == nil || c.Safety.Steer != nil || c.State != CardCompleted {
		t.Errorf("card 1: %+v", c)
	}
	c := f.Card(2)
	if c.Safety == nil || c.Safety.Steer == nil || c.Safety.Steer.Text != "second secret" || c.CutShort() {
		t.Errorf("card 2: %+v, cut short %v", c.Safety, c.CutShort())
	}
	lines := dump(struct{ Lines []Line }{f.Transcript("ada")})
	others := strings.Contains(lines, "Why green?") && strings.Contains(lines, "Because")
	if strings.Contains(lines, "secret") || !others {
		t.Errorf("the transcript holds\n%s", lines)
	}
}

// The log keeps a code: templates/locale has the sentence.
func TestSafetyText(t *testing.T) {
	log := exchangeOfDistress(t)
	if end := log[len(log)-1]; strings.Contains(string(end.Data), `"message"`) {
		t.Errorf("the log keeps the sentence: %s", end.Data)
	}
	if (Safety{Lang: "tlh"}).Text() != (Safety{Lang: "en"}).Text() {
		t.Error("a language without a text of its own has no text")
	}
	for lang, text := range safetyTexts {
		if len(text) < 200 {
			t.Errorf("%s says only %q", lang, text)
		}
	}
}
