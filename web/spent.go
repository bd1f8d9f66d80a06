package web

import (
	"colloquy/classroom"
	"colloquy/templates"
)

// spend adds what a run used, where e is the end of one.
func (s *screen) spend(e classroom.Event) {
	if e.Type != classroom.TypeRunEnd {
		return
	}
	p, err := classroom.Decode(e)
	end, ok := p.(classroom.RunEnd)
	if err != nil || !ok {
		return
	}
	s.spentRev = e.ID
	s.spent.Usage = s.spent.Usage.Plus(end.Usage)
	if end.Cost != nil {
		sum := *end.Cost
		if s.spent.Cost != nil {
			sum += *s.spent.Cost
		}
		s.spent.Cost = &sum
	}
}

func (s *screen) drawSpent() string { return render(templates.SpentFigures(s.spent)) }
