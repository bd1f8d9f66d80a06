package storetest

import (
	"encoding/json"
	"slices"

	"colloquy/classroom"
)

// odd has characters that need escaping.
const odd = "a\x00b\r\n\u2028'\";--\\ \U0001F331 ß"

var usage = classroom.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Reasoning: 5}

// payloads returns a payload of every type with every field set.
func payloads() []classroom.Payload {
	return slices.Concat(runPayloads(), messagePayloads(), lessonPayloads())
}

func runPayloads() []classroom.Payload {
	cost := int64(42)
	return []classroom.Payload{
		classroom.SessionStart{
			ClassID: "c",
			Title:   odd,
			Mode:    classroom.ModeQA,
			Roster:  []classroom.Agent{{ID: "ada", Name: "Ada", Role: classroom.Teacher}},
		},
		classroom.UserMessage{
			Text:     odd,
			Author:   classroom.Author{ID: "p", Name: odd},
			Delivery: classroom.Prompt,
			ClientID: "fidelity",
		},
		classroom.QueueUpdate{
			Steer:     []classroom.Queued{{Cursor: 2, Text: odd}},
			FollowUp:  []classroom.Queued{},
			Delivered: []classroom.Cursor{1},
		},
		classroom.RunStart{Prompt: 2, Model: "tutor", Roster: []string{"ada"}, Limits: classroom.Limits{Windows: 12}},
		classroom.RunResume{Reason: "restart"},
		classroom.RunInterrupt{Reason: "crash"},
		classroom.RunEnd{
			Status:  classroom.Failed,
			Code:    "turn_cap",
			Message: odd,
			Detail:  odd,
			Usage:   usage,
			Cost:    &cost,
		},
		classroom.AgentStart{Name: "Ada", Role: classroom.Teacher},
		classroom.AgentEnd{
			StopReason: classroom.StopEnd,
			Turns:      2,
			ToolCalls:  1,
			Usage:      usage,
			Messages:   []classroom.MessageEnd{{MessageID: "m"}},
		},
	}
}

func messagePayloads() []classroom.Payload {
	args := json.RawMessage(`{"query":"leaves"}`)
	text := []classroom.Content{{Kind: classroom.BlockText, Text: odd}}
	return []classroom.Payload{
		classroom.TurnStart{Turn: 1},
		classroom.TurnEnd{
			Turn:       1,
			StopReason: classroom.StopEnd,
			Usage:      usage,
			Message:    &classroom.MessageEnd{MessageID: "m"},
		},
		classroom.MessageStart{MessageID: "m"},
		classroom.MessageUpdate{MessageID: "m", Block: 1, Kind: classroom.BlockText, Delta: odd},
		classroom.MessageEnd{
			MessageID:  "m",
			Blocks:     []classroom.Block{{Kind: classroom.BlockText, Text: odd}},
			StopReason: classroom.StopEnd,
			Usage:      usage,
		},
		classroom.ToolExecutionStart{CallID: "k", Name: "search_materials", Args: args},
		classroom.ToolExecutionUpdate{CallID: "k", Progress: odd, Args: args},
		classroom.ToolExecutionEnd{CallID: "k", Name: "search_materials", Content: text, Details: args, DurationMS: 7},
		classroom.CueUser{Question: odd, Options: []classroom.Option{{ID: "a", Label: odd}}, Multi: true},
		classroom.Retry{MessageID: "m", Attempt: 1, Max: 3, WaitMS: 2000, Reason: odd},
		classroom.Compaction{Summary: odd, FirstKept: 9, TokensBefore: 100, TokensAfter: 10},
		classroom.Safety{Prompt: 2, Kind: classroom.DistressDanger, Lang: "de", Action: classroom.ActionAdult},
	}
}

// lessonPayloads are the payloads of events that belong to no run.
func lessonPayloads() []classroom.Payload {
	args := json.RawMessage(`{"query":"leaves"}`)
	return []classroom.Payload{
		classroom.Checkpoint{Tool: "lesson", LessonID: "l", SceneID: "s", Order: 1, Title: odd},
		classroom.StageLink{LessonID: "l", Title: odd},
		classroom.LibraryChanged{Library: "lessons", Change: "added", LessonID: "l", Title: odd},
		classroom.MediaReady{Ref: "r", LessonID: "l", Status: "ready", Src: "/m/1"},
		classroom.Whiteboard{Action: "line", Params: args},
		classroom.TitleChange{Title: odd, By: "p"},
	}
}
