package classroom

import (
	"errors"
	"strings"
	"testing"
)

func TestPostCheck(t *testing.T) {
	longest := strings.Repeat("a", MaxTextBytes)
	for _, c := range []struct {
		name string
		post Post
		want error
	}{
		{"a question", Post{Text: "Why is the sky blue?"}, nil},
		{"each delivery: prompt", Post{Text: "x", Delivery: Prompt}, nil},
		{"each delivery: steer", Post{Text: "x", Delivery: Steer}, nil},
		{"each delivery: follow-up", Post{Text: "x", Delivery: FollowUp}, nil},
		{"another delivery", Post{Text: "x", Delivery: "pigeon"}, ErrBadDelivery},
		{"delivery in capitals", Post{Text: "x", Delivery: "Steer"}, ErrBadDelivery},
		{"no text", Post{}, ErrEmptyText},
		{"blank text", Post{Text: " \t\r\n\u00a0\u2003"}, ErrEmptyText},
		{"the longest text", Post{Text: longest}, nil},
		{"one byte more", Post{Text: longest + "a"}, ErrTextTooLong},
		{"too long in bytes, not in letters", Post{Text: strings.Repeat("ß", MaxTextBytes/2+1)}, ErrTextTooLong},
		{"a client id", Post{Text: "x", ClientID: "aZ09_-"}, nil},
		{"the longest client id", Post{Text: "x", ClientID: strings.Repeat("k", 64)}, nil},
		{"a longer client id", Post{Text: "x", ClientID: strings.Repeat("k", 65)}, ErrBadClientID},
		{"a client id with a space", Post{Text: "x", ClientID: "a b"}, ErrBadClientID},
		{"a client id with a line break", Post{Text: "x", ClientID: "a\n"}, ErrBadClientID},
		{"a client id with a letter beyond ASCII", Post{Text: "x", ClientID: "ä"}, ErrBadClientID},
		{"a client id that is a path", Post{Text: "x", ClientID: "../a"}, ErrBadClientID},
		{"what a person meets first is said first", Post{Delivery: "pigeon", ClientID: "a b"}, ErrEmptyText},
	} {
		if got := c.post.Check(); !errors.Is(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestValidID(t *testing.T) {
	for b := range 256 {
		id := string([]byte{byte(b)})
		want := strings.Contains("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", id)
		if got := ValidID(id); got != want {
			t.Errorf("ValidID(%q) is %t", id, got)
		}
		if got := ValidID("ok" + id + "ok"); got != want {
			t.Errorf("ValidID(%q) is %t", "ok"+id+"ok", got)
		}
	}
	if ValidID("") {
		t.Error("the empty id is valid")
	}
}
