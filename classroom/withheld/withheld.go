// Package withheld finds and keeps back what a teacher does not want given away.
//
// A [Set] is made from her instruction and from the passages that answer it: the sentences of
// those passages that hold the words of the instruction, with their numbers and terms, and the
// answers that she wrote herself, after a colon or in quotation marks.
//
// There are two questions. [Set.Holds] says whether a text of the materials gives any of it
// away; it is narrow, so that a book stays readable. [Set.Gives] says whether a sentence of an
// agent does; it is strict: a number of the answer is refused wherever it is not clearly about
// something else, as in "two numbers" or "page 3", because pupils who press get answers in
// pieces.
//
// The check compares words and numbers: digits, fractions, groups, number words of some
// languages, backwards, letter by letter. It does not understand a text: a riddle or a sum
// whose result is the answer passes. Where the materials do not hold the answer and the
// teacher did not write it, there is nothing to compare with. The package is pure.
package withheld

import (
	"strings"

	"colloquy/classroom"
	"colloquy/classroom/text"
)

const (
	mostParts     = 12  // instructions of a class
	mostSentences = 24  // of an instruction
	mostTerms     = 0.6 // of the terms of a sentence that name it
	rowOfWords    = 4   // words in a row that repeat a sentence
	longNumber    = 3   // digits of a number that stands for itself
	longTerm      = 9   // letters of a word that stands for itself
)

// A Set is what must not be given away. The zero Set is empty.
type Set struct{ parts []part }

// A part is what one instruction withholds.
type part struct {
	asked     map[string]bool // forms of the words of the instruction
	size      int             // how many words those are
	count     int             // how many of them are not numbers; all, where they are nothing else
	letters   map[string]bool // the unknowns in them, such as the x of 5x
	sentences []sentence
}

// A sentence is a sentence that answers an instruction.
type sentence struct {
	shown   string   // as it stands in the materials
	typed   bool     // by the teacher
	free    bool     // the teacher says that it may be said
	words   []string // folded, in order
	numbers map[string]bool
	terms   map[string]bool // stems of the words that the instruction does not have
	strong  map[string]bool // those of them that may stand for the answer alone, folded
}

// A Sentence is a withheld sentence as its teacher reads it.
type Sentence struct {
	Text string
	Free bool // she says that it may be said
}

// Find returns what an instruction withholds. Each of its lines is an instruction; search
// returns the passages that answer one, also those for teachers only. free are sentences
// that the teacher does not want kept back.
func Find(
	instruction string, free []string, search func(subject string) ([]classroom.Passage, error),
) (Set, error) {
	var set Set
	for _, line := range lines(instruction) {
		subject := Subject(line)
		var passages []classroom.Passage
		if subject != "" {
			var err error
			if passages, err = search(subject); err != nil {
				return Set{}, err
			}
		}
		set.parts = append(set.parts, of(line, passages, free).parts...)
	}
	return set, nil
}

// lines returns the instructions of a text.
func lines(instruction string) []string {
	var out []string
	for line := range strings.FieldsFuncSeq(instruction, func(r rune) bool { return r == '\n' || r == ';' }) {
		if line = strings.TrimSpace(line); line != "" && len(out) < mostParts {
			out = append(out, line)
		}
	}
	return out
}

// withheldPassages is how many passages may answer an instruction.
const withheldPassages = 3

// Query returns the search for what answers an instruction.
func Query(subject string) classroom.MaterialQuery {
	return classroom.MaterialQuery{Question: subject, Limit: withheldPassages, Topic: true, Staff: true}
}

// Of returns what one instruction withholds of the passages that a search for it finds.
func Of(instruction string, passages []classroom.Passage) Set { return of(instruction, passages, nil) }

func of(instruction string, passages []classroom.Passage, free []string) Set {
	question, answers := split(instruction)
	p := part{asked: map[string]bool{}, letters: map[string]bool{}}
	var subject []string
	for _, w := range spoken(joinPowers(question)) {
		if !telling[w.Folded] && !isStop(w.Folded) && !p.asked[w.Folded] {
			subject = append(subject, w.Folded)
			p.addAsked(w.Folded)
		}
	}
	if len(subject) > 0 && len(subject) <= 2 && len(passages) == 0 && len(answers) == 0 {
		answers = append(answers, strings.Join(subject, " ")) // a word that nobody is to say
		p.asked = map[string]bool{}
	}
	for _, a := range answers {
		x := p.newSentence(a, "", true)
		x.typed = true
		p.sentences = append(p.sentences, x)
	}
	if p.size > 0 {
		p.addPassages(passages)
	}
	for i := range p.sentences {
		for _, f := range free {
			p.sentences[i].free = p.sentences[i].free || !p.sentences[i].typed && f == p.sentences[i].shown
		}
	}
	if len(p.sentences) == 0 {
		return Set{}
	}
	return Set{[]part{p}}
}

// addAsked adds a word of the instruction, and the unknown in it.
func (p *part) addAsked(folded string) {
	p.size++
	if len(valuesOf(folded)) == 0 {
		p.count++
	}
	for _, f := range forms(folded) {
		p.asked[f] = true
	}
	unknown := strings.Trim(folded, "0123456789")
	if unknown != folded && len(unknown) == 1 && !p.asked[unknown] {
		p.asked[unknown], p.letters[unknown] = true, true
	}
}

var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// split parts an instruction into the question and the answers that stand in it.
func split(instruction string) (question string, answers []string) {
	question, answer, _ := strings.Cut(quotes.Replace(instruction), ": ")
	if strings.TrimSpace(answer) != "" {
		answers = append(answers, strings.TrimSpace(answer))
	}
	pieces := strings.Split(question, `"`)
	question = pieces[0]
	for i, piece := range pieces[1:] {
		switch {
		case i%2 == 1 || i == len(pieces)-2: // outside, or not closed
			question += " " + piece
		case strings.TrimSpace(piece) != "":
			answers = append(answers, strings.TrimSpace(piece))
		}
	}
	return question, answers
}

// Subject returns the words of an instruction to search for.
func Subject(instruction string) string {
	question, _ := split(instruction)
	var words []string
	for _, w := range text.Words(question) {
		if !w.Pair && !telling[w.Folded] {
			words = append(words, question[w.From:w.To])
		}
	}
	return strings.Join(words, " ")
}

// Empty reports whether nothing is withheld.
func (s Set) Empty() bool {
	for _, p := range s.parts {
		for _, x := range p.sentences {
			if !x.free {
				return false
			}
		}
	}
	return true
}

// Sentences returns what was found in the materials, in its order, for the teacher.
func (s Set) Sentences() []Sentence {
	var out []Sentence
	for _, p := range s.parts {
		for _, x := range p.sentences {
			if !x.typed {
				out = append(out, Sentence{x.shown, x.free})
			}
		}
	}
	return out
}

// Texts returns what is withheld, as it is shown once it is given free. A sentence that the
// teacher does not keep back is not part of it.
func (s Set) Texts() []string {
	var out []string
	for _, p := range s.parts {
		for _, x := range p.sentences {
			if !x.free {
				out = append(out, x.shown)
			}
		}
	}
	return out
}

// About returns the parts of the set that have a word of a question.
func (s Set) About(question string) Set {
	var out Set
	for _, p := range s.parts {
		if p.held(question) > 0 {
			out.parts = append(out.parts, p)
		}
	}
	return out
}

// Without returns the set without the parts that a text gives free: those of which it holds
// a sentence.
func (s Set) Without(freed string) Set {
	var out Set
	freed = oneLine(freed)
	for _, p := range s.parts {
		kept := true
		for _, x := range p.sentences {
			kept = kept && !(x.shown != "" && strings.Contains(freed, x.shown))
		}
		if kept {
			out.parts = append(out.parts, p)
		}
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
