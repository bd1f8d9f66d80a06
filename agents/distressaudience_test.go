package agents_test

import (
	"encoding/json"
	"strings"
	"testing"

	"colloquy/agents/llm/llmtest"
	"colloquy/classroom"
)

// What a person in distress wrote is for the staff: as a question, as a steer and while it
// waits. The class reads that there is a message, and the answer with the adult.
func TestDistressIsForTheStaff(t *testing.T) {
	bubble(t, llmtest.New(), []string{"ada"}, func(c *runtimeRig) {
		c.log.mu.Lock()
		c.log.class.Rules.Adult, c.log.class.Rules.HelpLine = "Ms Osei", "116 111"
		c.log.mu.Unlock()
		c.send(cry, "")
		log := c.settle()
		for _, audience := range []classroom.Audience{classroom.ForClass, classroom.ForPupils} {
			seen, err := json.Marshal(audience.FilterAll(log))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(seen), secret) || strings.Contains(string(seen), classroom.DistressSelfHarm) {
				t.Errorf("%s reads %s", audience, seen)
			}
			card := classroom.Of(audience.FilterAll(log)).Card(1)
			if card.Question.Text != "" || card.Safety == nil || !strings.Contains(card.Safety.Text(), "Ms Osei") ||
				!strings.Contains(card.Safety.Text(), "116 111") {
				t.Errorf("the card of %s is %+v, %+v", audience, card.Question, card.Safety)
			}
		}
		if card := classroom.Of(classroom.ForStaff.FilterAll(log)).Card(1); card.Question.Text != cry {
			t.Errorf("the staff reads %q", card.Question.Text)
		}
	})
}

// A log of an earlier version marks nothing: its card still shows the class no text.
func TestOldDistressIsForTheStaff(t *testing.T) {
	var log []classroom.Event
	for i, p := range []classroom.Payload{
		classroom.SessionStart{}, classroom.UserMessage{Text: cry, Delivery: classroom.Prompt},
		classroom.RunStart{Prompt: 2}, classroom.Safety{Prompt: 2, Kind: classroom.DistressSelfHarm, Lang: "en"},
	} {
		e, err := classroom.Draft{Exchange: min(i, 1), Payload: p}.Encode(classroom.Cursor(i+1), 1)
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, e)
	}
	if card := classroom.Of(classroom.ForClass.FilterAll(log)).Card(1); card.Question.Text != "" {
		t.Errorf("the class reads %q", card.Question.Text)
	}
	if card := classroom.Of(log).Card(1); card.Question.Text != cry {
		t.Errorf("the staff reads %q", card.Question.Text)
	}
}

// A waiting message of distress keeps its text from the class, and survives the edit of
// somebody who may not read it.
func TestWaitingDistressIsForTheStaff(t *testing.T) {
	queue := classroom.QueueUpdate{
		Steer:    []classroom.Queued{{Cursor: 3, Text: cry, StaffOnly: classroom.RedactedSafety}},
		FollowUp: []classroom.Queued{{Cursor: 4, Text: "And why?"}},
	}
	e, err := classroom.Draft{Payload: queue}.Encode(5, 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := string(classroom.ForClass.Filter(e).Data)
	if strings.Contains(seen, secret) || !strings.Contains(seen, "And why?") || !strings.Contains(seen, `"cursor":3`) {
		t.Errorf("the class reads %s", seen)
	}
}
