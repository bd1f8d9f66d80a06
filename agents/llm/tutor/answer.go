package tutor

import (
	"fmt"
	"hash/fnv"
	"strings"

	"colloquy/agents/llm"
)

// A reply is what the tutor says next: a search, or a text.
type reply struct {
	query, id string
	text      string
}

const (
	teacherRole   = "teacher"
	assistantRole = "assistant"
	studentRole   = "student"

	maxQuery   = 300
	maxResumed = 8 // answers in a row that may each go on with the one before
)

// answer decides what to say. It depends on nothing but req.
func answer(req llm.Request, resumed int) reply {
	s := look(withoutNotes(req))
	if rest, cut := s.goOn(req, resumed); cut {
		return reply{text: rest}
	}
	r := s.reply()
	if r.query != "" {
		r.query = strings.ToValidUTF8(first(r.query, maxQuery), "")
		r.id = callID(req.Speaker.ID, s.steps, r.query)
		return r
	}
	if s.withheld.guards(r.text) {
		r.text = s.byRole(phrases.guarded)
	}
	r.text = s.toPerson(r.text)
	return r
}

// classroomVoice is the name under which the workbench itself speaks in a transcript.
const classroomVoice = "Classroom"

// withoutNotes drops what the workbench tells a model about its own messages.
func withoutNotes(req llm.Request) llm.Request {
	var kept []llm.Message
	for _, m := range req.Messages {
		if m.Role != llm.User || !m.Peer || m.From != classroomVoice {
			kept = append(kept, m)
		}
	}
	req.Messages = kept
	return req
}

// goOn returns the rest of an answer that was cut off: the last message is the
// beginning of what the request before it is answered with.
func (s *scene) goOn(req llm.Request, resumed int) (string, bool) {
	req = withoutNotes(req)
	if s.last == nil || resumed == maxResumed {
		return "", false
	}
	said := strings.TrimSpace(s.last.Text)
	req.Messages = req.Messages[:len(req.Messages)-1]
	whole := strings.TrimSpace(answer(req, resumed+1).text)
	if len(said) >= len(whole) || !strings.HasPrefix(whole, said) {
		return "", false
	}
	// Markdown goes on only at the beginning of a block, so the block that was
	// cut is said again.
	from := strings.LastIndex(first(whole, len(said)+2), "\n\n")
	return strings.TrimSpace(whole[from+1:]), true
}

// callID is unique among the calls of a session as far as a transcript tells.
func callID(speaker string, steps int, query string) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d\x00%s", speaker, steps, query)
	return fmt.Sprintf("search-%016x", h.Sum64())
}

// reply is the next step of the scene.
func (s *scene) reply() reply {
	if s.role != assistantRole && s.role != studentRole {
		s.role = teacherRole
	}
	if r, ok := s.grant(); ok {
		return r
	}
	if r, ok := s.smallTalk(); ok {
		return r
	}
	if !s.mayCall {
		return reply{text: s.byRole(phrases.noSearch)}
	}
	if s.stillReading() {
		return reply{text: s.byRole(phrases.stillReading)}
	}
	if s.act.playing() {
		return s.play()
	}
	if q, ok := s.nextQuery(); ok {
		return reply{query: q}
	}
	f := s.found[len(s.found)-1]
	if f.failed {
		return reply{text: s.byRole(phrases.failed)}
	}
	return reply{text: s.speak(f)}
}

// stillReading reports that nothing was found, and that the search could not
// look at all materials yet.
func (s *scene) stillReading() bool {
	for _, f := range s.found {
		if len(f.Passages) > 0 {
			return false
		}
	}
	return len(s.found) > 0 && s.found[len(s.found)-1].Reading != nil
}

// speak answers from what was found.
func (s *scene) speak(f findings) string {
	f.Passages = s.usable()
	l := s.lesson(f)
	switch s.role {
	case assistantRole:
		return l.assist()
	case studentRole:
		return l.wonder()
	}
	return l.teach()
}

// lesson weighs what was found.
func (s *scene) lesson(f findings) *lesson {
	for _, p := range f.Passages {
		p.read()
		s.withheld.hide(p)
	}
	s.question = s.question.settled(f.Passages)
	l := &lesson{scene: s, passages: s.question.focused(f.Passages)}
	l.weigh()
	return l
}

// pick takes one of several ways to say the same, a different one from answer to answer.
func (s *scene) pick(ways []string) string { return ways[s.answers%len(ways)] }

// byRole takes what the role says: teacher, assistant, student.
func (s *scene) byRole(ways [3]string) string {
	switch s.role {
	case assistantRole:
		return ways[1]
	case studentRole:
		return ways[2]
	}
	return ways[0]
}
