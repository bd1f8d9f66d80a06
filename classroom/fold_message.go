package classroom

import "encoding/json"

// maxBlocks bounds the blocks of a message, so that a hostile log cannot make the fold grow without limit.
const maxBlocks = 1000

func (f *Fold) messageStart(e Event, p MessageStart) {
	f.entry(e, &Entry{Message: &Message{ID: p.MessageID, Open: true, Started: e.Time}})
}

// message finds the entry of a message in the newest window, and marks it as changed.
func (f *Fold) message(e Event, id string) *Entry {
	w := f.window(e)
	if w == nil {
		return nil
	}
	for i := len(w.Entries) - 1; i >= 0; i-- {
		if x := w.Entries[i]; x.Message != nil && x.Message.ID == id {
			x.Rev = e.ID
			return x
		}
	}
	return nil
}

func (f *Fold) messageUpdate(e Event, p MessageUpdate) {
	x := f.message(e, p.MessageID)
	if x == nil {
		x = f.entry(e, &Entry{Message: &Message{ID: p.MessageID, Open: true, Started: e.Time}})
	}
	if x == nil || !x.Message.Open || p.Block < 0 || p.Block >= maxBlocks {
		return
	}
	m := x.Message
	for len(m.Blocks) <= p.Block {
		m.Blocks = append(m.Blocks, &BlockView{Kind: blockKind(p.Kind), Started: e.Time, Ended: e.Time, Rev: e.ID})
	}
	block := m.Blocks[p.Block]
	block.Kind = blockKind(p.Kind)
	block.text.WriteString(p.Delta)
	block.Text = block.text.String()
	block.Ended, block.Rev = e.Time, e.ID
	if p.Name != "" {
		block.Name, block.CallID = p.Name, p.CallID
	}
}

func blockKind(kind string) string {
	if kind == DeltaToolArgs {
		return BlockToolCall
	}
	return kind
}

func (f *Fold) messageEnd(e Event, p MessageEnd) {
	x := f.message(e, p.MessageID)
	if x == nil {
		x = f.entry(e, &Entry{Message: &Message{ID: p.MessageID, Started: e.Time}})
	}
	if x == nil {
		return
	}
	m := x.Message
	before := m.Blocks
	m.Blocks = make([]*BlockView, 0, len(p.Blocks))
	for i, b := range p.Blocks {
		block := &BlockView{
			Kind: b.Kind, Text: b.Text, CallID: b.CallID, Name: b.Name, Opaque: b.Opaque,
			Started: m.Started, Ended: e.Time, Rev: e.ID,
		}
		if b.Kind == BlockToolCall {
			block.Text = string(b.Args)
		}
		if i < len(before) && before[i].Kind == b.Kind {
			block.Started, block.Ended = before[i].Started, before[i].Ended
		}
		m.Blocks = append(m.Blocks, block)
	}
	m.Open, m.StopReason, m.Usage, m.Ended = false, p.StopReason, p.Usage, e.Time
	if m.Citations = p.Citations; len(p.Citations) > 0 {
		f.Card(e.Exchange).FootRev = e.ID // which lists the sources
	}
}

func (f *Fold) toolStart(e Event, p ToolExecutionStart) {
	f.entry(e, &Entry{Call: &Call{ID: p.CallID, Name: p.Name, View: p.View, Args: p.Args, Started: e.Time}})
}

// call finds the entry of a tool call in the newest window.
func (f *Fold) call(e Event, id string) *Entry {
	w := f.window(e)
	if w == nil {
		return nil
	}
	for i := len(w.Entries) - 1; i >= 0; i-- {
		if x := w.Entries[i]; x.Call != nil && x.Call.ID == id {
			return x
		}
	}
	return nil
}

func (f *Fold) toolUpdate(e Event, p ToolExecutionUpdate) {
	if x := f.call(e, p.CallID); x != nil && !x.Call.Done {
		x.Call.Progress, x.Rev = p.Progress, e.ID
	}
}

func (f *Fold) toolEnd(e Event, p ToolExecutionEnd) {
	x := f.call(e, p.CallID)
	if x == nil {
		x = f.entry(e, &Entry{Call: &Call{ID: p.CallID, Name: p.Name, Args: json.RawMessage("{}"), Started: e.Time}})
	}
	if x == nil || x.Call.Done {
		return
	}
	x.Rev = e.ID
	c := x.Call
	c.Done, c.IsError, c.Details, c.DurationMS, c.Progress = true, p.IsError, p.Details, p.DurationMS, ""
	c.Content = ""
	for _, content := range p.Content {
		c.Content += content.Text
	}
}

func (f *Fold) retry(e Event, p Retry) {
	if p.MessageID != "" {
		if x := f.message(e, p.MessageID); x != nil {
			x.Message.Superseded = true
		}
	}
	f.entry(e, &Entry{Retry: &p})
}
