package llmtest

import "colloquy/agents/llm"

// Thought emits a complete block of thinking: its pieces, then its opaque state
// unless that is empty.
func Thought(opaque string, pieces ...string) Step {
	return func(p *play) error {
		if err := Thinking(pieces...)(p); err != nil || opaque == "" {
			return err
		}
		return p.emit(llm.Event{Kind: llm.ThinkingDelta, Opaque: opaque})
	}
}

// CallWithOpaque is Call with opaque state of the provider.
func CallWithOpaque(index int, id, name, opaque string, args ...string) Step {
	return func(p *play) error {
		if err := Call(index, id, name, args...)(p); err != nil {
			return err
		}
		return p.emit(llm.Event{Kind: llm.CallDelta, Index: index, Opaque: opaque})
	}
}

// RequireOpaque fails, as a provider would, unless the request contains every one of
// the states in messages of the model with that name.
func RequireOpaque(name string, states ...string) Step {
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
		for _, s := range states {
			if !back[s] {
				return &llm.Error{Fault: llm.Refused, Status: 400,
					Message: "The scripted model did not get its opaque state back. Send it back."}
			}
		}
		return nil
	}
}

// Chunks splits text into pieces of n characters, one for each delta.
func Chunks(text string, n int) []string {
	var out []string
	for runes := []rune(text); len(runes) > 0; {
		k := min(n, len(runes))
		out, runes = append(out, string(runes[:k])), runes[k:]
	}
	return out
}

// Estimate returns a usage of one token for four characters, as a server without a
// tokeniser reports it.
func Estimate(req llm.Request, answer string) llm.Usage {
	in := len([]rune(req.System))
	for _, m := range req.Messages {
		in += len([]rune(m.Text))
	}
	return llm.Usage{Input: (in + 3) / 4, Output: (len([]rune(answer)) + 3) / 4}
}
