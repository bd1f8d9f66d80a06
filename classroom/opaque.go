package classroom

import (
	"bytes"
	"encoding/json"
	"slices"
)

// WithoutOpaque returns e without the opaque state of a model's provider, such as
// signatures of thinking. The log keeps that state so that later requests can send
// it back; it is neither shown nor exported. Other events are returned unchanged.
func WithoutOpaque(e Event) Event {
	if e.Type != TypeMessageEnd || !bytes.Contains(e.Data, []byte(`"sealed"`)) {
		return e
	}
	p, err := Decode(e)
	m, ok := p.(MessageEnd)
	if err != nil || !ok {
		return e
	}
	m.Blocks = slices.Clone(m.Blocks) // the payload may be shared
	for i := range m.Blocks {
		m.Blocks[i].Opaque = ""
	}
	if data, err := json.Marshal(m); err == nil {
		e.Data, e.payload = data, nil
	}
	return e
}
