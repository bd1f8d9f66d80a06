package tutor

import "strings"

var (
	ordinals   = setOf(`first second third fourth fifth sixth seventh eighth ninth tenth last next final former latter other another`)
	adjectives = []string{"ous", "ful", "less", "able", "ible", "ical", "ish", "ive"}
)

// nounPhrase reports whether name, as far as its form tells, is a whole thing
// and no piece of one: no ordinal, no "Newton's" and no adjective by itself,
// and nothing that begins like "in this formula".
func nounPhrase(name string) bool {
	words := wordsOf(trimArticle(name))
	if len(words) == 0 || len(words) > maxTermWords || extra(words) == 0 {
		return false
	}
	head, end := words[0], words[len(words)-1]
	switch {
	case leadsIn[head.fold], pointers[head.fold], stopWords[end.fold], ordinals[end.fold]:
		return false
	case endsPossessive(name), len([]rune(end.fold)) < 2 && len(words) > 1:
		return false
	}
	return len(words) > 1 || !hasAny(head.fold, adjectives...) && !strings.HasSuffix(head.fold, "ly")
}

func endsPossessive(name string) bool {
	name = strings.TrimRight(name, " .:,;*_")
	return strings.HasSuffix(name, "'s") || strings.HasSuffix(name, "’s") || strings.HasSuffix(name, "s'") || strings.HasSuffix(name, "s’")
}

// goesOn reports whether the words behind a bold term belong to it: "**Newton**'s law".
func goesOn(rest string) bool {
	return strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "’") || strings.HasPrefix(rest, "-")
}
