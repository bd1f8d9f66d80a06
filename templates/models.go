package templates

import (
	"net/url"
	"strconv"
	"strings"

	"colloquy/classroom"
)

// A ModelChoice is what class, agent and workbench may choose from.
type ModelChoice struct {
	Models    []classroom.Model
	Default   string // the id chosen for the workbench; empty: none
	Fixed     string // the model named at the start, which the choice does not replace; may be empty
	Workbench string // who answers where class and agent choose nobody, in words
}

// A ModelDraft is what stands in the fields of a model's forms. There is no key
// in it: a key is never shown again.
type ModelDraft struct {
	Provider, BaseURL                    string
	Private, Default                     bool
	Keyed                                bool // a key was typed
	Title, Name, Thinking                string
	Context, MaxOutput                   string
	Input, Output, CacheRead, CacheWrite string
	Currency                             string
}

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

// Tried is what came of testing a model.
type Tried struct {
	Done bool
	classroom.ModelTest
	Error string
}

// triedWords say what worked.
func triedWords(t Tried) string {
	words := "It works."
	if t.NoTools {
		words = "It answers, but cannot use tools: it will be given passages from the materials instead."
	}
	words += " It said “" + short(t.Answer, 160) + "”, the first of it after " + took(t.AfterMS) + "."
	if t.Streamed {
		words += " Its answer came word by word."
	} else {
		words += " Its answer came in one piece."
	}
	switch {
	case t.NoTools:
	case t.Called:
		words += " It looked into the materials with the search tool."
	default:
		words += " It takes tools, and did not use the search tool this time."
	}
	return words
}

// LocalModels are the servers that were found on this machine.
type LocalModels struct {
	Looked  bool
	Servers []classroom.ModelServer
}

// DraftOf is what a model's forms show of it.
func DraftOf(m classroom.Model) ModelDraft {
	return ModelDraft{
		Provider: m.Provider, BaseURL: m.BaseURL, Private: m.Private, Title: m.Title, Name: m.Name, Thinking: m.Thinking,
		Context: count(m.Context), MaxOutput: count(m.MaxOutput), Currency: m.Currency,
		Input: price(m.Price.Input), Output: price(m.Price.Output), CacheRead: price(m.Price.CacheRead), CacheWrite: price(m.Price.CacheWrite),
	}
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// price shows millionths as a number to be edited; none is empty.
func price(millionths int64) string {
	if millionths == 0 {
		return ""
	}
	text := strconv.FormatFloat(float64(millionths)/1e6, 'f', 6, 64)
	text = strings.TrimRight(text, "0")
	for dot := strings.IndexByte(text, '.'); len(text)-dot-1 < 2; {
		text += "0"
	}
	return text
}

// money shows millionths: two digits behind the point, more where
// two would say nothing.
func money(millionths int64) string {
	digits := 2
	switch {
	case millionths > 0 && millionths < 1_000:
		digits = 6
	case millionths < 100_000:
		digits = 4
	}
	return strconv.FormatFloat(float64(millionths)/1e6, 'f', digits, 64)
}

// hostOf is where a model is asked, as people say it.
func hostOf(m classroom.Model) string {
	if u, err := url.Parse(m.BaseURL); err == nil && u.Host != "" {
		return u.Host
	}
	return m.BaseURL
}

// modelTitle is a model's title, or what stands for one.
func modelTitle(m classroom.Model) string {
	switch {
	case m.Title != "":
		return short(m.Title, 80)
	case m.Name != "":
		return short(m.Name, 80)
	}
	return hostOf(m)
}

func modelAt(m classroom.Model) string {
	if m.Name == "" {
		return "Choose which of its models to use, or cancel."
	}
	if m.Title == "" { // the name stands above it already
		return "at " + hostOf(m)
	}
	return m.Name + " at " + hostOf(m)
}

func protocolWord(provider string) string {
	if provider == classroom.ProviderAnthropic {
		return "Anthropic"
	}
	return "OpenAI"
}

func thinkingWord(level string) string {
	switch level {
	case "off":
		return "Does not think first"
	case "low":
		return "A little"
	case "medium":
		return "Some"
	case "high":
		return "Long"
	}
	return "As its provider has it"
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

// TriedID is the id of where the outcome of a try is told.
func TriedID(model string) string { return "tried-" + model }

func spentNothing(s classroom.Spent) bool {
	return s.Usage == classroom.Usage{} && s.Cost == nil
}

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
