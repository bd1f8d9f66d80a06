package withheld

import (
	"math"

	"colloquy/classroom/text"
)

// A count adds up the values of a number in words.
type count struct {
	total   float64 // whole thousands
	present float64
	begun   bool
	und     bool // the next value is added, as in "vierundzwanzig"
}

// addAll adds the values of one word, and reports whether they continue the number.
func (c *count) addAll(values []float64) bool {
	next := *c
	for _, v := range values {
		if !next.add(v) {
			return false
		}
	}
	*c = next
	return true
}

// add adds a value, and reports whether it continues the number.
func (c *count) add(v float64) bool {
	last := math.Mod(c.present, 100)
	und := c.und
	c.und = false
	switch {
	case v == -1:
		c.und = true
		return c.begun
	case !c.begun:
		c.present, c.begun = v, true
		if v >= 1000 {
			c.total, c.present = v, 0
		}
	case v != math.Trunc(v) || c.present != math.Trunc(c.present):
		return false
	case v >= 1000:
		c.total, c.present = c.total+max(c.present, 1)*v, 0
	case v == 100 && c.present < 100:
		c.present = max(c.present, 1) * 100
	case last == 4 && v == 20 && !und: // quatre-vingt
		c.present += 76
	case und, last == 0 && c.present+c.total > 0, continues(last, v):
		c.present += v
	case c.total == 0 && c.present >= 10 && c.present < 100 && v >= 10: // seventeen ninety-four
		c.present = c.present*100 + v
	default:
		return false
	}
	return true
}

// continues reports whether a value is added to a number below 100: twenty-four,
// dix-sept, soixante-quatorze.
func continues(last, v float64) bool {
	switch {
	case v >= 20:
		return false
	case last == 10:
		return v >= 7 && v <= 9
	case last == 60, last == 80:
		return true
	}
	return last >= 20 && math.Mod(last, 10) == 0 && v < 10
}

// mayGoOn reports whether the number goes on after "and" with the word at i: after hundreds
// and thousands, or after tens with a unit.
func (c *count) mayGoOn(words []text.Word, i int) bool {
	if i >= len(words) {
		return false
	}
	values, ok := valuesInWord(words[i].Folded)
	last := math.Mod(c.present, 100)
	return ok && values[0] < 100 && (last == 0 && c.present+c.total >= 100 ||
		last >= 20 && math.Mod(last, 10) == 0 && values[0] < 10)
}
