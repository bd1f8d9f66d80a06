package classroom

import "encoding/json"

// A Type names what an event says. The names are those of docs/events.md.
type Type string

// Every type the server can append. A run ends with RunEnd and with nothing else.
const (
	TypeSessionStart        Type = "session_start"
	TypeUserMessage         Type = "user_message"
	TypeQueueUpdate         Type = "queue_update"
	TypeRunStart            Type = "run_start"
	TypeRunResume           Type = "run_resume"
	TypeRunInterrupt        Type = "run_interrupt"
	TypeRunEnd              Type = "run_end"
	TypeAgentStart          Type = "agent_start"
	TypeAgentEnd            Type = "agent_end"
	TypeTurnStart           Type = "turn_start"
	TypeTurnEnd             Type = "turn_end"
	TypeMessageStart        Type = "message_start"
	TypeMessageUpdate       Type = "message_update"
	TypeMessageEnd          Type = "message_end"
	TypeToolExecutionStart  Type = "tool_execution_start"
	TypeToolExecutionUpdate Type = "tool_execution_update"
	TypeToolExecutionEnd    Type = "tool_execution_end"
	TypeCueUser             Type = "cue_user"
	TypeRetry               Type = "retry"
	TypeCompaction          Type = "compaction"
	TypeSafety              Type = "safety"
	TypeHint                Type = "hint"
	TypeLift                Type = "lift"
	TypeWithheld            Type = "withheld"
	TypeCheckpoint          Type = "checkpoint"
	TypeStageLink           Type = "stage_link"
	TypeLibraryChanged      Type = "library_changed"
	TypeMediaReady          Type = "media_ready"
	TypeWhiteboard          Type = "whiteboard"
	TypeTitleChange         Type = "title_change"
)

// A kind is an event type: its payload names it and decodes it.
type kind struct {
	payload Payload // the zero value
	decode  func(json.RawMessage) (Payload, error)
}

func kindOf[P Payload]() kind {
	var p P
	return kind{p, decode[P]}
}

// kinds holds every payload, by its type.
var kinds = byType(
	kindOf[SessionStart](),
	kindOf[UserMessage](),
	kindOf[QueueUpdate](),
	kindOf[RunStart](),
	kindOf[RunResume](),
	kindOf[RunInterrupt](),
	kindOf[RunEnd](),
	kindOf[AgentStart](),
	kindOf[AgentEnd](),
	kindOf[TurnStart](),
	kindOf[TurnEnd](),
	kindOf[MessageStart](),
	kindOf[MessageUpdate](),
	kindOf[MessageEnd](),
	kindOf[ToolExecutionStart](),
	kindOf[ToolExecutionUpdate](),
	kindOf[ToolExecutionEnd](),
	kindOf[CueUser](),
	kindOf[Retry](),
	kindOf[Compaction](),
	kindOf[Safety](),
	kindOf[Hint](),
	kindOf[Lift](),
	kindOf[Withheld](),
	kindOf[Checkpoint](),
	kindOf[StageLink](),
	kindOf[LibraryChanged](),
	kindOf[MediaReady](),
	kindOf[Whiteboard](),
	kindOf[TitleChange](),
)

func byType(all ...kind) map[Type]kind {
	out := make(map[Type]kind, len(all))
	for _, k := range all {
		out[k.payload.EventType()] = k
	}
	return out
}

// Types lists every type the server can append, in no particular order.
func Types() []Type {
	out := make([]Type, 0, len(kinds))
	for t := range kinds {
		out = append(out, t)
	}
	return out
}

// A StopReason says why a message, a turn or a window stopped.
type StopReason string

// The stop reasons of docs/events.md.
const (
	StopEnd     StopReason = "stop"
	StopLength  StopReason = "length"
	StopToolUse StopReason = "tool_use"
	StopError   StopReason = "error"
	StopAborted StopReason = "aborted"
)

// A Delivery says how a message enters its session.
type Delivery string

// A prompt opens an exchange, a steer enters the running one, a follow-up waits.
const (
	Prompt   Delivery = "prompt"
	Steer    Delivery = "steer"
	FollowUp Delivery = "follow_up"
)

// The statuses of a run_end.
const (
	Completed = "completed"
	Failed    = "failed"
	Cancelled = "cancelled"
)

// The kinds of a message's block.
const (
	BlockText     = "text"
	BlockThinking = "thinking"
	BlockToolCall = "tool_call"
	DeltaToolArgs = "tool_args" // the kind of a message_update that grows a tool call's arguments
)
