package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"colloquy/classroom"
)

// The limits of a cue. They are not in the schema, see SearchMaterials.
const (
	maxCueQuestion = 500 // characters
	maxCueOptions  = 6
	maxCueOption   = 120 // characters
)

// CueUser is the tool with which a teacher or an assistant asks the person a question,
// with options. It ends the window and the run; the answer opens the next exchange.
func CueUser() Tool {
	return Tool{
		Name: "cue_user",
		Description: "Give the floor to the person: ask one question and wait. Use it when you need their answer to " +
			"go on, or to let them choose. Say what you have to say before you call it.",
		Input: json.RawMessage(`{"type":"object","properties":{` +
			`"question":{"type":"string","description":"One short question."},` +
			`"options":{"type":"array","items":{"type":"string"},` +
			`"description":"At most six short answers to choose from; the person may also type."},` +
			`"multi":{"type":"boolean","description":"Several of the options may be chosen."}},` +
			`"required":["question"],"additionalProperties":false}`),
		Timeout: 5 * time.Second, Roles: []classroom.Role{classroom.Teacher, classroom.Assistant}, InSession: true,
		Run: func(_ context.Context, c Call) (Result, error) {
			var args struct {
				Question string
				Options  []string
				Multi    bool
			}
			if err := json.Unmarshal(c.Args, &args); err != nil {
				return Result{}, err
			}
			cue := &classroom.CueUser{
				Question: strings.TrimSpace(args.Question), Multi: args.Multi && len(args.Options) > 1,
			}
			if wrong := checkCue(cue.Question, args.Options); wrong != "" {
				return Result{Text: wrong, IsError: true}, nil
			}
			for i, label := range args.Options {
				label = strings.Join(strings.Fields(label), " ")
				if label == "" ||
					slices.ContainsFunc(cue.Options, func(o classroom.Option) bool { return o.Label == label }) {
					return Result{IsError: true, Text: "An option is empty, or stands there twice. " +
						"Call it again with options that differ."}, nil
				}
				cue.Options = append(cue.Options, classroom.Option{ID: strconv.Itoa(i + 1), Label: label})
			}
			return Result{Text: "The floor is with the person now. Their answer comes later.", Cue: cue,
				Terminate: true}, nil
		},
	}
}

// checkCue returns an error text for the model if a cue is invalid, otherwise "".
func checkCue(question string, options []string) string {
	switch {
	case question == "":
		return "The question is empty. Call it again with one."
	case utf8.RuneCountInString(question) > maxCueQuestion:
		return fmt.Sprintf("The question is longer than %d characters. Call it with a shorter one.", maxCueQuestion)
	case len(options) > maxCueOptions:
		return fmt.Sprintf("There are more than %d options. Call it again with fewer.", maxCueOptions)
	}
	for _, o := range options {
		if utf8.RuneCountInString(o) > maxCueOption {
			return fmt.Sprintf("An option is longer than %d characters. Call it again with shorter ones.", maxCueOption)
		}
	}
	return ""
}
