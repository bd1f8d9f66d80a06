package tutor

import (
	"strconv"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom/text"
)

// discuss reads one passage in each turn. After the last the floor goes to the people.
func (t turn) discuss() answer {
	switch {
	case len(t.Passages) == 0:
		return answer{text: t.miss(), cue: t.floorQuestion("floor.ask")}
	case t.onLadder():
		return answer{text: t.hint(), cue: t.floorQuestion("floor.ask")}
	case t.Turn >= len(t.Passages):
		return answer{text: t.phrases.say("floor", 0), cue: t.floorQuestion("floor.ask")}
	}
	said := t.phrases.say("discuss."+t.speaker.Role, t.Turn)
	if t.Turn == 0 {
		said = t.opening(said)
	}
	a := answer{text: said + "\n\n" + t.quote(t.Passages[t.Turn])}
	if t.Turn == len(t.Passages)-1 {
		a.text += "\n\n" + t.phrases.say("floor", 0)
		a.cue = t.floorQuestion("floor.ask")
	}
	return a
}

// floorQuestion returns a question to the people, for the speakers who may ask one.
func (t turn) floorQuestion(key string) string {
	if t.speaker.Role == studentRole {
		return ""
	}
	return t.phrases.say(key, 0)
}

// debate reads what speaks for the motion and what speaks against it.
func (t turn) debate() answer {
	pro, con := t.sides()
	round := max(t.staging.Round, 1)
	switch t.staging.StageRole {
	case llm.StageFor:
		return t.side("for", pro, round)
	case llm.StageAgainst:
		return t.side("against", con, round)
	case llm.StageSummary:
		return answer{text: t.phrases.say("debate.summary", 0, "for", t.count(len(pro)), "against", t.count(len(con))),
			cue: t.floorQuestion("debate.ask")}
	}
	topic := clip(t.Question)
	if len(pro)+len(con) == 0 {
		return answer{text: t.phrases.say("debate.none", 0, "topic", topic), cue: t.floorQuestion("floor.ask")}
	}
	return answer{text: t.opening(t.phrases.say("debate.opening", 0, "topic", topic,
		"for", t.staging.For, "against", t.staging.Against))}
}

// Rounds returns how many rounds of a debate the passages fill.
func (m *Model) Rounds(req llm.Request) int {
	pro, con := newTurn(req).sides()
	return max(len(pro), len(con), 1)
}

// side reads the passage of a round.
func (t turn) side(name string, passages []llm.Passage, round int) answer {
	if round > len(passages) {
		return answer{text: t.phrases.say("debate."+name+".none", 0)}
	}
	return answer{text: t.phrases.say("debate."+name, round-1) + "\n\n" + t.quote(passages[round-1])}
}

func (t turn) count(n int) string {
	switch n {
	case 0:
		return t.phrases.say("passages.none", 0)
	case 1:
		return t.phrases.say("passages.one", 0)
	}
	return t.phrases.say("passages.some", 0, "n", strconv.Itoa(n))
}

const headingWeight = 4 // of a word of a heading, over one of the text

// sides sorts the passages by the words for and against that they hold. One that holds as
// many of both belongs to neither side.
func (t turn) sides() (pro, con []llm.Passage) {
	for _, p := range t.Passages {
		book := phrasesIn(p.Language)
		weigh := func(key string) int {
			words := wordSet{}
			for w := range strings.FieldsSeq(book.say(key, 0)) {
				words.add(w, p.Language)
			}
			return count(p.Text, words, p.Language) + headingWeight*count(p.Heading, words, p.Language)
		}
		switch n := weigh("words.for") - weigh("words.against"); {
		case n > 0:
			pro = append(pro, p)
		case n < 0:
			con = append(con, p)
		}
	}
	return pro, con
}

func count(s string, words wordSet, language string) int {
	n := 0
	for _, w := range text.Words(s) {
		if words.has(s[w.From:w.To], language) {
			n++
		}
	}
	return n
}

// lecture reads one part of a material.
func (t turn) lecture() answer {
	switch {
	case t.staging.StageRole == llm.StageSummary:
		return answer{text: t.recap()}
	case len(t.Part) == 0:
		return answer{text: t.phrases.say("lecture.none", 0)}
	}
	title := t.phrases.say("lecture.part", 0, "n", strconv.Itoa(max(t.staging.Round, 1)), "of", strconv.Itoa(t.Parts),
		"heading", placeName(t.Part[0]))
	return answer{text: "**" + title + "**\n\n" + t.quote(t.Part...)}
}

// recap lists the parts of a lecture.
func (t turn) recap() string {
	if len(t.Titles) == 0 || len(t.Materials) == 0 {
		return t.phrases.say("lecture.none", 0)
	}
	title := ""
	if len(t.Passages) > 0 {
		title = "**" + clip(t.Passages[0].Material) + "**"
	}
	said := t.phrases.say("lecture.summary", 0, "title", title) + "\n"
	for _, name := range t.Titles {
		said += "\n- " + clip(name)
	}
	return said
}
