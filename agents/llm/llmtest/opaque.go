package llmtest

import "colloquy/agents/llm"

// Thought is a whole block of thinking: its pieces, then its seal, if it has one.
func Thought(opaque string, pieces ...string) Step {
	return func(p *play) error {
		if err := Thinking(pieces...)(p); err != nil || opaque == "" {
			return err
		}
		return p.emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: opaque})
	}
}

// CallWithOpaque is Call with what the provider wants back with it.
func CallWithOpaque(index int, id, name, opaque string, args ...string) Step {
	return func(p *play) error {
		if err := Call(index, id, name, args...)(p); err != nil {
			return err
		}
		return p.emit(llm.Event{Kind: llm.CallDelta, Index: index, Opaque: opaque})
	}
}

// RequireOpaque goes on only if the request holds, in a message of the model's own
// name, every one of the seals; it fails as a provider does that refuses such a
// history.
func RequireOpaque(name string, seals ...string) Step {
	return func(p *play) error {
		back := map[string]bool{}
		for _, m := range p.req.Messages {
			if m.Role != llm.Self || m.Model != name {
				continue
			}
			for _, t := range m.Thought {
				back[t.Opaque] = true
			}
			for _, c := range m.Calls {
				back[c.Opaque] = true
			}
		}
		for _, s := range seals {
			if !back[s] {
				return &llm.Error{Fault: llm.Refused, Status: 400, Message: "The scripted model misses a seal that it gave out. Send it back."}
			}
		}
		return nil
	}
}

// Cut cuts text into pieces of n characters, as deltas come.
func Chunks(text string, n int) []string {
	var out []string
	for runes := []rune(text); len(runes) > 0; {
		k := min(n, len(runes))
		out, runes = append(out, string(runes[:k])), runes[k:]
	}
	return out
}

// Estimate counts four characters for a token, in the request's messages and in
// the answer, as a server without a tokeniser does.
func Estimate(req llm.Request, answer string) llm.Usage {
	in := len([]rune(req.System))
	for _, m := range req.Messages {
		in += len([]rune(m.Text))
	}
	return llm.Usage{Input: (in + 3) / 4, Output: (len([]rune(answer)) + 3) / 4}
}
