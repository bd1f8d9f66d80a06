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
	lesser  []string       // before any other, if that makes a difference
	keeps   string         // at the end; of whom, and from where
	tails   []string       // behind it; none asks about the sentence itself
}

// The leads stand before a sentence that is read out; they claim nothing that
// it need not hold.
var tempers = []temper{
	{
		persona: regexp.MustCompile(`(?i)\b(curious|asks|questions?|wonder\w*)\b`),
		keeps:   "What %s read from %s leaves me with the most questions. I will read on there.",
		leads:   []string{"What I would like to understand better:", "I read on, because I wanted to know more:", "This made me curious:"},
		tails:   []string{"Who can say that in other words?", ""},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(doubt\w*|sceptic\w*|skeptic\w*|critical|how we know|evidence)\b`),
		keeps:   "Before I believe it all, I will check what %s read from %s once more.",
		prefers: regexp.MustCompile(`(?i)\b(but|however|although|only|not|never|cannot|usually|mostly|mainly|nearly|about|mistake|unless|until|depends)\b`),
		leads:   []string{"Careful, there is something to add:", "It may not be quite so simple:", "One more thing that should not be left out:"},
		lesser:  []string{"I wanted to see it in writing, and found this:", "I looked for a “but” and found only this:"},
		tails:   []string{"Does that change what we said?", ""},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(practical|examples?|everyday|daily|hands)\b`),
		keeps:   "I will look for an example of what %s read from %s.",
		prefers: regexp.MustCompile(`(?i)\b(for example|for instance|such as|used|daily|everyday|shops?|kitchens?|useful)\b`),
		leads:   []string{"Here is something one can picture:", "I like to see it in practice:"},
		lesser:  []string{"I looked for an example and found only this:", "No example from me yet, but this belongs to it:"},
		tails:   []string{"Does anyone know an example?", ""},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(cheerful|quick|funny|clown|jok\w+|lively|loud|fast)\b`),
		keeps:   "I am ready with my sentence! It comes from what %s read at %s.",
		prefers: regexp.MustCompile(`^(?:\S+\s+){3,13}\S+$`),
		leads:   []string{"Quick one from me:", "Short and sweet:"},
		lesser:  []string{"Not quite short, but I found it first:", "A mouthful, this one:"},
		tails:   []string{"Done! Or was that too quick?", "That one even I can remember."},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(notes?|tidy|writes?|orderly|list\w*|neat)\b`),
		keeps:   "First in my notes stands what %s read from %s.",
		prefers: regexp.MustCompile(`\*\*|\bcalled\b`),
		leads:   []string{"For my notes I copied this:", "This goes into my notes too:"},
		tails:   []string{"Have you all got that?", ""},
	},
	{
		persona: regexp.MustCompile(`(?i)\b(think\w*|thought\w*|quiet|careful|deep|slow|reflect\w*)\b`),
		keeps:   "I will go on thinking about what %s read from %s.",
		prefers: regexp.MustCompile(`(?i)\b(because|so|therefore|if|since|reason)\b`),
		leads:   []string{"I have been thinking about this:", "It seems to me that this belongs to it:"},
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
