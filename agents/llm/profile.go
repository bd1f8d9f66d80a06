package llm

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

// Cost is what u costs, in millionths of the currency unit. Output includes
// reasoning, so reasoning is not counted again.
func (p Price) Cost(u Usage) int64 {
	sum := int64(u.Input)*p.Input + int64(u.Output)*p.Output + int64(u.CacheRead)*p.CacheRead + int64(u.CacheWrite)*p.CacheWrite
	return (sum + 500_000) / 1_000_000
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
