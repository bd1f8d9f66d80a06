package llm

import (
	"math"
	"math/bits"
)

// A Profile is what is known of a model beyond its answers.
type Profile struct {
	Context   int   // tokens that request and answer may hold together; 0 is unknown
	Assumed   bool  // nobody said Context; it is a guess
	MaxOutput int   // tokens of one answer; 0 leaves it to the provider
	Thinking  Level // what to ask for
	Price     Price
	Scripted  bool // it plays its part by rule, and can be asked for nothing else: no choice of speaker, no summary
}

// A Price is in millionths of the currency unit for a million tokens.
type Price struct{ Input, Output, CacheRead, CacheWrite int64 }

// Cost is what u costs, in millionths of the currency unit: never less than 0,
// and the largest int64 where it would be more. Output includes reasoning, so
// reasoning is not counted again.
func (p Price) Cost(u Usage) int64 {
	hi, lo := uint64(0), uint64(500_000) // half a unit, to round
	for _, part := range [][2]int64{{int64(u.Input), p.Input}, {int64(u.Output), p.Output}, {int64(u.CacheRead), p.CacheRead}, {int64(u.CacheWrite), p.CacheWrite}} {
		h, l := bits.Mul64(uint64(max(0, part[0])), uint64(max(0, part[1])))
		var carry uint64
		lo, carry = bits.Add64(lo, l, 0)
		hi += h + carry // four products of 63 bits each fit
	}
	if hi >= 1_000_000 {
		return math.MaxInt64
	}
	cost, _ := bits.Div64(hi, lo, 1_000_000)
	return int64(min(cost, math.MaxInt64))
}

// A Profiled model knows its own profile.
type Profiled interface {
	Model
	Profile() Profile
}

// ProfileOf is m's profile, or the empty one.
func ProfileOf(m Model) Profile {
	if p, ok := m.(Profiled); ok {
		return p.Profile()
	}
	return Profile{}
}

// With is m with a profile.
func With(m Model, p Profile) Model { return profiled{m, p} }

type profiled struct {
	Model
	profile Profile
}

func (p profiled) Profile() Profile { return p.profile }
