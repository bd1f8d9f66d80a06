package classroom

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// someDrafts draws the drafts of a plausible log, or drafts that may say anything.
var someDrafts = rapid.OneOf(
	rapid.Map(lessons, func(l *lesson) []Draft { return l.drafts }),
	rapid.Map(rapid.SliceOfN(someDraft, 0, 30), func(d []Draft) []Draft {
		return append(append([]Draft{},
			lessonOpening...), d...)
	}),
)

func TestSlimLogFoldsAsTheFullOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drafts := someDrafts.Draw(t, "drafts")
		slim, full := slimLog(t, drafts), fullLog(t, drafts)
		fs, ff := new(Fold), new(Fold)
		for i := range drafts {
			fs.Apply(slim[i])
			ff.Apply(full[i])
		}
		if got, want := dump(fs), dump(ff); got != want {
			t.Fatalf("the slim log shows something else: %s", firstDifference(got, want))
		}
		for _, agent := range []string{"ada", "max", "lea"} {
			if got, want := fs.Transcript(agent), ff.Transcript(agent); dump(got) != dump(want) {
				t.Fatalf("transcript of %s: %s", agent, firstDifference(dump(got), dump(want)))
			}
		}
	})
}

// TestSlimLeavesOutWhatOthersHold proves that slimming slims: the bodies of
// agent_end, turn_end and tool updates are gone, and nothing else is.
func TestSlimLeavesOutWhatOthersHold(t *testing.T) {
	left := map[Type][]string{
		TypeAgentEnd:            {"messages"},
		TypeTurnEnd:             {"message", "results"},
		TypeToolExecutionUpdate: {"args"},
	}
	for _, p := range payloadTypes {
		whole := filled(p)
		full, slim := keys(t, whole), keys(t, Slim(Draft{Payload: whole}).Payload)
		for _, key := range left[p.EventType()] {
			if !full[key] {
				t.Errorf("a full %s has no %s", p.EventType(), key)
			}
			maps.DeleteFunc(full, func(k string, _ bool) bool { return k == key || strings.HasPrefix(k, key+".") })
		}
		if !reflect.DeepEqual(slim, full) {
			t.Errorf("a slim %s has the keys %v, not %v", p.EventType(), slim, full)
		}
	}
}

func TestSlimTwiceIsSlimOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := Slim(someDraft.Draw(t, "draft"))
		if twice := Slim(once); !reflect.DeepEqual(twice, once) {
			t.Fatalf("slimmed again: %s", firstDifference(dump(twice.Payload), dump(once.Payload)))
		}
	})
}

// TestEncodeLeavesItsDraftAlone: others still read the draft that was appended.
func TestEncodeLeavesItsDraftAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := someDraft.Draw(t, "draft")
		before, err := json.Marshal(d.Payload)
		if err != nil {
			t.Fatal(err)
		}
		shown := dump(d.Payload)
		if _, err := d.Encode(7, logStart); err != nil {
			t.Fatal(err)
		}
		after, err := json.Marshal(d.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if dump(d.Payload) != shown || !bytes.Equal(before, after) {
			t.Fatalf("encoding changed a draft of %s: %s", d.Payload.EventType(),
				firstDifference(dump(d.Payload), shown))
		}
	})
}

// TestNoListIsNull: programs that read the log may loop over every list in it.
func TestNoListIsNull(t *testing.T) {
	for _, p := range payloadTypes {
		v := reflect.New(reflect.TypeOf(p)).Elem()
		for i := range v.NumField() {
			if v.Field(i).Type() == reflect.TypeFor[json.RawMessage]() {
				v.Field(i).SetBytes([]byte(`{}`)) // whoever calls a tool gives its arguments
			}
		}
		e, err := Draft{Payload: v.Interface().(Payload)}.Encode(1, 1)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(e.Data, []byte("null")) {
			t.Errorf("an empty %s is %s", e.Type, e.Data)
		}
	}
}
