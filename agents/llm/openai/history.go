package openai

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"colloquy/agents/llm"
	"colloquy/agents/llm/wire"
)

// skipSignature replaces the signature of a call that Gemini did not make.
const skipSignature = "skip_thought_signature_validator"

// A message is one message of a request.
type message struct {
	Role      string `json:"role"`
	Content   string `json:"content,omitempty"` // strict servers refuse an empty one
	CallID    string `json:"tool_call_id,omitempty"`
	ToolCalls []call `json:"tool_calls,omitempty"`
	reasoning[string]
}

type call struct {
	ID       string        `json:"id"`
	Type     string        `json:"type"`
	Function function      `json:"function"`
	Extra    *extraContent `json:"extra_content,omitempty"`
}

// A history converts the conversation for one request.
type history struct {
	model  string // its full name
	ids    wire.CallIDs
	gemini bool
	out    []message
}

func (m *Model) messages(req llm.Request) []message {
	h := history{
		model: m.Name(), ids: m.callIDs(),
		gemini: strings.Contains(strings.ToLower(m.provider.Model), "gemini"),
	}
	if req.System != "" {
		h.out = append(h.out, message{Role: "system", Content: req.System})
	}
	turn := 0 // the first message after the last one of a user
	for i, msg := range req.Messages {
		if msg.Role == llm.User {
			turn = i + 1
		}
	}
	for i, msg := range req.Messages {
		h.add(msg, i >= turn)
	}
	return h.out
}

var nineAlphanumerics = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)

func (m *Model) callIDs() wire.CallIDs {
	if m.provider.Vendor.NineCharIDs {
		return wire.CallIDs{Accepts: nineAlphanumerics.MatchString, NewLen: 9}
	}
	return wire.CallIDs{Accepts: func(id string) bool { return wire.IsPlainID(id, 40) }, NewLen: 24}
}

// add appends a message. current reports whether it belongs to the unfinished answer.
func (h *history) add(msg llm.Message, current bool) {
	own := msg.Model == h.model
	msg = wire.AdaptFor(msg, h.model)
	m := message{Role: string(msg.Role), Content: msg.Attributed()}
	switch {
	case msg.Role == llm.ToolResult:
		m.Content, m.CallID = cmp.Or(msg.Text, "(no output)"), h.ids.ResultID(msg.CallID)
	case msg.Role == llm.Self && len(msg.Calls) > 0:
		h.addCalls(&m, msg, own)
		if current {
			m.setThinking(msg.Thought)
		}
	case m.Content == "":
		return
	}
	h.out = append(h.out, m)
}

func (h *history) addCalls(m *message, msg llm.Message, own bool) {
	for i, c := range h.ids.Calls(msg) {
		if h.gemini && !own && i == 0 {
			c.Opaque = skipSignature
		}
		out := call{ID: c.ID, Type: "function"}
		out.Function.Name, out.Function.Arguments = c.Name, string(wire.Arguments(c.Args))
		if c.Opaque != "" {
			out.Extra = &extraContent{}
			out.Extra.Google.Signature = c.Opaque
		}
		m.ToolCalls = append(m.ToolCalls, out)
	}
}

// setThinking puts each block of thinking into the field that it came from.
func (m *message) setThinking(thoughts []llm.Thought) {
	for _, t := range thoughts {
		if i := slices.Index(reasoningFields, t.Opaque); i >= 0 {
			*m.fields()[i] += t.Text
		}
	}
}
