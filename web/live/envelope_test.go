package live

import (
	"encoding/json"
	"strings"
	"testing"

	"colloquy/classroom"
	"colloquy/web/live/livetest"
)

// checkEnvelope compares an envelope with what json.Marshal makes of the event.
func checkEnvelope(t *testing.T, e classroom.Event) {
	t.Helper()
	want, wantErr := json.Marshal(e)
	got, err := appendEnvelope([]byte("before "), e)
	if (err == nil) != (wantErr == nil) || string(got) != "before "+string(want) {
		t.Errorf("the envelope of %q is\n%s (%v), want\n%s (%v)", e.Data, got, err, want, wantErr)
	}
}

// The envelopes of scripted logs have the bytes that json.Marshal gives.
func TestEnvelopeOfLogs(t *testing.T) {
	for seed := range uint64(20) {
		for _, e := range livetest.Scripted(seed, 3) {
			checkEnvelope(t, e)
			e.Data = json.RawMessage(strings.NewReplacer(`\u003c`, "<", `\u0026`, "&").Replace(string(e.Data)))
			checkEnvelope(t, e) // as another program may have written it
		}
	}
}

// So have the envelopes of odd events: a log that was imported may hold any JSON.
func TestEnvelopeOfOddEvents(t *testing.T) {
	for _, data := range []string{
		`{}`, `null`, `""`, `[1, 2]`, "{\n  \"a\": 1\r\n}", "{\"a\":\"\u2028 \u2029\"}",
		`{"a":"<&>"}`, `{"a":"\u003c"}`,
		"{\"a\":\"\xff\"}", "{\"a\":\"line\nbreak\"}", "", "{", `{"a":1}}`, "{}\n", `{"a":1e400}`, "\x00",
	} {
		checkEnvelope(t, classroom.Event{ID: 7, Time: 1_800_000_000_001, Type: "x", Data: json.RawMessage(data)})
	}
	checkEnvelope(t, classroom.Event{})
	checkEnvelope(t, classroom.Event{
		ID: -1, Time: -1, Type: "x\ny<", Exchange: -2, Agent: "ä \"b\"", Attempt: 9, Data: json.RawMessage("{}"),
	})
	checkEnvelope(t, classroom.Event{
		ID: 1 << 60, Time: 1 << 50, Type: "hologram", Agent: "a\xffb", Data: json.RawMessage(`{"x":1}`),
	})
}

// BenchmarkEnvelope encodes one delta.
func BenchmarkEnvelope(b *testing.B) {
	s := livetest.NewScript(1)
	s.Exchange, s.Attempt, s.Agent = 3, 1, "ada"
	s.Say(classroom.MessageUpdate{MessageID: "m1", Kind: classroom.BlockText, Delta: strings.Repeat("word ", 30)})
	e := s.Events[len(s.Events)-1]
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		var out []byte
		for b.Loop() {
			out, _ = appendEnvelope(out[:0], e)
		}
	})
	b.Run("marshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = json.Marshal(e)
		}
	})
}
