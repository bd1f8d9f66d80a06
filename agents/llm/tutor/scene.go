package tutor

import (
	"encoding/json"
	"strings"

	"colloquy/agents/llm"
)

const searchTool = "search_materials"

// A scene is what the tutor makes of a request.
type scene struct {
	role     string
	name     string
	stance   string
	withheld withheld
	mayCall  bool // the request offers the search

	named     bool         // the newest line is addressed to the speaker by name
	asked     string       // the newest line of a person
	plain     question     // the newest line by itself
	question  question     // with what it takes over from the one before
	rounds    int          // own answers since asked
	peers     []remark     // what peers have said since asked
	toPeer    string       // the peer whose question this round takes up
	found     []findings   // the results since the last of them
	topics    []string     // what the materials are about, as far as any result told
	said      string       // what was said since the subject came up, as a key
	taught    string       // what teachers said since the question, as a key
	listed    string       // what the speaker said since the question, as a key
	hinted    bool         // an own answer on this subject gave only a hint
	attempted bool         // the newest line tries an answer after a hint
	answers   int          // own answers in the whole request
	meaning   string       // the word that the question misspelled
	steps     int          // messages in the request
	last      *llm.Message // the last message, where it is an own answer
	act       act          // the part in a mode other than question and answer
	pool      []findings   // all results since the question
}

// findings is the structured result of a search.
type findings struct {
	Query    string     `json:"query"`
	Passages []*passage `json:"passages"`
	Topics   []string   `json:"topics"`
	Reading  *struct{}  `json:"reading"` // set where not all materials can be found yet
	failed   bool
}

// look reads a request.
func look(req llm.Request) *scene {
	s := &scene{role: req.Speaker.Role, name: req.Speaker.Name, stance: req.Rules.Manner, withheld: readWithheld(req.Rules.Withheld), steps: len(req.Messages)}
	req, s.act = staged(req)
	for _, t := range req.Tools {
		s.mayCall = s.mayCall || t.Name == searchTool
	}
	if strings.TrimSpace(req.Rules.Withheld) != "" && len(s.withheld) == 0 && s.stance != socratic {
		s.stance = hints // "do not give the answers" names nothing that could be left out
	}
	at := newest(req.Messages)
	if at < 0 {
		return s
	}
	names := namesIn(req)
	s.asked = req.Messages[at].Text
	s.named = addressed(s.asked, s.name) || s.act.StageRole == llm.StageReply
	s.plain = parse(s.asked, names)
	s.question = s.plain
	s.earlier(req.Messages[:at], names)
	s.since(req.Messages[at+1:], names)
	s.peers = remarksIn(req.Messages[at+1:])
	if m := req.Messages[len(req.Messages)-1]; isAnswer(m) {
		s.last = &m
	}
	return s
}

// newest is the place of the newest line of a person, or -1.
func newest(messages []llm.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == llm.User && !m.Peer && strings.TrimSpace(m.Text) != "" {
			return i
		}
	}
	return -1
}

func namesIn(req llm.Request) []string {
	seen := map[string]bool{"": true}
	var out []string
	add := func(n string) {
		if n = strings.TrimSpace(n); !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	add(req.Speaker.Name)
	for _, m := range req.Messages {
		name, _, _ := strings.Cut(m.From, ",") // a peer comes with its role
		add(name)
	}
	return out
}

func isAnswer(m llm.Message) bool {
	return m.Role == llm.Self && len(m.Calls) == 0 && strings.TrimSpace(m.Text) != ""
}

// earlier reads what came before the question: the question it leans on, what
// was already said about that, and the topics that searches told.
func (s *scene) earlier(messages []llm.Message, names []string) {
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		if isAnswer(m) {
			s.answers++
		}
		if f, ok := results(m); ok && s.topics == nil {
			s.topics = f.Topics
		}
	}
	at, before := subject(messages, names)
	if at < 0 {
		s.question = s.question.promoted()
		return
	}
	own := s.question.strong()
	s.attempt(messages[at:], before)
	if s.hinted && len(own) == 0 && givingUp.MatchString(s.asked) {
		s.question = before
		return
	}
	s.question = s.question.after(before)
	if !s.question.brief && (s.question.more || s.question.leans && !s.question.whole || len(own) == 0) {
		for _, m := range messages[at:] {
			if m.Role != llm.ToolResult {
				s.said += keyOf(m.Text)
			}
		}
	}
}

// subject finds the question that the newest line may lean on.
func subject(messages []llm.Message, names []string) (int, question) {
	at, found := -1, question{}
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == llm.User && !m.Peer {
			q := parse(m.Text, names)
			switch {
			case len(q.strong()) == 0:
			case q.hasAsk:
				return i, q
			case at < 0:
				at, found = i, q
			}
		}
	}
	return at, found
}

// attempt notes that hints were given on the subject, and reads a line that
// asks nothing after one as an attempt at the answer.
func (s *scene) attempt(since []llm.Message, before question) {
	for _, m := range since {
		s.hinted = s.hinted || isAnswer(m) && endsInHint(m.Text)
	}
	if !s.hinted || s.stance != hints || s.question.hasAsk || givingUp.MatchString(s.asked) || len(s.question.terms) == 0 {
		return
	}
	s.attempted = true
	mine := s.question.terms
	s.question = before
	s.question.terms = merge(s.question.terms, mine, 0.3)
}

// since reads what came after the question: this answer's state.
func (s *scene) since(messages []llm.Message, names []string) {
	var said []string
	asked := s.question
	for _, m := range messages {
		if m.Role != llm.ToolResult { // what a search found has not been said yet
			said = append(said, m.Text)
		}
		if m.Role == llm.User && m.Peer && strings.HasSuffix(m.From, ", "+teacherRole) {
			s.taught += keyOf(m.Text)
		}
		switch {
		case isAnswer(m):
			s.answers++
			s.rounds++
			s.listed += keyOf(m.Text)
			s.found, s.toPeer, s.question = nil, "", asked
		case m.Role == llm.User && m.Peer && s.rounds > 0 && s.role == teacherRole && !s.act.playing():
			s.takeUp(m, names)
		default:
			if f, ok := results(m); ok {
				s.found, s.pool = append(s.found, f), append(s.pool, f)
				if len(s.found) == 2 && !s.found[0].failed {
					s.question, s.meaning = s.question.correct(f.Query)
				}
				if f.Topics != nil {
					s.topics = f.Topics
				}
			}
		}
	}
	if s.rounds > 0 || s.role != teacherRole || s.act.playing() {
		s.said += keyOf(strings.Join(said, " "))
	}
}

// takeUp makes a peer's question the teacher's next one.
func (s *scene) takeUp(m llm.Message, names []string) {
	ask := mainSentence(unquoted(m.Text))
	if !strings.HasSuffix(strings.TrimSpace(ask), "?") {
		return
	}
	q := parse(ask, names)
	if len(q.strong()) == 0 {
		return
	}
	s.toPeer, s.question = m.From, q
}

// unquoted drops quotes, lists and sources: a heading may be a question too.
func unquoted(text string) string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if l != "" && !strings.ContainsAny(l[:1], ">-*") && !strings.HasPrefix(l, "—") {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// results reads a tool result. One without readable details has found nothing.
func results(m llm.Message) (findings, bool) {
	if m.Role != llm.ToolResult {
		return findings{}, false
	}
	f := findings{failed: m.IsError}
	if json.Unmarshal(m.Details, &f) != nil {
		f = findings{failed: m.IsError}
	}
	kept := f.Passages[:0]
	for _, p := range f.Passages {
		if p != nil && len(kept) < maxPassages {
			kept = append(kept, p)
		}
	}
	f.Passages = kept
	return f, true
}
