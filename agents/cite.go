package agents

import (
	"encoding/json"

	"colloquy/classroom"
	"colloquy/classroom/citation"
)

const maxSeen = 64 // passages that the citations of an exchange are checked against

// see notes passages that an agent of the run was given, in the order of their numbers.
func (r *run) see(passages []classroom.Passage) {
	for _, p := range passages {
		if len(r.seen) == maxSeen {
			return
		}
		known := false
		for _, s := range r.seen {
			known = known || s.MaterialID == p.MaterialID && s.From == p.From
		}
		if !known {
			r.seen = append(r.seen, p)
		}
	}
}

// seeResult notes the passages that a search of an agent found.
func (r *run) seeResult(end classroom.ToolExecutionEnd) {
	var res SearchResult
	if end.Name == searchTool && json.Unmarshal(end.Details, &res) == nil {
		r.see(res.Passages)
		r.see(res.Near)
	}
}

// heard returns what people said in the exchange.
func (r *run) heard() []string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	card := r.s.fold.Card(r.exchange)
	if card == nil {
		return nil
	}
	out := []string{card.Question.Text}
	for _, w := range card.Windows {
		for _, e := range w.Entries {
			if e.Steer != nil {
				out = append(out, e.Steer.Text)
			}
		}
	}
	return out
}

// redactResult takes what is withheld out of what a tool found.
func (r *run) redactResult(end *classroom.ToolExecutionEnd) {
	if r.withheld.Empty() {
		return
	}
	var res SearchResult
	if end.Name != searchTool || json.Unmarshal(end.Details, &res) != nil {
		for i, c := range end.Content {
			if left, changed := r.withheld.Redact(c.Text); changed {
				end.Content[i].Text, end.Details = left, nil
			}
		}
		return
	}
	res.Passages, res.Near = r.withheld.RedactAll(res.Passages), r.withheld.RedactAll(res.Near)
	end.Content = []classroom.Content{{Kind: classroom.BlockText, Text: truncateResult(res.text(), maxResultText)}}
	end.Details, _ = json.Marshal(res)
}

// cite checks what a message says of its sources.
func (r *run) cite(end *classroom.MessageEnd) {
	heard := r.heard()
	for i, b := range end.Blocks {
		if b.Kind != classroom.BlockText {
			continue
		}
		for _, c := range citation.Check(b.Text, r.seen, heard...) {
			c.N, c.Block = len(end.Citations)+1, i
			end.Citations = append(end.Citations, c)
		}
	}
}
