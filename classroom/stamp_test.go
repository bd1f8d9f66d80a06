package classroom

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestStampJSON(t *testing.T) {
	for _, c := range []struct {
		name, in, out string // in and out are JSON
	}{
		{"milliseconds", `"2026-11-30T09:15:02.123Z"`, `"2026-11-30T09:15:02.123Z"`},
		{"whole seconds", `"2026-11-30T09:15:02Z"`, `"2026-11-30T09:15:02.000Z"`},
		{"another zone", `"2026-11-30T10:15:02.5+01:00"`, `"2026-11-30T09:15:02.500Z"`},
		{"finer than milliseconds is cut", `"2026-11-30T09:15:02.123999999Z"`, `"2026-11-30T09:15:02.123Z"`},
		{"before 1970", `"1969-12-31T23:59:59.999Z"`, `"1969-12-31T23:59:59.999Z"`},
		{"leap day", `"2028-02-29T00:00:00.000Z"`, `"2028-02-29T00:00:00.000Z"`},
		{"none", `""`, `""`},
		{"null is none", `null`, `""`},
	} {
		var s Stamp
		if err := json.Unmarshal([]byte(c.in), &s); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if out, err := json.Marshal(s); err != nil || string(out) != c.out {
			t.Errorf("%s: %s became %s, %v", c.name, c.in, out, err)
		}
	}
	for _, in := range []string{`7`, `{}`, `"yesterday"`, `"2026-11-30"`, `"2026-02-30T00:00:00Z"`,
		`"2026-11-30T09:15:02"`, `"9999-12-31T23:59:59-01:00"`, `"0000-01-01T00:00:00+01:00"`} {
		s := Stamp(42)
		if err := json.Unmarshal([]byte(in), &s); err == nil {
			t.Errorf("%s was read as %s", in, s)
		}
	}
}

func TestStampOfCutsToMilliseconds(t *testing.T) {
	at := time.Date(2026, 11, 30, 10, 15, 2, 123_999_999, time.FixedZone("CET", 3600))
	s := StampOf(at)
	if want := time.Date(2026, 11, 30, 9, 15, 2, 123_000_000, time.UTC); !s.Time().Equal(want) ||
		s.Time().Location() != time.UTC {
		t.Errorf("stamp of %s is %s", at, s.Time())
	}
	if got := Stamp(0).String(); got != "" {
		t.Errorf("the zero stamp is %q", got)
	}
}

func TestStampComesBack(t *testing.T) {
	first := StampOf(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC))
	last := StampOf(time.Date(9999, 12, 31, 23, 59, 59, 999_000_000, time.UTC))
	rapid.Check(t, func(t *rapid.T) {
		want := Stamp(rapid.Int64Range(int64(first), int64(last)).Draw(t, "stamp"))
		line, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Stamp
		if err := json.Unmarshal(line, &got); err != nil || got != want {
			t.Fatalf("%d came back from %s as %d, %v", want, line, got, err)
		}
	})
}

// FuzzStamp: whatever is read as a time is written so that it is read as the same time.
func FuzzStamp(f *testing.F) {
	for _, seed := range []string{`"2026-11-30T09:15:02.123Z"`, `""`, `null`, `"9999-12-31T23:59:59-23:59"`,
		`"0000-01-01T00:00:00Z"`, `"2026-11-30T09:15:02,5Z"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var first, second Stamp
		if json.Unmarshal([]byte(in), &first) != nil {
			return
		}
		line, err := json.Marshal(first)
		if err != nil {
			t.Fatalf("%s was read as %d, which cannot be written: %v", in, first, err)
		}
		if err := json.Unmarshal(line, &second); err != nil || second != first {
			t.Fatalf("%s was read as %d, written as %s and read as %d: %v", in, first, line, second, err)
		}
	})
}
