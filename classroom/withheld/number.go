package withheld

import (
	"embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"colloquy/classroom/text"
)

//go:embed data/*.txt
var data embed.FS

// numberWords are the values of numbers in words, folded.
var numberWords = func() map[string]float64 {
	content, _ := data.ReadFile("data/numbers.txt")
	out := map[string]float64{}
	for line := range strings.Lines(string(content)) {
		if word, digits, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			out[text.Fold(word)], _ = strconv.ParseFloat(digits, 64)
		}
	}
	return out
}()

// A number is a number that a text names. Its words are those from from to before to.
type number struct {
	value    string // the same for equal numbers, however they are written
	from, to int
	typed    bool // in digits
}

// numbersIn returns the numbers of a text: in digits, grouped or spaced, as fractions and
// percentages, and in words. A long number is also found when it is written backwards.
func numbersIn(s string, words []text.Word) []number {
	var out []number
	add := func(v float64, from, to int, typed bool) {
		out = append(out, number{strconv.FormatFloat(math.Abs(v), 'g', 9, 64), from, to, typed})
	}
	for i, w := range words {
		for _, v := range valuesOf(w.Folded) {
			add(v, i, i+1, true)
			if strings.HasPrefix(strings.TrimLeft(s[w.To:], " \u00a0\u202f\\"), "%") {
				add(v/100, i, i+1, true)
			}
		}
		if v, ok := quotient(s, words, i); ok {
			add(v, i, i+2, true)
		}
		if joined, n := joinedDigits(s, words, i); n > 1 {
			for _, v := range valuesOf(joined) {
				add(v, i, i+n, true)
			}
		}
	}
	return append(out, numbersInWords(words)...)
}

var ordinalEndings = []string{"st", "nd", "rd", "th", "er", "eme", "e", "o", "a"}

// valuesOf returns the values of a word in digits: two where its points may group or part.
func valuesOf(folded string) []float64 {
	if folded == "" || !unicode.IsDigit([]rune(folded)[0]) {
		return nil
	}
	for _, ending := range ordinalEndings {
		if base, ok := strings.CutSuffix(folded, ending); ok && isDigits(base) {
			folded = base
		}
	}
	if a, b, ok := strings.Cut(folded, "⁄"); ok { // what ½ is folded to
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		if errX == nil && errY == nil && y != 0 {
			return []float64{x / y}
		}
		return nil
	}
	var out []float64
	plain := strings.NewReplacer(",", "", ".", "").Replace(folded)
	if !isDigits(plain) {
		return nil
	}
	if v, err := strconv.ParseFloat(strings.ReplaceAll(folded, ",", "."), 64); err == nil {
		out = append(out, v)
	}
	if plain != folded {
		v, _ := strconv.ParseFloat(plain, 64)
		out = append(out, v)
	}
	if len(plain) >= longNumber {
		v, _ := strconv.ParseFloat(reversed(plain), 64)
		out = append(out, v)
	}
	return out
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// quotient returns the value of a fraction of two whole numbers that begins at word i.
func quotient(s string, words []text.Word, i int) (float64, bool) {
	if i+1 >= len(words) || !isDigits(words[i].Folded) || !isDigits(words[i+1].Folded) {
		return 0, false
	}
	between := strings.TrimSpace(s[words[i].To:words[i+1].From])
	fraction := between == "}{" && i > 0 && strings.HasSuffix(words[i-1].Folded, "frac")
	if between != "/" && between != "⁄" && between != "÷" && between != ":" && !fraction {
		return 0, false
	}
	a, _ := strconv.ParseFloat(words[i].Folded, 64)
	b, _ := strconv.ParseFloat(words[i+1].Folded, 64)
	return a / b, b != 0
}

// joinedDigits joins digits with space between them: single ones, and groups of three. It
// returns how many words they are.
func joinedDigits(s string, words []text.Word, i int) (string, int) {
	if !isDigits(words[i].Folded) || len(words[i].Folded) > 3 {
		return "", 0
	}
	joined, size, n := words[i].Folded, 0, 1
	for ; i+n < len(words) && isDigits(words[i+n].Folded); n++ {
		next := words[i+n]
		between := s[words[i+n-1].To:next.From]
		if len(between) > 3 || strings.Trim(between, " -.,'’\u00a0\u202f") != "" {
			break
		}
		if size == 0 {
			size = len(next.Folded)
		}
		if len(next.Folded) != size || size != 3 && (size != 1 || len(words[i].Folded) != 1) {
			break
		}
		joined += next.Folded
	}
	if size == 1 && n < longNumber {
		return "", 0
	}
	return joined, n
}

// numbersInWords returns the numbers that are spelled.
func numbersInWords(words []text.Word) []number {
	var out []number
	for i := 0; i < len(words); {
		c := count{}
		n := 0
		for i+n < len(words) {
			values, ok := valuesInWord(words[i+n].Folded)
			if !ok || !c.addAll(values) {
				break
			}
			n++
			if i+n < len(words) && connects[words[i+n].Folded] && c.mayGoOn(words, i+n+1) {
				n++
			}
		}
		if n == 0 {
			i++
			continue
		}
		value := strconv.FormatFloat(c.total+c.present, 'g', 9, 64)
		out = append(out, number{value: value, from: i, to: i + n})
		i += n
	}
	return append(out, spelledDigits(words)...)
}

// spelledDigits returns numbers whose digits are spelled one by one.
func spelledDigits(words []text.Word) []number {
	var out []number
	for i := 0; i < len(words); i++ {
		digits, n := "", 0
		for i+n < len(words) {
			v, ok := numberWords[words[i+n].Folded]
			if !ok || v != math.Trunc(v) || v > 9 {
				break
			}
			digits += strconv.Itoa(int(v))
			n++
		}
		if n >= longNumber {
			for _, v := range valuesOf(digits) {
				out = append(out, number{value: strconv.FormatFloat(v, 'g', 9, 64), from: i, to: i + n})
			}
			i += n - 1
		}
	}
	return out
}

var connects = map[string]bool{"and": true, "und": true, "et": true, "y": true}

// inflections are the endings of German ordinals.
var inflections = []string{"", "te", "ten", "ter", "tes", "ste", "sten", "ster", "stes", "s", "e"}

// valuesInWord returns the values that a word is made of, such as 4 and 20 for
// "vierundzwanzig"; -1 stands for "und".
func valuesInWord(folded string) ([]float64, bool) {
	for _, ending := range inflections {
		if base, ok := strings.CutSuffix(folded, ending); ok {
			if values, ok := segment(base, 8); ok {
				return values, true
			}
		}
	}
	return nil, false
}

func segment(s string, most int) ([]float64, bool) {
	if v, ok := numberWords[s]; ok {
		return []float64{v}, true
	}
	if most == 0 || len(s) > 64 {
		return nil, false
	}
	for n := len(s) - 3; n >= 3; n-- {
		v, ok := numberWords[s[:n]]
		if s[:n] == "und" {
			v, ok = -1, true
		}
		if !ok {
			continue
		}
		if rest, ok := segment(s[n:], most-1); ok {
			return append([]float64{v}, rest...), true
		}
	}
	return nil, false
}
