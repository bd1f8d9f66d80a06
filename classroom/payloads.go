package classroom

import "encoding/json"

// Usage counts tokens.
type Usage struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheRead  int `json:"cache_read"`
	CacheWrite int `json:"cache_write"`
	Reasoning  int `json:"reasoning"`
}

// Plus returns the sum of u and v.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output,
		CacheRead: u.CacheRead + v.CacheRead, CacheWrite: u.CacheWrite + v.CacheWrite, Reasoning: u.Reasoning +
			v.Reasoning,
	}
}

// Params are the values that the sentence of a code needs, by name.
type Params map[string]string

// The payloads, field by field as in docs/events.md. Fields that [Slim] drops say so.
type (
	SessionStart struct {
		ClassID string  `json:"class_id"`
		Title   string  `json:"title"`
		Mode    string  `json:"mode"`
		Roster  []Agent `json:"roster"`
		Rounds  int     `json:"rounds,omitempty"` // asked for; 0 leaves it to the mode
	}

	Author struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}

	Attachment struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		MediaType string `json:"media_type"`
		Bytes     int    `json:"bytes"`
	}

	UserMessage struct {
		Text        string       `json:"text"`
		Author      Author       `json:"author"`
		Delivery    Delivery     `json:"delivery"`
		ClientID    string       `json:"client_id,omitempty"`
		Option      string       `json:"option,omitempty"`     // of the cue that the message answers
		Speakers    string       `json:"speakers,omitempty"`   // who answers, over the rules of the class
		StaffOnly   string       `json:"staff_only,omitempty"` // why only the staff may read it: a Redacted constant
		Attachments []Attachment `json:"attachments,omitempty"`
	}

	Limits struct {
		Windows   int `json:"windows"`
		Turns     int `json:"turns"` // in one window
		ToolCalls int `json:"tool_calls"`
		Tokens    int `json:"tokens"` // 0 means no cap
		Seconds   int `json:"seconds"`
	}

	RunStart struct {
		Prompt Cursor   `json:"prompt"`
		Model  string   `json:"model"`
		Roster []string `json:"roster"`
		Limits Limits   `json:"limits"`
	}

	RunResume struct {
		Reason string `json:"reason"` // restart, user or retry
	}

	RunInterrupt struct {
		Reason string `json:"reason"` // shutdown, crash or lease_lost
	}

	RunEnd struct {
		Status  string `json:"status"`
		Code    string `json:"code,omitempty"`
		Params  Params `json:"params,omitempty"`  // what the sentence of Code needs
		Message string `json:"message,omitempty"` // only in logs of earlier versions
		Detail  string `json:"detail,omitempty"`  // for operators; holds no key
		Usage   Usage  `json:"usage"`
		Cost    *int64 `json:"cost,omitempty"` // millionths of the currency unit
	}

	AgentStart struct {
		Name      string `json:"name"`
		Role      Role   `json:"role"`
		StageRole string `json:"part,omitempty"`  // in the session's mode: a Stage constant; "" is the role's own
		Round     int    `json:"round,omitempty"` // of the discussion or the debate; the part of a lecture
		By        string `json:"by,omitempty"`    // who gave the floor: a By constant
		Model     string `json:"model,omitempty"` // of the agent, as "provider:name"
	}

	AgentEnd struct {
		StopReason StopReason   `json:"stop_reason"`
		Turns      int          `json:"turns"`
		ToolCalls  int          `json:"tool_calls"`
		Usage      Usage        `json:"usage"`
		Messages   []MessageEnd `json:"messages,omitempty"` // dropped by Slim
	}

	TurnStart struct {
		Turn int `json:"turn"`
	}

	TurnEnd struct {
		Turn        int                `json:"turn"`
		StopReason  StopReason         `json:"stop_reason"`
		ToolResults []string           `json:"tool_results"` // call ids, in source order
		Usage       Usage              `json:"usage"`
		Message     *MessageEnd        `json:"message,omitempty"` // dropped by Slim
		Results     []ToolExecutionEnd `json:"results,omitempty"` // dropped by Slim
	}

	MessageStart struct {
		MessageID string `json:"message_id"`
	}

	MessageUpdate struct {
		MessageID string `json:"message_id"`
		Block     int    `json:"block"`
		Kind      string `json:"kind"`
		Delta     string `json:"delta"`
		CallID    string `json:"call_id,omitempty"` // with the first tool_args delta of a block
		Name      string `json:"name,omitempty"`    // with the first tool_args delta of a block
	}

	// A Block is a part of a message: text, thinking or a tool call.
	Block struct {
		Kind   string          `json:"kind"`
		Text   string          `json:"text,omitempty"`
		CallID string          `json:"call_id,omitempty"`
		Name   string          `json:"name,omitempty"`
		Args   json.RawMessage `json:"args,omitempty"` // a JSON object, or a JSON string where the model wrote none
		// state of the provider, sent back to it unchanged; see [WithoutOpaque]
		Opaque string `json:"sealed,omitempty"`
	}

	MessageEnd struct {
		MessageID  string     `json:"message_id"`
		Blocks     []Block    `json:"blocks"`
		StopReason StopReason `json:"stop_reason"`
		Usage      Usage      `json:"usage"`
		Citations  []Citation `json:"citations,omitempty"`
	}

	ToolExecutionStart struct {
		CallID string          `json:"call_id"`
		Name   string          `json:"name"`
		View   string          `json:"view,omitempty"` // how a card shows the call; empty means as it is
		Args   json.RawMessage `json:"args"`
	}

	ToolExecutionUpdate struct {
		CallID   string          `json:"call_id"`
		Progress string          `json:"progress"`
		Args     json.RawMessage `json:"args,omitempty"` // dropped by Slim
	}

	Content struct {
		Kind string `json:"kind"` // text
		Text string `json:"text"`
	}

	ToolExecutionEnd struct {
		CallID     string          `json:"call_id"`
		Name       string          `json:"name"`
		IsError    bool            `json:"is_error"`
		Content    []Content       `json:"content"`
		Details    json.RawMessage `json:"details,omitempty"`
		DurationMS int64           `json:"duration_ms"`
		StaffOnly  string          `json:"staff_only,omitempty"` // why only the staff may read it: a Redacted constant
	}

	Option struct {
		ID    string `json:"id"`
		Label string `json:"label,omitempty"` // empty where ID says it: see templates/locale
	}

	CueUser struct {
		Question string   `json:"question,omitempty"` // what an agent asks; empty where Code says it
		Code     string   `json:"code,omitempty"`
		Params   Params   `json:"params,omitempty"`
		Options  []Option `json:"options,omitempty"`
		Multi    bool     `json:"multi,omitempty"`
	}

	Retry struct {
		MessageID string `json:"message_id,omitempty"` // the message that is superseded
		Attempt   int    `json:"attempt"`
		Max       int    `json:"max"`
		WaitMS    int64  `json:"wait_ms"`
		Reason    string `json:"reason"` // a code; in logs of earlier versions a sentence
		Params    Params `json:"params,omitempty"`
	}

	Compaction struct {
		Summary      string `json:"summary"`
		FirstKept    Cursor `json:"first_kept"`
		TokensBefore int    `json:"tokens_before"`
		TokensAfter  int    `json:"tokens_after"`
	}

	// Safety says that a message of distress ended the exchange. No agent sees it.
	Safety struct {
		Prompt Cursor `json:"prompt"` // of the user_message
		Kind   string `json:"kind"`   // a Distress constant
		Lang   string `json:"lang"`   // of the pattern that matched
		Action string `json:"action"` // what was done: ActionAdult
		// Of the class's rules: the adult and the help line that the person was told of.
		Adult    string `json:"adult,omitempty"`
		HelpLine string `json:"help_line,omitempty"`
	}

	Checkpoint struct {
		Tool     string `json:"tool"`
		LessonID string `json:"lesson_id"`
		SceneID  string `json:"scene_id,omitempty"`
		Order    int    `json:"order,omitempty"`
		Title    string `json:"title,omitempty"`
	}

	StageLink struct {
		LessonID string `json:"lesson_id"`
		Title    string `json:"title"`
	}

	LibraryChanged struct {
		Library  string `json:"library"`
		Change   string `json:"change"`
		LessonID string `json:"lesson_id,omitempty"`
		Title    string `json:"title,omitempty"`
	}

	MediaReady struct {
		Ref       string `json:"ref"`
		LessonID  string `json:"lesson_id"`
		Status    string `json:"status"`
		Src       string `json:"src,omitempty"`
		ErrorCode string `json:"error_code,omitempty"`
	}

	Whiteboard struct {
		Action string          `json:"action"`
		Params json.RawMessage `json:"params,omitempty"`
	}

	TitleChange struct {
		Title string `json:"title"`
		By    string `json:"by"`
	}
)

func (SessionStart) EventType() Type        { return TypeSessionStart }
func (UserMessage) EventType() Type         { return TypeUserMessage }
func (QueueUpdate) EventType() Type         { return TypeQueueUpdate }
func (RunStart) EventType() Type            { return TypeRunStart }
func (RunResume) EventType() Type           { return TypeRunResume }
func (RunInterrupt) EventType() Type        { return TypeRunInterrupt }
func (RunEnd) EventType() Type              { return TypeRunEnd }
func (AgentStart) EventType() Type          { return TypeAgentStart }
func (AgentEnd) EventType() Type            { return TypeAgentEnd }
func (TurnStart) EventType() Type           { return TypeTurnStart }
func (TurnEnd) EventType() Type             { return TypeTurnEnd }
func (MessageStart) EventType() Type        { return TypeMessageStart }
func (MessageUpdate) EventType() Type       { return TypeMessageUpdate }
func (MessageEnd) EventType() Type          { return TypeMessageEnd }
func (ToolExecutionStart) EventType() Type  { return TypeToolExecutionStart }
func (ToolExecutionUpdate) EventType() Type { return TypeToolExecutionUpdate }
func (ToolExecutionEnd) EventType() Type    { return TypeToolExecutionEnd }
func (CueUser) EventType() Type             { return TypeCueUser }
func (Retry) EventType() Type               { return TypeRetry }
func (Compaction) EventType() Type          { return TypeCompaction }
func (Safety) EventType() Type              { return TypeSafety }
func (Checkpoint) EventType() Type          { return TypeCheckpoint }
func (StageLink) EventType() Type           { return TypeStageLink }
func (LibraryChanged) EventType() Type      { return TypeLibraryChanged }
func (MediaReady) EventType() Type          { return TypeMediaReady }
func (Whiteboard) EventType() Type          { return TypeWhiteboard }
func (TitleChange) EventType() Type         { return TypeTitleChange }
