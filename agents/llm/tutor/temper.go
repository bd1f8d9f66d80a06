package tutor

import (
	"hash/fnv"
	"regexp"
	"strings"

	"colloquy/agents/llm"
)

// A temper is how a classmate reacts to what is said.
type temper struct {
	persona *regexp.Regexp // what a persona says of one who has it
	prefers *regexp.Regexp // what such a one reads out, if it is there
	leads   []string       // before a sentence that is preferred
	lesser  []string       // before any other
	tails   []string       // behind it; none asks about the sentence itself
}

// The leads end where the source follows. They claim nothing that the sentence
// need not hold.
var tempers = []temper{
	{
		persona: regexp.MustCompile(`(?i)\b(curious|asks|questions?|wonder\w*)\b`),
		leads:   []string{"What I would like to understand is this sentence in"},
		lesser:  []string{"What I would like to understand is this sentence in", "I read on in"},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(doubt\w*|sceptic\w*|skeptic\w*|critical|how we know|evidence)\b`),
		prefers: regexp.MustCompile(`(?i)\b(but|however|although|only|not|never|cannot|usually|mostly|mainly|nearly|about|mistake|unless|until|depends)\b`),
		leads:   []string{"I would be careful here. There is this in", "It may not be quite so simple. I read in"},
		lesser:  []string{"I looked for a “but” and found only this in", "I wanted to see where that is written, and read in"},
		tails:   []string{"That should not be left out.", "Let us keep that in mind."},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(practical|examples?|everyday|daily|hands)\b`),
		prefers: regexp.MustCompile(`(?i)\b(for example|for instance|such as|like|when|people|we|you|daily)\b`),
		leads:   []string{"I like to see it in practice. There is this in", "Here is something one can picture, from"},
		lesser:  []string{"I looked for an example and found only this in", "I looked for a use of it and got as far as this in"},
		tails:   []string{"Who has seen something like it?", "Where do we meet that outside of class?"},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(cheerful|quick|funny|clown|jok\w+|lively|loud|fast)\b`),
		prefers: regexp.MustCompile(`^(?:\S+\s+){3,13}\S+$`),
		leads:   []string{"Quick one from me! It is all in", "Short and sweet, from"},
		lesser:  []string{"Not quite short, but I found it first. It is in", "A mouthful, this one. It is from"},
		tails:   []string{"Done! Or was that too quick?", "That one even I can remember."},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(notes?|tidy|writes?|orderly|list\w*|neat)\b`),
		prefers: regexp.MustCompile(`\*\*|\bcalled\b`),
		leads:   []string{"For my notes I copied this from", "I put this into my notes too, from"},
		lesser:  []string{"For my notes I copied this from", "I put this into my notes too, from"},
		tails:   []string{"Have you all got that?", ""},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(think\w*|thought\w*|quiet|careful|deep|slow|reflect\w*)\b`),
		prefers: regexp.MustCompile(`(?i)\b(because|so|therefore|if|since|reason)\b`),
		leads:   []string{"I have been thinking about this sentence in", "It seems to me that this belongs to it, from"},
		lesser:  []string{"I have been thinking about this sentence in", "It seems to me that this belongs to it, from"},
		tails:   []string{"How does that fit with what was said before?", "I am still putting it together."},
	},
}

var personaLine = regexp.MustCompile(`(?m)^Your character: (.+)$`)

// temperOf finds the temper that the persona names first. Without one, the name decides.
func temperOf(req llm.Request) temper {
	persona := ""
	if m := personaLine.FindStringSubmatch(req.System); m != nil {
		persona = m[1]
	}
	best, from := -1, len(persona)
	for i, t := range tempers {
		if at := t.persona.FindStringIndex(persona); at != nil && at[0] < from {
			best, from = i, at[0]
		}
	}
	if best < 0 {
		h := fnv.New32a()
		h.Write([]byte(strings.ToLower(req.Speaker.ID + req.Speaker.Name)))
		best = int(h.Sum32() % uint32(len(tempers)))
	}
	return tempers[best]
}

// way takes one of several ways to speak, another one from round to round.
func (a act) way(ways []string) string {
	if len(ways) == 0 {
		return ""
	}
	return ways[max(a.Round-1, 0)%len(ways)]
}
