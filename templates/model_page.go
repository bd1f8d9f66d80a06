package templates

import (
	"context"
	"strings"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

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

// NumberLabels lists the labels of number fields of a model's form for a sentence.
func NumberLabels(l *locale.Language, fields ...string) string {
	var labels []string
	for _, name := range fields {
		labels = append(labels, l.Text("format.quote", "Text", l.Text("model.field_"+name)))
	}
	return l.Join(labels)
}

// deleteModelText says what happens when a model is removed.
func deleteModelText(ctx context.Context, v ModelPageView) string {
	sentences := []string{t(ctx, "model.removed_key")}
	if v.Choice.isDefault(v.Model.ID) {
		sentences = append(sentences, t(ctx, "model.removed_default"))
	}
	if len(v.UsedBy) > 0 {
		sentences = append(sentences, t(ctx, "model.removed_used", "Users", joinAnd(ctx, v.UsedBy)))
	}
	return strings.Join(sentences, " ")
}

func removeModelQuestion(ctx context.Context, v ModelPageView) string {
	return t(ctx, "model.remove_question", "Name", modelTitle(v.Model), "Effect", deleteModelText(ctx, v))
}
