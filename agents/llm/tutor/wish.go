package tutor

import (
	"regexp"
	"strings"

	"colloquy/agents/llm"
)

// A wish is what a person answers where a lecture stops, by its button or by a
// word or two of their own. It is no question.
type wish int

const (
	noWish wish = iota
	wishOn
	wishEnd
	wishSimpler
	wishExample
)

const (
	politely = `^(?:(?:yes|no|ok|okay|please|well|now|and|then|fine|good|great|thanks|thank you|let us|let's|can you|could you|would you|can we|we can)[, ]+)*`
	pleased  = `(?:[, ]+(?:please|thanks|thank you|now|then|here|for (?:that|this|it)|of (?:that|this|it)))*$`
)

var wishes = []struct {
	wish wish
	form *regexp.Regexp
}{
	{wishOn, regexp.MustCompile(politely + `(?:go on|goon|continue|next|(?:the )?next part|carry on|proceed|no questions|weiter|sigue|continuez|继续|次へ)` + pleased)},
	{wishEnd, regexp.MustCompile(politely + `(?:end(?: here)?(?: with (?:a|the) summary)?|end it|stop(?: here)?|finish|sum (?:it |that )?up|(?:a |the )?summary|(?:that is |that's )?enough)` + pleased)},
	{wishSimpler, regexp.MustCompile(politely + `(?:(?:explain|say|tell|put)(?: (?:me|us))? (?:that|this|it)(?: again)? )?(?:(?:in )?simpler(?: words)?|in simple words|more simply|simply|easier|more easily)` + pleased)},
	{wishExample, regexp.MustCompile(politely + `(?:(?:give|show|tell|is there|are there|do you have|have you)(?: (?:me|us))? )?(?:for example|for instance|(?:(?:an?|one|any|some|more|another)(?: more| other)? )?examples?)` + pleased)},
}

// wishOf reads a line of a person.
func wishOf(text string) wish {
	text = strings.ToLower(strings.Join(strings.Fields(mention.ReplaceAllString(text, "$1")), " "))
	text = strings.Trim(text, " .!?…,;:\"'“”")
	for _, w := range wishes {
		if w.form.MatchString(text) {
			return w.wish
		}
	}
	return noWish
}

// lateIn is the newest line of a person that has to be answered: to go on and
// to end is done, and a sum-up answers no wish.
func lateIn(req llm.Request) int {
	for i := newest(req.Messages); i >= 0; i = newest(req.Messages[:i]) {
		w := wishOf(req.Messages[i].Text)
		if w == noWish || req.Staging.StageRole == llm.StageReply || req.Staging.StageRole != llm.StageSummary && w != wishOn && w != wishEnd {
			return i
		}
	}
	return newest(req.Messages)
}

// bareNumber is an answer to nothing that was asked.
var bareNumber = regexp.MustCompile(`^\s*#?\d{1,3}\s*[.)!?]?\s*$`)
