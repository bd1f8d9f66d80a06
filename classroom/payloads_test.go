package classroom

import (
	"encoding/json"
	"reflect"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// payloadKeys are the keys of every payload in its full form, "x.y" those of
// what is in it. Other programs read them: none is renamed or removed.
var payloadKeys = map[Type]string{
	TypeSessionStart: "class_id mode roster roster.avatar roster.color roster.id roster.model roster.name " +
		"roster.persona roster.priority roster.role roster.tools rounds title",
	TypeUserMessage: "attachments attachments.bytes attachments.id attachments.media_type attachments.name author " +
		"author.id author.name client_id delivery option speakers staff_only text",
	TypeQueueUpdate: "delivered dropped follow_up follow_up.cursor follow_up.staff_only follow_up.text reason " +
		"steer steer.cursor steer.staff_only steer.text",
	TypeRunStart: "limits limits.seconds limits.tokens limits.tool_calls limits.turns limits.windows model " +
		"prompt roster",
	TypeRunResume:    "reason",
	TypeRunInterrupt: "reason",
	TypeRunEnd:       "code cost detail message params params.x status " + usageKeys,
	TypeAgentStart:   "by model name part role round",
	TypeAgentEnd:     "messages " + messageKeys("messages.") + " stop_reason tool_calls turns " + usageKeys,
	TypeTurnStart:    "turn",
	TypeTurnEnd: "message " + messageKeys("message.") + " results results.call_id results.content " +
		"results.content.kind results.content.text" +
		" results.details results.duration_ms results.is_error results.name results.staff_only " +
		"stop_reason tool_results turn " + usageKeys,
	TypeMessageStart:        "message_id",
	TypeMessageUpdate:       "block call_id delta kind message_id name",
	TypeMessageEnd:          messageKeys(""),
	TypeToolExecutionStart:  "args call_id name view",
	TypeToolExecutionUpdate: "args call_id progress",
	TypeToolExecutionEnd:    "call_id content content.kind content.text details duration_ms is_error name staff_only",
	TypeCueUser:             "code multi options options.id options.label params params.x question",
	TypeRetry:               "attempt max message_id params params.x reason wait_ms",
	TypeCompaction:          "first_kept summary tokens_after tokens_before",
	TypeSafety:              "action adult help_line kind lang prompt",
	TypeHint:                "of question reason rung section tries",
	TypeLift: "by question sources sources.aside sources.from sources.language sources.material sources.material_id " +
		"sources.section sources.staff sources.text text",
	TypeWithheld:       "action message_id",
	TypeCheckpoint:     "lesson_id order scene_id title tool",
	TypeStageLink:      "lesson_id title",
	TypeLibraryChanged: "change lesson_id library title",
	TypeMediaReady:     "error_code lesson_id ref src status",
	TypeWhiteboard:     "action params",
	TypeTitleChange:    "by title",
}

const usageKeys = "usage usage.cache_read usage.cache_write usage.input usage.output usage.reasoning"

func messageKeys(in string) string {
	all := strings.Fields("blocks blocks.args blocks.call_id blocks.kind blocks.name blocks.sealed blocks.text " +
		"citations citations.block citations.from citations.heading citations.material " +
		"citations.material_id citations.n " +
		"citations.passage_id citations.quote citations.status citations.to message_id stop_reason " + usageKeys)
	return in + strings.Join(all, " "+in)
}

func TestPayloadKeys(t *testing.T) {
	for _, p := range payloadTypes {
		var got []string
		for key := range keys(t, filled(p)) {
			got = append(got, key)
		}
		sort.Strings(got)
		if got := strings.Join(got, " "); got != payloadKeys[p.EventType()] {
			t.Errorf("%s\n got: %s\nwant: %s", p.EventType(), got, payloadKeys[p.EventType()])
		}
	}
}

func TestEveryPayloadComesBack(t *testing.T) {
	for _, p := range payloadTypes {
		t.Run(string(p.EventType()), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := someDraft.Draw(t, "draft")
				d.Payload = payloadOf(p).Draw(t, "payload")
				comesBack(t, d)
			})
		})
	}
}

func comesBack(t *rapid.T, d Draft) {
	e, err := d.Encode(5, logStart)
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back Event
	if err := json.Unmarshal(line, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, stored(e)) {
		t.Fatalf("event read back as %+v, not %+v", back, e)
	}
	p, err := Decode(back)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := Decode(e); err != nil || !reflect.DeepEqual(kept, p) {
		t.Fatalf("the event keeps the payload %+v, and its data decodes to %+v (%v)", kept, p, err)
	}
	if reflect.TypeOf(p) != reflect.TypeOf(d.Payload) {
		t.Fatalf("%T read back as %T", d.Payload, p)
	}
	if got, want := dump(p), dump(Slim(d).Payload); got != want {
		t.Fatalf("%s read back: %s", e.Type, firstDifference(got, want))
	}
}

// filled returns a payload of p's type with no field left zero.
func filled(p Payload) Payload {
	v := reflect.New(reflect.TypeOf(p)).Elem()
	fill(v)
	return v.Interface().(Payload)
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`7`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("x"), reflect.ValueOf("y"))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.SetInt(7)
	}
}

// keys returns the keys of p's JSON, those of inner objects after a dot.
func keys(t *testing.T, p Payload) map[string]bool {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	addKeys(out, "", v)
	return out
}

func addKeys(out map[string]bool, in string, v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			addKeys(out, in, x)
		}
	case map[string]any:
		for k, x := range v {
			out[in+k] = true
			addKeys(out, in+k+".", x)
		}
	}
}

// TestEncodedPayloadIsTheStoredOne: who follows a session live folds the payload
// that an event keeps, who comes later folds its data. Both must see the same,
// also where JSON cannot hold a text as it is.
func TestEncodedPayloadIsTheStoredOne(t *testing.T) {
	const broken = "a\xff\xfe\xf0b"
	for _, p := range []Payload{
		MessageUpdate{MessageID: "m", Kind: BlockText, Delta: broken},
		MessageUpdate{MessageID: broken, Kind: BlockText, Delta: "a"},
		MessageUpdate{MessageID: "m", Kind: DeltaToolArgs, CallID: broken, Name: "n"},
		MessageUpdate{MessageID: "m", Kind: DeltaToolArgs, CallID: "c", Name: broken},
		UserMessage{Text: broken},
		ToolExecutionStart{CallID: "c", Name: "n", Args: json.RawMessage(`{ "a" :  "<b>" }`)},
	} {
		e, err := Draft{Exchange: 1, Payload: p}.Encode(1, logStart)
		if err != nil {
			t.Fatal(err)
		}
		kept, _ := Decode(e)
		read, err := Decode(stored(e))
		if err != nil || !reflect.DeepEqual(kept, read) {
			t.Errorf("the event keeps %+v, and its data decodes to %+v (%v)", kept, read, err)
		}
	}
}

// TestFoldsShareEvents folds the same events twice: neither fold may change what
// the other reads.
func TestFoldsShareEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var shared []Event
		for i, d := range lessons.Draw(t, "lesson").drafts {
			e, err := d.Encode(Cursor(i+1), logStart+Stamp(i))
			if err != nil {
				t.Fatal(err)
			}
			shared = append(shared, e)
		}
		first := Of(shared)
		for _, e := range shared {
			WithoutOpaque(e)
		}
		if second := Of(shared); dump(first) != dump(second) {
			t.Fatalf("the second fold differs: %s", firstDifference(dump(second), dump(first)))
		}
		for _, e := range shared {
			kept, _ := Decode(e)
			if read, _ := Decode(stored(e)); !reflect.DeepEqual(kept, read) {
				t.Fatalf("folding changed the payload of event %d to %+v", e.ID, kept)
			}
		}
	})
}
