package agents

import (
	"colloquy/agents/llm"
	"colloquy/classroom"
)

// TrialPassages is what a search finds in a trial.
const TrialPassages = "[1] Light, Leaves\nChlorophyll takes in red and blue light and reflects green light. " +
	"That is why leaves look green."

// TrialRequest is a short question as a class sends it, to test a model with: the
// system text of a teacher, a person and another agent as speakers, and the real search tool.
func TrialRequest() llm.Request {
	teacher := classroom.Agent{ID: "teacher", Name: "Ms Adams", Role: classroom.Teacher}
	assistant := classroom.Agent{ID: "assistant", Name: "Ben", Role: classroom.Assistant}
	roster := []classroom.Agent{teacher, assistant}
	search := SearchMaterials(nil)
	question := "Why are leaves green? Look it up in the materials, then answer in two short sentences."
	beside := assistant.Name + ", " + roleWord(assistant.Role)
	return llm.Request{
		Speaker: llm.Speaker{ID: teacher.ID, Name: teacher.Name, Role: string(teacher.Role)},
		System:  systemPrompt(classroom.Class{Title: "Biology", Roster: roster}, roster, teacher, llm.Rules{}),
		Messages: []llm.Message{
			{Role: llm.User, From: "Visitor", Text: question},
			{Role: llm.User, From: beside, Peer: true, Text: "I think it has to do with light."},
		},
		Tools: []llm.Tool{{Name: search.Name, Description: search.Description, Input: search.Input}},
	}
}
