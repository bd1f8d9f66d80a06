package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/store"
)

// seedLong gives a session a thousand finished exchanges, ten of them with a
// tool result of a megabyte. The server must be down.
func seedLong(t *testing.T, dir, session string) {
	t.Helper()
	ctx := context.Background()
	st, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	big := strings.Repeat("a megabyte of a result, line by line\n", 28000)
	var drafts []classroom.Draft
	for x := 1; x <= 1000; x++ {
		result := "Nothing."
		if x%100 == 0 {
			result = big
		}
		in := func(p classroom.Payload) classroom.Draft {
			return classroom.Draft{Exchange: x, Attempt: 1, Agent: "ada", Payload: p}
		}
		args := json.RawMessage(`{"query":"x"}`)
		drafts = append(drafts,
			classroom.Draft{Exchange: x, Payload: classroom.UserMessage{Text: "Question", Delivery: classroom.Prompt}},
			classroom.Draft{Exchange: x, Attempt: 1, Payload: classroom.RunStart{}},
			in(classroom.AgentStart{Name: "Ms Ada", Role: classroom.Teacher}),
			in(classroom.TurnStart{Turn: 1}),
			in(classroom.MessageStart{MessageID: "m"}),
			in(classroom.MessageEnd{
				MessageID: "m",
				Blocks: []classroom.Block{
					{Kind: classroom.BlockToolCall, CallID: "c", Name: "search_materials", Args: args},
				},
				StopReason: classroom.StopToolUse,
			}),
			in(classroom.ToolExecutionStart{CallID: "c", Name: "search_materials", Args: args}),
			in(classroom.ToolExecutionEnd{
				CallID:  "c",
				Name:    "search_materials",
				Content: []classroom.Content{{Kind: "text", Text: result}},
			}),
			in(classroom.TurnEnd{Turn: 1, StopReason: classroom.StopToolUse}),
			in(classroom.TurnStart{Turn: 2}),
			in(classroom.MessageStart{MessageID: "n"}),
			in(classroom.MessageEnd{
				MessageID:  "n",
				Blocks:     []classroom.Block{{Kind: classroom.BlockText, Text: "The answer, **bold** and plain."}},
				StopReason: classroom.StopEnd,
			}),
			in(classroom.TurnEnd{Turn: 2, StopReason: classroom.StopEnd}),
			in(classroom.AgentEnd{StopReason: classroom.StopEnd, Turns: 2}),
			classroom.Draft{Exchange: x, Attempt: 1, Payload: classroom.RunEnd{Status: classroom.Completed}},
		)
		if x%100 != 0 {
			continue
		}
		if _, err := st.Append(ctx, session, 0, drafts...); err != nil {
			t.Fatal(err)
		}
		drafts = nil
	}
}
