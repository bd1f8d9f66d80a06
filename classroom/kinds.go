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
	TypeCheckpoint          Type = "checkpoint"
	TypeStageLink           Type = "stage_link"
	TypeLibraryChanged      Type = "library_changed"
	TypeMediaReady          Type = "media_ready"
	TypeWhiteboard          Type = "whiteboard"
	TypeTitleChange         Type = "title_change"
)

var decoders = map[Type]func(json.RawMessage) (Payload, error){
	TypeSessionStart:        decode[SessionStart],
	TypeUserMessage:         decode[UserMessage],
	TypeQueueUpdate:         decode[QueueUpdate],
	TypeRunStart:            decode[RunStart],
	TypeRunResume:           decode[RunResume],
	TypeRunInterrupt:        decode[RunInterrupt],
	TypeRunEnd:              decode[RunEnd],
	TypeAgentStart:          decode[AgentStart],
	TypeAgentEnd:            decode[AgentEnd],
	TypeTurnStart:           decode[TurnStart],
	TypeTurnEnd:             decode[TurnEnd],
	TypeMessageStart:        decode[MessageStart],
	TypeMessageUpdate:       decode[MessageUpdate],
	TypeMessageEnd:          decode[MessageEnd],
	TypeToolExecutionStart:  decode[ToolExecutionStart],
	TypeToolExecutionUpdate: decode[ToolExecutionUpdate],
	TypeToolExecutionEnd:    decode[ToolExecutionEnd],
	TypeCueUser:             decode[CueUser],
	TypeRetry:               decode[Retry],
	TypeCompaction:          decode[Compaction],
	TypeCheckpoint:          decode[Checkpoint],
	TypeStageLink:           decode[StageLink],
	TypeLibraryChanged:      decode[LibraryChanged],
	TypeMediaReady:          decode[MediaReady],
	TypeWhiteboard:          decode[Whiteboard],
	TypeTitleChange:         decode[TitleChange],
}

// Types lists every type the server can append, in no particular order.
func Types() []Type {
	out := make([]Type, 0, len(decoders))
	for t := range decoders {
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
