package web

import (
	"colloquy/classroom"
	"colloquy/templates/locale"
)

// english is the sentence of e.
func english(e *classroom.Error) string { return locale.English().Error(e) }
