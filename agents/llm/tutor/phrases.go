package tutor

import (
	"embed"
	"slices"
	"strings"

	"colloquy/classroom/text"
)

//go:embed data/*.txt
var data embed.FS

// defaultLanguage is spoken where neither the passages nor the question have a language
// with phrases.
const defaultLanguage = "en"

// A phrasebook holds the phrases of a language: for each key the ways to say it.
type phrasebook map[string][]string

// phrasebooks are the files of data, by language.
var phrasebooks = func() map[string]phrasebook {
	out := map[string]phrasebook{}
	files, _ := data.ReadDir("data")
	for _, f := range files {
		content, _ := data.ReadFile("data/" + f.Name())
		book := phrasebook{}
		for line := range strings.Lines(string(content)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
				book[key] = append(book[key], value)
			}
		}
		out[strings.TrimSuffix(f.Name(), ".txt")] = book
	}
	return out
}()

// phrasesIn returns the phrases of the first language that has some.
func phrasesIn(languages ...string) phrasebook {
	for _, l := range languages {
		if book, ok := phrasebooks[l]; ok {
			return book
		}
	}
	return phrasebooks[defaultLanguage]
}

// say returns one of the ways to say what a key stands for, with the values of names
// filled in. turn chooses the way.
func (b phrasebook) say(key string, turn int, names ...string) string {
	ways := b[key]
	if len(ways) == 0 {
		return ""
	}
	for i := 0; i+1 < len(names); i += 2 {
		names[i] = "{" + names[i] + "}"
	}
	return strings.NewReplacer(names...).Replace(ways[turn%len(ways)])
}

// languageName returns the name of a language in the words of the book, or its code.
func (b phrasebook) languageName(code string) string {
	if name := b["name."+code]; len(name) > 0 {
		return name[0]
	}
	return code
}

// intents are the messages that are answered without a passage, in the order in which
// they are looked for.
var intents = []string{"identity", "feeling", "homework", "lost", "help", "thanks", "greeting"}

// maxIntentWords is how many words a message has that may be an intent although it has
// other words too, such as a name.
const maxIntentWords = 9

// intentOf returns what a message is if it is none to search for, and the language of the
// list that says so.
func intentOf(message string) (intent, language string) {
	said := text.Plain(message)
	if said == "" || len(strings.Fields(said)) > maxIntentWords {
		return "", ""
	}
	for _, intent := range intents {
		for _, language := range []string{"en", "de"} {
			for _, list := range phrasebooks[language]["is."+intent] {
				for phrase := range strings.SplitSeq(list, " | ") {
					if means(withoutFillers(said, language), withoutFillers(text.Plain(phrase), language), language) {
						return intent, language
					}
				}
			}
		}
	}
	return "", ""
}

// withoutFillers drops the words that people put between those of a phrase, such as "so".
func withoutFillers(said, language string) string {
	fillers := strings.Fields(phrasebooks[language].say("filler", 0))
	return strings.Join(slices.DeleteFunc(strings.Fields(said), func(w string) bool {
		return slices.Contains(fillers, w)
	}), " ")
}

// means reports whether a message says a phrase and besides at most one word that could
// be a subject, such as a name.
func means(said, phrase, language string) bool {
	at := strings.Index(" "+said+" ", " "+phrase+" ")
	if at < 0 || phrase == "" {
		return false
	}
	others := 0
	left := said[:at] + " " + said[min(len(said), at+len(phrase)):]
	for _, w := range strings.Fields(left) {
		if !text.IsStop(w, language) && !text.IsAsking(w, language) {
			others++
		}
	}
	return others == 0 || others == 1 && at == 0 && len(strings.Fields(phrase)) > 1
}
