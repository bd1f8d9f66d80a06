package web

import (
	"context"

	"colloquy/classroom"
	"colloquy/classroom/withheld"
)

// withheldPassages is how many passages of an answer are withheld: as many as agents see.
const withheldPassages = 3

// withheldIn returns what a class withholds from all but its staff.
func (s *Server) withheldIn(ctx context.Context, class classroom.Class) (withheld.Set, error) {
	instruction := class.Rules.Withheld
	if instruction == "" {
		return withheld.Set{}, nil
	}
	found, err := s.opt.Materials.SearchMaterials(ctx, class.ID, classroom.MaterialQuery{
		Question: withheld.Subject(instruction), Limit: withheldPassages, Topic: true, Staff: true,
	})
	return withheld.Of(instruction, found.Passages), err
}
