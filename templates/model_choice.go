package templates

import (
	"context"

	"colloquy/classroom"
)

// A ModelChoice lists the models that the workbench, a class or an agent can choose.
type ModelChoice struct {
	Models       []classroom.Model
	Default      string // id of the default of the workbench; empty without one
	Fixed        string // the model given by --model, which overrides Default; may be empty
	DefaultLabel string // the name of the model that answers where class and agent choose none
}

// usable returns the models that can be chosen: those with a name.
func (c ModelChoice) usable() []classroom.Model {
	var out []classroom.Model
	for _, m := range c.Models {
		if m.Name != "" {
			out = append(out, m)
		}
	}
	return out
}

// unfinished returns the models whose name was not chosen yet.
func (c ModelChoice) unfinished() []classroom.Model {
	var out []classroom.Model
	for _, m := range c.Models {
		if m.Name == "" {
			out = append(out, m)
		}
	}
	return out
}

// offers reports whether the model of that id can be chosen.
func (c ModelChoice) offers(id string) bool {
	if id == "" || id == classroom.TutorModel {
		return true
	}
	for _, m := range c.usable() {
		if m.ID == id {
			return true
		}
	}
	return false
}

// isDefault reports whether the workbench uses the model of that id by default.
func (c ModelChoice) isDefault(id string) bool { return c.Fixed == "" && c.Default == id }

func defaultModelLabel(ctx context.Context, c ModelChoice) string {
	if c.DefaultLabel == "" {
		return t(ctx, "model.workbench_default")
	}
	return c.DefaultLabel
}

// inheritedLabel is the option of a class that uses the default model.
func inheritedLabel(ctx context.Context, c ModelChoice) string {
	return t(ctx, "model.default", "Model", defaultModelLabel(ctx, c))
}

// agentsChoose reports whether an agent of the class has a model of its own.
func agentsChoose(c classroom.Class) bool {
	for _, a := range c.Roster {
		if a.Model != "" {
			return true
		}
	}
	return false
}
