package web

import (
	"slices"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

// A classChange holds the fields of a class that a request changes; nil keeps one.
type classChange struct {
	Title  *string            `json:"title"`
	Mode   *string            `json:"mode"`
	Rules  *classroom.Rules   `json:"rules"`
	Roster *[]classroom.Agent `json:"roster"`
	Model  *string            `json:"model"`
}

// apply changes c, and checks the result.
func (ch classChange) apply(c *classroom.Class) error {
	var err error
	if ch.Title != nil {
		if c.Title, err = titleOf(*ch.Title, ""); err != nil {
			return err
		}
	}
	if ch.Mode != nil {
		c.Mode = *ch.Mode
	}
	if ch.Rules != nil {
		c.Rules = *ch.Rules
	}
	if ch.Roster != nil {
		if c.Roster, err = checkRoster(*ch.Roster); err != nil {
			return err
		}
	}
	setIfGiven(&c.Model, ch.Model)
	switch {
	case c.Title == "":
		return classroom.ErrBadTitle
	case !validMode(c.Mode):
		return classroom.ErrBadMode
	}
	return checkRules(c.Rules)
}

// titleOf cleans a title and checks it; an empty one becomes otherwise.
func titleOf(title, otherwise string) (string, error) {
	given := title
	title = plainName(title)
	if title == "" && strings.TrimSpace(given) == "" {
		return otherwise, nil
	}
	if title == "" || len([]rune(title)) > 200 {
		return "", classroom.ErrBadTitle
	}
	return title, nil
}

func validMode(mode string) bool {
	_, ok := classroom.FindMode(mode)
	return ok
}

// maxProse is the longest aim, persona, or description of what is withheld, in
// characters: every request to a model contains them.
const maxProse = 4000

// maxFree is how many bytes the sentences may have that are not kept back.
const maxFree = 32 << 10

func checkRules(r classroom.Rules) error {
	switch {
	case r.Manner != "" && !slices.Contains(classroom.Manners(), r.Manner):
		return classroom.ErrManner
	case r.Speakers != "" && !slices.Contains(classroom.Speakers(), r.Speakers):
		return classroom.ErrBadSpeakers
	case utf8.RuneCountInString(r.Aim) > maxProse:
		return classroom.ErrAim
	case utf8.RuneCountInString(r.Withheld) > maxProse, len(strings.Join(r.WithheldFree, "")) > maxFree:
		return classroom.ErrWithheld
	}
	for _, l := range r.Lines() {
		if utf8.RuneCountInString(*l.Value) > classroom.MaxRuleLine {
			return classroom.ErrRuleLine
		}
	}
	return nil
}
