package templates

import "colloquy/classroom"

// A ModelPageView is the page of a connected model.
type ModelPageView struct {
	Page      Page
	Nav       Nav
	Model     classroom.Model
	Draft     ModelDraft
	Choice    ModelChoice
	Listed    bool     // its server was asked for its models
	Names     []string // of the models at the server
	ListError string   // why Names is empty
	UsedBy    []string // classes and agents that chose this model
	Test      ModelTestView
	Error     string
	Invalid   []string // names of the fields that Error is about
}

// nameUnlisted reports whether the name is not among those at the server, so that
// the text field shows it.
func (v ModelPageView) nameUnlisted() bool {
	for _, name := range v.Names {
		if name == v.Draft.Name {
			return false
		}
	}
	return true
}

// hasNoDefault reports whether the workbench has no default model yet, so that the
// form offers to make this one the default.
func (v ModelPageView) hasNoDefault() bool { return v.Choice.Default == "" && v.Choice.Fixed == "" }

// defaultChecked reports whether the box that makes this model the default is
// checked: as the person left it, or else for a new model whose server was reached.
func (v ModelPageView) defaultChecked() bool {
	if v.Error != "" {
		return v.Draft.Default
	}
	return v.Model.Name == "" && v.ListError == ""
}

var numberFields = map[string]string{
	"context": "Context window, in tokens", "max_output": "Longest answer, in tokens",
	"input": "Input", "output": "Output", "cache_read": "Read from the cache", "cache_write": "Written to the cache",
}

// NumberLabels lists the labels of number fields of a model's form for a sentence.
func NumberLabels(fields ...string) string {
	var labels []string
	for _, name := range fields {
		labels = append(labels, "“"+numberFields[name]+"”")
	}
	return joinAnd(labels)
}

// deleteModelText says what happens when a model is removed.
func deleteModelText(v ModelPageView) string {
	text := "Its key is removed with it. What it said in past sessions stays."
	if v.Choice.isDefault(v.Model.ID) {
		text += " It is the default now; afterwards the built-in tutor answers, until you choose another."
	}
	if len(v.UsedBy) > 0 {
		text += " It is chosen for " + joinAnd(v.UsedBy) +
			"; the model of the class or else the default answers there afterwards."
	}
	return text
}
