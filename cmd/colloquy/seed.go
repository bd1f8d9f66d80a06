package main

import (
	"context"
	"embed"
	"fmt"
	"path"
	"strings"

	"colloquy/classroom"
	"colloquy/store"
)

//go:embed library/*.md
var library embed.FS

// seed creates the first class of an empty folder, with the starter library, so that the
// first question can be answered. It does nothing if there is a class.
func seed(ctx context.Context, s *store.Store) error {
	classes, err := s.Classes(ctx)
	if err != nil || len(classes) > 0 {
		return err
	}
	done, found, err := s.Setting(ctx, "seeded")
	if err != nil || found && done == "yes" {
		return err
	}
	class, err := s.CreateClass(ctx, classroom.Class{
		Title: "Demo class", Mode: classroom.ModeQA, Roster: starterRoster(),
		Rules: classroom.Rules{
			Aim:    "Try the workbench with the starter materials: twelve topics from nine subjects.",
			Manner: "explain",
		},
	})
	if err != nil {
		return err
	}
	files, err := library.ReadDir("library")
	if err != nil {
		return fmt.Errorf("read the starter library: %w", err)
	}
	for _, f := range files {
		text, err := library.ReadFile(path.Join("library", f.Name()))
		if err != nil {
			return fmt.Errorf("read starter material %s: %w", f.Name(), err)
		}
		m := classroom.Material{ClassID: class.ID, Name: titleOf(string(text), f.Name()), MediaType: "text/markdown"}
		if _, err := s.AddMaterial(ctx, m, string(text)); err != nil {
			return err
		}
	}
	return s.SetSetting(ctx, "seeded", "yes")
}

// titleOf returns the first heading of a Markdown text, or the file's name without its extension.
func titleOf(text, file string) string {
	first, _, _ := strings.Cut(text, "\n")
	if title, ok := strings.CutPrefix(first, "# "); ok {
		return strings.TrimSpace(title)
	}
	return strings.TrimSuffix(file, path.Ext(file))
}

// starterRoster is the default roster of a class: six characters, the teacher first.
func starterRoster() []classroom.Agent {
	return []classroom.Agent{
		{ID: "ada", Name: "Ms Ada", Role: classroom.Teacher, Color: "teal", Avatar: "hexagon", Priority: 10,
			Persona: "Calm and clear. Begins with the answer, then the reason, and checks that it was understood."},
		{ID: "theo", Name: "Theo", Role: classroom.Assistant, Color: "blue", Avatar: "shield", Priority: 7,
			Persona: "Tidy. Turns what was said into terms, tables and steps that one can keep."},
		{ID: "mina", Name: "Mina", Role: classroom.Student, Color: "rust", Avatar: "circle", Priority: 5,
			Persona: "Curious. Asks the question behind the question."},
		{ID: "jonas", Name: "Jonas", Role: classroom.Student, Color: "plum", Avatar: "diamond", Priority: 5,
			Persona: "Doubtful in a friendly way. Wants to know how we know."},
		{ID: "lena", Name: "Lena", Role: classroom.Student, Color: "moss", Avatar: "leaf", Priority: 5,
			Persona: "Practical. Looks for an example from everyday life."},
		{ID: "sam", Name: "Sam", Role: classroom.Student, Color: "amber", Avatar: "square", Priority: 4,
			Persona: "Cheerful and quick. Says it again in his own words, and is sometimes too quick."},
	}
}

// starterQuestions are suggested in an empty session; the starter library answers each.
func starterQuestions() []string {
	return []string{
		"Why are leaves green?",
		"What is the difference between mass and weight?",
		"How do I solve a quadratic equation?",
		"What caused the French Revolution?",
	}
}
