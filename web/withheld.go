package web

import (
	"context"
	"net/http"
	"slices"

	"colloquy/classroom"
	"colloquy/classroom/withheld"
)

// withheldIn returns what a class withholds from all but its staff.
func (s *Server) withheldIn(ctx context.Context, class classroom.Class) (withheld.Set, error) {
	return withheld.Find(class.Rules.Withheld, class.Rules.WithheldFree,
		func(subject string) ([]classroom.Passage, error) {
			found, err := s.opt.Materials.SearchMaterials(ctx, class.ID, withheld.Query(subject))
			return found.Passages, err
		})
}

// withheldFree returns the sentences that are not kept back: the class's own, changed by the
// boxes of a form. Another instruction begins without any.
func withheldFree(r *http.Request, rules classroom.Rules) []string {
	if r.PostForm.Has("withheld") && r.PostForm.Get("withheld") != rules.Withheld {
		return nil
	}
	shown, kept := r.PostForm["withheld_shown"], r.PostForm["withheld_kept"]
	free := slices.DeleteFunc(slices.Clone(rules.WithheldFree), func(s string) bool {
		return slices.Contains(shown, s)
	})
	for _, s := range shown {
		if !slices.Contains(kept, s) {
			free = append(free, s)
		}
	}
	return free
}
