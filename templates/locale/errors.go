package locale

import "colloquy/classroom"

// Error returns the sentence of e.
func (l *Language) Error(e *classroom.Error) string {
	if e.Message != "" {
		return e.Message
	}
	if text, ok := l.fillModel(e.Key(), e.Params); ok {
		return text
	}
	return l.Text("error.internal")
}
