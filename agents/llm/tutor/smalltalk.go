package tutor

import (
	"regexp"
	"strings"
)

var (
	greets = regexp.MustCompile(`^(hello|hi|hey|hiya|good (morning|afternoon|evening|day)|greetings|welcome)\b`)
	thanks = regexp.MustCompile(`^(thanks|thank you|thx|many thanks|cheers|bye|goodbye|see you)\b`)
	nature = regexp.MustCompile(`\b(who|what) are you\b|\bare you (really |actually )?(an? |the )?(real|ai|a\.i\.|bot|robot|chatbot|chatgpt|gpt|human|computer|machine|program|model|teacher|person|alive)\b|\b(which|what) (ai|model|llm)( model)? (are you|is this|do you use)\b|\bhow do you (work|know)\b`)
)

// maxTalk is the longest line, in words, that is small talk.
const maxTalk = 8

// smallTalk answers what is no question about the materials. A greeting of the
// teacher looks up what can be asked, if no result has told yet.
func (s *scene) smallTalk() (reply, bool) {
	lower := strings.ToLower(strings.Join(strings.Fields(s.asked), " "))
	short := len(strings.Fields(lower)) <= maxTalk
	bare := len(s.plain.terms) == 0 && !s.plain.more && !s.plain.brief
	switch {
	case strings.TrimSpace(s.asked) == "":
		return reply{text: s.byRole(phrases.noQuestion)}, true
	case bareNumber.MatchString(s.asked) && !s.attempted:
		return reply{text: s.byRole(phrases.number)}, true
	case short && nature.MatchString(lower):
		return reply{text: s.byRole(phrases.whatAmI)}, true
	case bare && short && thanks.MatchString(lower):
		return reply{text: s.byRole(phrases.thanks)}, true
	case bare && short && greets.MatchString(lower):
		return s.greet(), true
	case bare && short && !s.plain.hasAsk && !s.plain.leans:
		return reply{text: s.byRole(phrases.short) + s.suggestions()}, true
	case len(s.question.strong()) == 0:
		return reply{text: s.byRole(phrases.unclear) + s.suggestions()}, true
	}
	return reply{}, false
}

func (s *scene) greet() reply {
	if s.role == teacherRole && s.topics == nil && len(s.found) == 0 && s.mayCall {
		return reply{query: "topics"}
	}
	for _, f := range s.found {
		for _, p := range f.Passages {
			s.topics = append(s.topics, p.Material)
		}
	}
	return reply{text: s.byRole(phrases.greeting) + s.suggestions()}
}

// suggestions offers questions that the materials can answer.
func (s *scene) suggestions() string {
	topics := s.offered(3)
	if s.role != teacherRole || len(topics) == 0 {
		return ""
	}
	text := " You could begin like this:\n"
	for i, t := range topics {
		if t == "more" {
			break
		}
		text += "\n- " + strings.Replace(suggested[i%len(suggested)], "%s", t, 1)
	}
	return text
}

var suggested = []string{"Tell me about %s.", "What is important about %s?", "Give me an overview of %s."}
