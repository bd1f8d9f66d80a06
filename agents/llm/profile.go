package llm

import (
	"math"
	"math/bits"
)

// A Profile describes a model: its limits, its price and how to use it.
type Profile struct {
	Title     string // as people call the model
	Context   int    // tokens that request and answer may have together; 0 is unknown
	Assumed   bool   // Context is a guess, because no source gave it
	MaxOutput int    // tokens of one answer; 0 means the provider's default
	Thinking  Level  // for requests to this model
	Price     Price
	Scripted  bool // it answers by rules; it is never used as director or summariser
}

// A Price holds prices in millionths of the currency unit for a million tokens.
type Price struct{ Input, Output, CacheRead, CacheWrite int64 }

// Cost returns what u costs in millionths of the currency unit, at least 0 and at
// most the largest int64. Output includes reasoning, so reasoning is not added.
func (p Price) Cost(u Usage) int64 {
	hi, lo := uint64(0), uint64(500_000) // half a unit, to round
	for _, c := range []struct {
		tokens int
		price  int64
	}{{u.Input, p.Input}, {u.Output, p.Output}, {u.CacheRead, p.CacheRead}, {u.CacheWrite, p.CacheWrite}} {
		h, l := bits.Mul64(uint64(max(0, c.tokens)), uint64(max(0, c.price)))
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

// A Profiled model has a profile.
type Profiled interface {
	Model
	Profile() Profile
}

// ProfileOf returns m's profile, or the zero Profile.
func ProfileOf(m Model) Profile {
	if p, ok := m.(Profiled); ok {
		return p.Profile()
	}
	return Profile{}
}

// With returns m with a profile.
func With(m Model, p Profile) Model { return profiled{m, p} }

type profiled struct {
	Model
	profile Profile
}

func (p profiled) Profile() Profile { return p.profile }
