package tutor

import (
	"regexp"
	"strings"

	"colloquy/agents/llm"
)

// The modes that have parts.
const (
	discussion = "discussion"
	debate     = "debate"
	lecture    = "lecture"
)

// An act is the speaker's part in a mode other than question and answer.
type act struct {
	llm.Staging
	temper   temper
	sides    sides
	remarks  []remark     // what was said since the topic came up, own words too
	person   string       // of a reply: whom it answers
	wish     wish         // of a reply in a lecture: what was wished instead of a question
	topic    string       // of a reply in a lecture: what the lecture is about
	read     []findings   // of a reply in a lecture: what was found for its parts and replies
	leftOver *llm.Message // of a summary: what a person put in last, and nobody took up
}

// A remark is what one speaker said.
type remark struct {
	name string // "" for the speaker's own
	text string
	key  string
}

func (r remark) own() bool { return r.name == "" }

// asks is the question that r ends with, if it has one.
func (r remark) asks() string {
	ask := strings.TrimSpace(mainSentence(unquoted(r.text)))
	if _, rest, ok := strings.Cut(ask, ") "); ok && strings.HasPrefix(ask, "(") {
		ask = rest // the source of a sentence read out stands before it
	}
	if !strings.HasSuffix(ask, "?") || len(ask) > 200 {
		return ""
	}
	return ask
}

// Sides are the names of those who speak for and against a motion.
type sides struct{ pro, contra string }

var sidesLine = regexp.MustCompile(`\bFor: ([^\n]+?)\. Against: ([^\n]+?)\.(?:\s|$)`)

func sidesIn(system string) sides {
	m := sidesLine.FindStringSubmatch(system)
	if m == nil {
		return sides{}
	}
	return sides{strings.TrimSpace(m[1]), strings.TrimSpace(m[2])}
}

// playing reports whether the speaker has a part beyond answering.
func (a act) playing() bool { return a.Mode != "" && a.StageRole != llm.StageReply }

func (a act) last() bool { return a.Rounds > 1 && a.Round >= a.Rounds }

// staged reads the part that req has for its speaker, and takes away what would
// hide the topic: lines of persons after it. The first to speak after such a
// line answers it.
func staged(req llm.Request) (llm.Request, act) {
	a := act{Staging: req.Staging, temper: temperOf(req), sides: sidesIn(req.System)}
	at, late := topicAt(req), lateIn(req)
	if a.Mode = modeOf(req.Staging); a.Mode == "" || at < 0 {
		return req, act{}
	}
	waiting := late != at && !answered(req.Messages[late+1:])
	if waiting && a.StageRole == llm.StageSummary {
		a.leftOver = &req.Messages[late]
	} else if waiting || a.StageRole == llm.StageReply {
		a.StageRole, a.person = llm.StageReply, req.Messages[late].From
		if a.Mode == lecture && at < late {
			a.wish, a.topic = wishOf(req.Messages[late].Text), req.Messages[at].Text
			a.remarks, a.read = remarksIn(req.Messages[at+1:late]), foundIn(req.Messages[at+1:late])
		}
		return req, a
	}
	kept := append([]llm.Message(nil), req.Messages[:at+1]...)
	for _, m := range req.Messages[at+1:] {
		if m.Role != llm.User || m.Peer {
			kept = append(kept, m)
		}
	}
	if a.Mode == lecture { // after its sum-up, going on begins to count anew
		kept = append(kept[:at+1], a.partsOf(kept[at+1:], isAnswer(req.Messages[len(req.Messages)-1]))...)
	}
	req.Messages = kept
	a.remarks = remarksIn(kept[at+1:])
	return req, a
}

// modeOf is the mode that a scene's part belongs to, "" for question and answer.
func modeOf(s llm.Staging) string {
	switch {
	case s.Mode == discussion, s.Mode == debate, s.Mode == lecture:
		return s.Mode
	case s.StageRole == llm.StageFor, s.StageRole == llm.StageAgainst, s.StageRole == llm.StageModerator:
		return debate
	case s.StageRole == llm.StageLecture:
		return lecture
	case s.StageRole == llm.StageReply:
		return discussion // any mode replies alike
	}
	return ""
}

// topicAt is the place of the line that opened the exchange. The one that the
// tutor itself opened with is known by its words; otherwise the speaker's own
// answers are counted.
func topicAt(req llm.Request) int {
	late := lateIn(req)
	if req.Staging.Round <= 1 && opens(req) && (late == newest(req.Messages) || req.Staging.StageRole != llm.StageLecture) {
		return late
	}
	needed := req.Staging.Round - 1
	if req.Staging.StageRole == llm.StageSummary {
		needed = 1
	}
	byCount := -1
	for i := late; i >= 0; i-- {
		if newest(req.Messages[i:i+1]) < 0 {
			continue
		}
		if isOpening(req.Messages[i+1:]) {
			return i
		}
		if own, all := answers(req.Messages[i+1:]); byCount < 0 && all > 0 && own >= needed {
			byCount = i
		}
	}
	if byCount < 0 {
		return late
	}
	return byCount
}

// opens reports whether the speaker is who opens the scene.
func opens(req llm.Request) bool {
	p := req.Staging.StageRole
	return p == llm.StageModerator || p == llm.StageLecture || p == "" && req.Speaker.Role == teacherRole
}

// isOpening reports whether the first answer of messages opens a scene.
func isOpening(messages []llm.Message) bool {
	for _, m := range messages {
		if isRemark(m) {
			return strings.HasPrefix(m.Text, openingOf[discussion]) || strings.HasPrefix(m.Text, openingOf[debate]) || strings.HasPrefix(m.Text, openingOf[lecture])
		}
		if m.Role == llm.User {
			return false
		}
	}
	return false
}

var openingOf = map[string]string{discussion: "Let us discuss “", debate: "The motion is “", lecture: "Our topic is “"}

func isRemark(m llm.Message) bool {
	return isAnswer(m) || m.Role == llm.User && m.Peer && strings.TrimSpace(m.Text) != ""
}

func answers(messages []llm.Message) (own, all int) {
	for _, m := range messages {
		own += int(truth(isAnswer(m)))
		all += int(truth(isRemark(m)))
	}
	return own, all
}

func answered(messages []llm.Message) bool {
	_, all := answers(messages)
	return all > 0
}

func remarksIn(messages []llm.Message) []remark {
	var out []remark
	for _, m := range messages {
		if isRemark(m) {
			name, _, _ := strings.Cut(m.From, ",")
			out = append(out, remark{name: strings.TrimSpace(name), text: m.Text, key: keyOf(m.Text)})
		}
	}
	return out
}

// putIn says what a person put in last, as a sentence of its own.
func (a act) putIn() string {
	text := strings.TrimSpace(label(first(a.leftOver.Text, 200)))
	stop := "."
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") {
		stop = ""
	}
	return label(a.leftOver.From) + " put in “" + strings.TrimRight(text, ".") + stop + "”"
}

// latest is the last remark of another speaker: of name, or of anyone where
// name is "".
func (a act) latest(name string) (remark, bool) {
	for i := len(a.remarks) - 1; i >= 0; i-- {
		if r := a.remarks[i]; !r.own() && (name == "" || r.name == name) {
			return r, true
		}
	}
	return remark{}, false
}
