package classroom

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// A Cursor is an event's place in its session's log, counted from 1. As a
// reader's place it names the last event the reader has handled; 0 is none.
type Cursor int64

// A Stamp is a time in milliseconds since 1970 UTC. In JSON it is RFC 3339
// with three decimals and a Z; the zero Stamp is an empty string.
type Stamp int64

const stampLayout = "2006-01-02T15:04:05.000Z"

// StampOf truncates t to milliseconds.
func StampOf(t time.Time) Stamp { return Stamp(t.UnixMilli()) }

// Time returns the stamp as a UTC time.
func (s Stamp) Time() time.Time { return time.UnixMilli(int64(s)).UTC() }

func (s Stamp) String() string {
	if s == 0 {
		return ""
	}
	return s.Time().Format(stampLayout)
}

// MarshalJSON writes the stamp as RFC 3339.
func (s Stamp) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// UnmarshalJSON reads what MarshalJSON writes, and any other RFC 3339 time.
func (s *Stamp) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return fmt.Errorf("read time: %w", err)
	}
	if text == "" {
		*s = 0
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return fmt.Errorf("read time: %w", err)
	}
	if y := t.UTC().Year(); y < 0 || y > 9999 {
		return fmt.Errorf("read time: the year %d has no RFC 3339 form", y)
	}
	*s = StampOf(t)
	return nil
}

// An Event is one appended fact of a session's log. Its JSON is the envelope
// of docs/events.md; Data holds the payload of its Type.
type Event struct {
	ID       Cursor          `json:"id"`
	Time     Stamp           `json:"ts"`
	Type     Type            `json:"type"`
	Exchange int             `json:"exchange,omitempty"` // from 1; 0 where it does not apply
	Agent    string          `json:"agent,omitempty"`
	Attempt  int             `json:"attempt,omitempty"` // from 1; 0 where it does not apply
	Data     json.RawMessage `json:"data"`

	payload Payload // what Data decodes to, where the event was not read from a database; see [Decode]
}

// A Draft is an event that is not appended yet: it has no cursor and no time.
type Draft struct {
	Exchange int
	Agent    string
	Attempt  int
	Payload  Payload
}

// A Payload is the data of one event type.
type Payload interface{ EventType() Type }

// Encode slims d and returns the event it becomes at cursor id and time ts. The
// event keeps its payload, so that nobody who gets it needs to parse Data.
func (d Draft) Encode(id Cursor, ts Stamp) (Event, error) {
	d = Slim(d)
	data, err := json.Marshal(d.Payload)
	if err != nil {
		return Event{}, fmt.Errorf("encode %s: %w", d.Payload.EventType(), err)
	}
	e := Event{
		ID: id, Time: ts, Type: d.Payload.EventType(),
		Exchange: d.Exchange, Agent: d.Agent, Attempt: d.Attempt, Data: data,
	}
	if u, ok := d.Payload.(MessageUpdate); ok && u.validUTF8() {
		e.payload = u // the frequent one; a test checks that it equals what Data decodes to
		return e, nil
	}
	e.payload, err = decodeData(e)
	return e, err
}

// validUTF8 reports whether all strings of u are valid UTF-8, so that JSON keeps them
// unchanged.
func (u MessageUpdate) validUTF8() bool {
	return utf8.ValidString(u.Delta) && utf8.ValidString(u.MessageID) && utf8.ValidString(u.Kind) &&
		utf8.ValidString(u.CallID) && utf8.ValidString(u.Name)
}

// WithData returns e with other data, which its payload is read from.
func (e Event) WithData(data json.RawMessage) Event {
	e.Data, e.payload = data, nil
	return e
}

// Decode returns the payload of e, or nil for a type this version does not know.
// The payload may be shared with other readers of the event: what it points to
// must not be changed.
func Decode(e Event) (Payload, error) {
	if e.payload != nil {
		return e.payload, nil
	}
	return decodeData(e)
}

func decodeData(e Event) (Payload, error) {
	k, ok := kinds[e.Type]
	if !ok {
		return nil, nil
	}
	p, err := k.decode(e.Data)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", e.Type, err)
	}
	return p, nil
}

func decode[P Payload](data json.RawMessage) (Payload, error) {
	var p P
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, err
	}
	return p, nil
}
