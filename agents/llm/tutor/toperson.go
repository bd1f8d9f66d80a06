package tutor

import (
	"strings"
	"unicode"

	"colloquy/agents/llm"
)

// toPerson speaks to who put the question in, by name.
func (s *scene) toPerson(text string) string {
	name := strings.TrimSpace(s.act.person)
	r := []rune(text)
	if s.act.StageRole != llm.StageReply || name == "" || len(r) < 2 || !unicode.IsLetter(r[0]) || strings.HasPrefix(text, "To ") {
		return text
	}
	if unicode.IsLower(r[1]) && !strings.HasPrefix(text, "I’") {
		r[0] = unicode.ToLower(r[0])
	}
	return label(name) + ", " + string(r)
}
