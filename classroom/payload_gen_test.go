package classroom

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// payloadTypes are the payloads of all types, with zero values, in the order of their names.
var payloadTypes = func() []Payload {
	var out []Payload
	for _, t := range slices.Sorted(maps.Keys(kinds)) {
		out = append(out, kinds[t].payload)
	}
	return out
}()

// Few values for what refers to something else, so that references often meet.
var (
	someID   = rapid.SampledFrom([]string{"", "m1", "m2", "c1", "c2", "ada", "max"})
	someText = rapid.OneOf(rapid.SampledFrom([]string{"", "Why?", "Chlorophyll absorbs light."}),
		rapid.StringN(0, 12, 40))
	someCursor = rapid.Custom(func(t *rapid.T) Cursor { return Cursor(rapid.IntRange(0, 40).Draw(t, "cursor")) })
	someArgs   = rapid.SampledFrom([]string{`{}`, `{"query":"light"}`, `"not an object"`, `[1,2]`, `7`, `true`,
		`{"a":{"b":[]}}`})
	someRaw  = rapid.Map(someArgs, func(s string) json.RawMessage { return json.RawMessage(s) })
	someKind = rapid.SampledFrom([]string{BlockText, BlockThinking, BlockToolCall, DeltaToolArgs, "drawing"})
	someStop = rapid.SampledFrom([]StopReason{StopEnd, StopLength, StopToolUse, StopError, StopAborted, ""})
)

// payloadFields chooses the values of fields whose meaning the fold looks at.
var payloadFields = map[string]*rapid.Generator[any]{
	"MessageID": someID.AsAny(), "CallID": someID.AsAny(), "ID": someID.AsAny(), "Kind": someKind.AsAny(),
	"Block":      rapid.OneOf(rapid.IntRange(-1, 3), rapid.IntRange(maxBlocks-1, maxBlocks+1)).AsAny(),
	"StopReason": someStop.AsAny(),
	"Delivery":   rapid.SampledFrom([]Delivery{Prompt, Steer, FollowUp, ""}).AsAny(),
	"Status":     rapid.SampledFrom([]string{Completed, Failed, Cancelled, ""}).AsAny(),
	"Reason":     rapid.SampledFrom([]string{"", "barrier", "edited", "run_end", "crash"}).AsAny(),
}

// payloadOf draws a payload of p's type with fields that may mean anything.
func payloadOf(p Payload) *rapid.Generator[Payload] {
	return rapid.Custom(func(t *rapid.T) Payload { return draw(t, reflect.TypeOf(p)).Interface().(Payload) })
}

// draw builds a value of typ. rapid's own Make needs the type at compile time.
func draw(t *rapid.T, typ reflect.Type) reflect.Value {
	switch typ {
	case reflect.TypeFor[json.RawMessage]():
		return reflect.ValueOf(someRaw.Draw(t, "raw"))
	case reflect.TypeFor[Cursor]():
		return reflect.ValueOf(someCursor.Draw(t, "cursor"))
	}
	v := reflect.New(typ).Elem()
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			v.Field(i).Set(drawField(t, typ.Field(i)))
		}
	case reflect.Slice:
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			v = reflect.Append(v, draw(t, typ.Elem()))
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "set") {
			v = reflect.New(typ.Elem())
			v.Elem().Set(draw(t, typ.Elem()))
		}
	case reflect.Map:
		params := rapid.MapOfN(rapid.StringMatching(`[a-z]{1,6}`), someText, 0, 2).Draw(t, "params")
		if len(params) > 0 {
			v.Set(reflect.ValueOf(params).Convert(v.Type()))
		}
	case reflect.String:
		v.SetString(someText.Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	default:
		v.SetInt(int64(rapid.IntRange(-2, 5000).Draw(t, "number")))
	}
	return v
}

func drawField(t *rapid.T, f reflect.StructField) reflect.Value {
	if g, ok := payloadFields[f.Name]; ok {
		return reflect.ValueOf(g.Draw(t, f.Name)).Convert(f.Type)
	}
	return draw(t, f.Type)
}

// somePayload draws a payload of any type.
var somePayload = rapid.Custom(func(t *rapid.T) Payload {
	return payloadOf(rapid.SampledFrom(payloadTypes).Draw(t, "type")).Draw(t, "payload")
})

// someDraft draws a draft that may say anything about anybody.
var someDraft = rapid.Custom(func(t *rapid.T) Draft {
	return Draft{
		Exchange: rapid.IntRange(-1, 4).Draw(t, "exchange"),
		Agent:    someID.Draw(t, "agent"),
		Attempt:  rapid.IntRange(0, 3).Draw(t, "attempt"),
		Payload:  somePayload.Draw(t, "payload"),
	}
})

// A type without a kind could be appended, and nobody could read it.
func TestEveryTypeHasAKind(t *testing.T) {
	source, err := os.ReadFile("kinds.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := regexp.MustCompile(`Type = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	for _, m := range constants {
		if _, ok := kinds[Type(m[1])]; !ok {
			t.Errorf("the type %s has no kind", m[1])
		}
	}
	if len(constants) != len(Types()) {
		t.Errorf("%d constants, %d types", len(constants), len(Types()))
	}
}
