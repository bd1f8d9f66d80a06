package templates

import "colloquy/classroom"

// A ModelPageView is the page of a connected model.
type ModelPageView struct {
	Page      Page
	Nav       Nav
	Model     classroom.Model
	Draft     ModelDraft
	Choice    ModelChoice
	List      bool     // its server was asked what it has
	Names     []string // of the server's models
	ListError string   // why there are none
	UsedBy    []string // classes and agents that chose it
	Tried     Tried
	Error     string
	Bad       []string // the names of the fields that it is about
}

// unlisted reports whether a name must be typed, since no list shows it.
func (v ModelPageView) unlisted() bool {
	for _, name := range v.Names {
		if name == v.Draft.Name {
			return false
		}
	}
	return true
}

// nobodyChosen reports whether the workbench still has no model, so that this one
// is offered for it.
func (v ModelPageView) nobodyChosen() bool { return v.Choice.Default == "" && v.Choice.Fixed == "" }

// answersTicked reports whether the form has it answer from now on: as was
// chosen, or else for a new one whose server was reached.
func (v ModelPageView) answersTicked() bool {
	if v.Error != "" {
		return v.Draft.Default
	}
	return v.Model.Name == "" && v.ListError == ""
}

var numberLabels = map[string]string{
	"context": "Tokens that it can hold", "max_output": "Tokens of one answer, at most",
	"input": "Read", "output": "Written", "cache_read": "Read again from its cache", "cache_write": "Put into its cache",
}

// NumberWords are the labels of number fields of a model's form, in a sentence.
func NumberWords(fields ...string) string {
	var labels []string
	for _, name := range fields {
		labels = append(labels, "“"+numberLabels[name]+"”")
	}
	return listed(labels)
}

// goneWords say what follows when a model is removed.
func goneWords(v ModelPageView) string {
	words := "Its key is removed with it. What it said in past sessions stays."
	if v.Choice.answersByDefault(v.Model.ID) {
		words += " It answers by default now; after that the built-in tutor does, until you choose another."
	}
	if len(v.UsedBy) > 0 {
		words += " It is chosen for " + listed(v.UsedBy) + "; there the class's own choice answers then, or else the workbench's."
	}
	return words
}
