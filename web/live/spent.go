package live

import (
	"cmp"

	"colloquy/classroom"
	"colloquy/templates"
)

// spend adds what a run used, where e is the end of one.
func (s *SessionView) spend(e classroom.Event) {
	if e.Type != classroom.TypeRunEnd {
		return
	}
	p, err := classroom.Decode(e)
	end, ok := p.(classroom.RunEnd)
	if err != nil || !ok {
		return
	}
	s.spentRev = e.ID
	u, v := &s.spent.Usage, end.Usage
	for _, f := range []struct {
		sum *int
		row int
	}{{&u.Input, v.Input}, {&u.Output, v.Output}, {&u.CacheRead, v.CacheRead}, {&u.CacheWrite, v.CacheWrite}, {&u.Reasoning, v.Reasoning}} {
		*f.sum = int(plus(int64(*f.sum), int64(f.row)))
	}
	if end.Cost != nil {
		sum := plus(*cmp.Or(s.spent.Cost, new(int64)), *end.Cost)
		s.spent.Cost = &sum
	}
}

// What a run may count for, and the most that a sum shows; package store's sums
// have the same bounds, so that a page and the API say the same.
const (
	maxRunUse = 1_000_000_000_000
	maxUse    = 9_000_000_000_000_000
)

// plus adds what a run used to a sum. A log may say anything, so neither a
// negative number nor a huge one is taken as it is.
func plus(sum, run int64) int64 {
	return min(sum+min(max(run, 0), maxRunUse), maxUse)
}

func (s *SessionView) drawSpent() string { return render(templates.SpentFigures(s.spent)) }
