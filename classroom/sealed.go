package classroom

import (
	"bytes"
	"encoding/json"
)

// WithoutOpaque returns e without what only a model's provider may read: the opaque
// parts of its thinking and its calls. They are kept in the log, so that a
// model gets them back, and are neither shown nor exported. Events without any
// come back as they are.
func WithoutOpaque(e Event) Event {
	if e.Type != TypeMessageEnd || !bytes.Contains(e.Data, []byte(`"sealed"`)) {
		return e
	}
	p, err := Decode(e)
	m, ok := p.(MessageEnd)
	if err != nil || !ok {
		return e
	}
	for i := range m.Blocks {
		m.Blocks[i].Opaque = ""
	}
	if data, err := json.Marshal(m); err == nil {
		e.Data = data
	}
	return e
}
