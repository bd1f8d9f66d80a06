package withheld

import (
	"slices"
	"testing"
)

func TestNumbersIn(t *testing.T) {
	for said, want := range map[string][]string{
		"1/2":                                   {"0.5"},
		"½":                                     {"0.5"},
		"half":                                  {"0.5"},
		"50 %":                                  {"0.5", "50"},
		"0,5":                                   {"0.5"},
		"-2":                                    {"2"},
		"17,000":                                {"17000"},
		"17 000 Menschen":                       {"17000"},
		"12 345 678":                            {"12345678"},
		"28th":                                  {"28"},
		"twenty-eight":                          {"28"},
		"twenty-eighth":                         {"28"},
		"one hundred and five":                  {"105"},
		"two thousand and three":                {"2003"},
		"seventeen ninety-four":                 {"1794"},
		"two and three":                         {"2", "3"},
		"vierundzwanzig":                        {"24"},
		"achtundzwanzigsten":                    {"28"},
		"siebzehnhundertvierundneunzig":         {"1794"},
		"eintausendsiebenhundertvierundneunzig": {"1794"},
		"dix-sept":                              {"17"},
		"quatre-vingt-quatorze":                 {"94"},
		"vingt-quatre":                          {"24"},
		"mille sept cent quatre-vingt-quatorze": {"1794"},
		"mil setecientos noventa y cuatro":      {"1794"},
		"veintiocho":                            {"28"},
		"1 7 9 4":                               {"1794", "4971"},
		"one seven nine four":                   {"1794"},
		"\\frac{6}{2}":                          {"3"},
		"x2 and 5x":                             nil,
		"the word bond and the wonder of hundred": {"100"},
	} {
		var got []string
		for _, n := range numbersIn(said, spoken(said)) {
			got = append(got, n.value)
		}
		for _, v := range want {
			if !slices.Contains(got, v) {
				t.Errorf("%q: %v, want %v", said, got, want)
			}
		}
		if len(want) == 0 && len(got) > 0 {
			t.Errorf("%q: %v", said, got)
		}
	}
}
