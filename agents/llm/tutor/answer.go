package tutor

import (
	"slices"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom/text"
)

const (
	cueTool = "cue_user"

	teacherRole   = "teacher"
	assistantRole = "assistant"
	studentRole   = "student"

	hintsManner    = "hints"
	socraticManner = "socratic"

	// What one answer quotes at most: passages, and bytes beyond the first.
	maxQuoted      = 3
	maxQuotedBytes = 2400
)

// A turn is one request with what follows from it.
type turn struct {
	llm.Lookup
	speaker llm.Speaker
	rules   llm.Rules
	staging llm.Staging
	asked   string     // the language of the question; empty where it does not tell
	phrases phrasebook // of the language that is spoken
}

func newTurn(req llm.Request) turn {
	t := turn{speaker: req.Speaker, rules: req.Rules, staging: req.Staging}
	if req.Lookup != nil {
		t.Lookup = *req.Lookup
	}
	t.asked = text.Language(t.Question)
	t.phrases = phrasesIn(t.materialLanguage(), t.asked)
	return t
}

// materialLanguage returns the language of what is quoted.
func (t turn) materialLanguage() string {
	for _, list := range [][]llm.Passage{t.Part, t.Passages, t.Near} {
		if len(list) > 0 {
			return list[0].Language
		}
	}
	return ""
}

// answerTo decides what to say. It depends on nothing but req.
func answerTo(req llm.Request) answer {
	t := newTurn(req)
	if t.staging.StageRole != llm.StageReply {
		switch t.staging.Mode {
		case "discussion":
			return t.discuss()
		case "debate":
			return t.debate()
		case "lecture":
			return t.lecture()
		}
	}
	return t.reply()
}

// reply answers a question.
func (t turn) reply() answer {
	said := t.Question
	if t.Said != "" {
		said = t.Said
	}
	intent, language := intentOf(said)
	if intent != "" && !(t.onLadder() && t.rules.HintRung > 0 && slices.Contains(pressing, intent)) {
		return answer{text: t.answerIntent(intent, phrasesIn(t.asked, language))}
	}
	switch t.speaker.Role {
	case assistantRole:
		if terms := t.terms(); terms != "" {
			return answer{text: terms}
		}
	case studentRole:
		if len(t.Passages) > 0 {
			return answer{text: t.phrases.say("question", t.Turn, "heading", placeName(t.Passages[0]))}
		}
	}
	switch {
	case len(t.Passages) == 0:
		return answer{text: t.miss()}
	case t.onLadder():
		return answer{text: t.hint()}
	case isKeptBack(t.Passages[0]):
		return answer{text: t.keptBack()}
	}
	return answer{text: t.explain()}
}

// pressing are the intents that a pupil on a ladder of hints presses with: they are answered
// with the hint.
var pressing = []string{"lost", "help", "homework"}

func (t turn) answerIntent(intent string, phrases phrasebook) string {
	if said := phrases.say(intent+"."+t.speaker.Role, t.Turn); said != "" {
		return said
	}
	said := phrases.say(intent, t.Turn)
	if topics := t.topics(); topics != "" && t.speaker.Role == teacherRole && (intent == "greeting" ||
		intent == "help") {
		said += " " + phrases.say("topics", 0, "topics", topics)
	}
	return said
}

const maxTopics = 6

func (t turn) topics() string {
	names := t.Materials
	if len(names) > maxTopics {
		names = append(names[:maxTopics:maxTopics], "…")
	}
	return strings.Join(names, ", ")
}

// isKeptBack reports whether nothing of a passage may be read out.
func isKeptBack(p llm.Passage) bool {
	return strings.Trim(strings.ReplaceAll(p.Text, "[…]", ""), " \n\t.-*|>$") == ""
}

// keptBack says where the answer stands that the teacher keeps back, and what to do.
func (t turn) keptBack() string {
	return t.phrases.say("withheld", 0, "source", sourceOf(t.Passages[0])) + " " +
		t.phrases.say("hint.press", len(t.Question)+t.Turn)
}

// explain quotes the passages that answer the question.
func (t turn) explain() string {
	quoted, size := 0, 0
	t.Passages = slices.DeleteFunc(slices.Clone(t.Passages), isKeptBack)
	for _, p := range t.Passages[:min(len(t.Passages), maxQuoted)] {
		if size += len(p.Text); quoted > 0 && size > maxQuotedBytes {
			break
		}
		quoted++
	}
	return t.opening(t.phrases.say("quote", t.Turn)) + "\n\n" + t.quote(t.Passages[:quoted]...)
}

// opening says how the question was read, before a phrase.
func (t turn) opening(phrase string) string {
	var said []string
	for _, r := range t.Repairs {
		said = append(said, t.phrases.say("repaired", 0, "typed", clip(r.Typed), "read", r.Read))
	}
	if theirs := t.materialLanguage(); t.asked != "" && theirs != "" && t.asked != theirs {
		book := phrasesIn(t.asked)
		said = append(said, book.say("language.other", 0,
			"asked", book.languageName(t.asked), "materials", book.languageName(theirs)))
	}
	return strings.Join(append(said, phrase), " ")
}

// miss says that nothing was found, in one sentence, and what to do.
func (t turn) miss() string {
	book := phrasesIn(t.asked)
	if t.asked == "" {
		book = t.phrases
	}
	switch {
	case len(t.Materials) == 0:
		return book.say("no.materials", 0)
	case t.Preparing:
		return book.say("preparing", 0)
	case t.asked != "" && len(t.Languages) > 0 && !slices.Contains(t.Languages, t.asked):
		return book.say("miss.language", 0,
			"asked", book.languageName(t.asked), "materials", book.languageName(t.Languages[0]))
	case len(t.Mentioned) > 0 && len(t.Near) > 0:
		return book.say("miss.near", 0, "words", wordList(t.Mentioned), "source", sourceOf(t.Near[0]))
	case len(t.Unknown) == 0:
		return book.say("miss.empty", 0)
	}
	return book.say("miss", t.Turn, "words", wordList(t.Unknown))
}

// terms gives the terms in the quoted passages that the materials define elsewhere.
func (t turn) terms() string {
	if len(t.Terms) == 0 || t.onLadder() {
		return ""
	}
	parts := []string{t.phrases.say("terms", 0)}
	for _, d := range t.Terms {
		parts = append(parts, "- "+d.Sentence+" ("+sourceOf(d.Source)+")")
	}
	return parts[0] + "\n\n" + strings.Join(parts[1:], "\n")
}

const maxListed = 3 // words in a sentence

func wordList(words []string) string {
	var out []string
	for _, w := range words[:min(len(words), maxListed)] {
		out = append(out, "*"+clip(w)+"*")
	}
	return strings.Join(out, ", ")
}

const maxClipped = 60 // bytes of what somebody typed that are said back

// clip makes what somebody typed fit into a sentence of Markdown.
func clip(s string) string {
	if len(s) > maxClipped {
		s = strings.ToValidUTF8(s[:maxClipped], "") + "…"
	}
	return strings.Join(strings.Fields(plainMarks.Replace(s)), " ")
}

var plainMarks = strings.NewReplacer("*", "", "_", " ", "`", "", "[", "(", "]", ")", "<", "", ">", "", "$", "", "|",
	" ", "#", "", "\\", "")
