package tutor

import "testing"

func TestTermsAreWholeNounPhrases(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Newton's third law": true, "the law of supply": true, "plate boundary": true, "Photosynthesis": true, "Stomata": true,
		"Third": false, "the first": false, "Newton's": false, "Newton’s": false, "In this formula F": false,
		"poisonous": false, "quickly": false, "it": false, "This process": false, "the": false, "": false,
	} {
		if got := nounPhrase(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestNoPieceOfATermIsOne(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"**Newton**'s third law is a law about forces that act in pairs.":      "Newton's third law",
		"Newton's **third** law holds everywhere in the universe.":             "",
		"In this formula $F$ is the resultant force in newtons.":               "",
		"The country has no single document called a constitution at all.":     "",
		"A **plate boundary** is the line along which two plates meet.":        "plate boundary",
		"Living things that make their own food are called producers by most.": "producers",
	} {
		p := &passage{Text: text}
		p.read()
		got := ""
		for _, k := range termsIn(match{unit: p.units[0], from: p}) {
			got += k.name
		}
		if got != want {
			t.Errorf("%q: terms %q, want %q", text, got, want)
		}
	}
}
