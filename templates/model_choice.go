package templates

import "colloquy/classroom"

// A ModelChoice is what class, agent and workbench may choose from.
type ModelChoice struct {
	Models    []classroom.Model
	Default   string // the id chosen for the workbench; empty: none
	Fixed     string // the model named at the start, which the choice does not replace; may be empty
	Workbench string // who answers where class and agent choose nobody, in words
}

// ready are the models that can be chosen: those that have their name.
func (c ModelChoice) ready() []classroom.Model {
	var out []classroom.Model
	for _, m := range c.Models {
		if m.Name != "" {
			out = append(out, m)
		}
	}
	return out
}

// begun are the models that still have no name.
func (c ModelChoice) begun() []classroom.Model {
	var out []classroom.Model
	for _, m := range c.Models {
		if m.Name == "" {
			out = append(out, m)
		}
	}
	return out
}

// knows reports whether an id is among what can be chosen.
func (c ModelChoice) knows(id string) bool {
	if id == "" || id == classroom.TutorModel {
		return true
	}
	for _, m := range c.ready() {
		if m.ID == id {
			return true
		}
	}
	return false
}

// answersByDefault reports whether a model is the workbench's choice.
func (c ModelChoice) answersByDefault(id string) bool { return c.Fixed == "" && c.Default == id }

func workbenchWords(c ModelChoice) string {
	if c.Workbench == "" {
		return "the workbench's model"
	}
	return c.Workbench
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
