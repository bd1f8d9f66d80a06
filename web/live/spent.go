package live

import (
	"cmp"

	"colloquy/classroom"
)

// addSpent adds what a run used, where e is the end of a run.
func (v *SessionView) addSpent(e classroom.Event) {
	if e.Type != classroom.TypeRunEnd {
		return
	}
	p, err := classroom.Decode(e)
	end, ok := p.(classroom.RunEnd)
	if err != nil || !ok {
		return
	}
	v.spentRev = e.ID
	sum, run := &v.spent.Usage, end.Usage
	for _, f := range []struct {
		sum *int
		run int
	}{
		{&sum.Input, run.Input}, {&sum.Output, run.Output}, {&sum.CacheRead, run.CacheRead},
		{&sum.CacheWrite, run.CacheWrite}, {&sum.Reasoning, run.Reasoning},
	} {
		*f.sum = int(addUse(int64(*f.sum), int64(f.run)))
	}
	if end.Cost != nil {
		cost := addUse(*cmp.Or(v.spent.Cost, new(int64)), *end.Cost)
		v.spent.Cost = &cost
	}
}

// What one run counts for at most, and the largest sum. The sums of package store
// have the same bounds, so that a page and the API show the same.
const (
	maxRunUse = 1_000_000_000_000
	maxUse    = 9_000_000_000_000_000
)

// addUse adds what a run used to a sum. A log may hold any number, so negative
// ones count as 0 and huge ones as maxRunUse.
func addUse(sum, run int64) int64 {
	return min(sum+min(max(run, 0), maxRunUse), maxUse)
}
