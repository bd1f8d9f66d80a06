package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

// printTranscript writes a discussion as plain text: each question, each agent's
// messages and calls, and the state of each exchange.
func printTranscript(out io.Writer, f *classroom.Fold) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s\n", plain(f.Title))
	for _, c := range f.Cards {
		printCard(w, c)
	}
	for _, m := range append(append([]classroom.Queued{}, f.Queue.Steer...), f.Queue.FollowUp...) {
		fmt.Fprintf(w, "\nStill waiting: %s\n", plain(m.Text))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("print the transcript: %w", err)
	}
	return nil
}

func printCard(w io.Writer, c *classroom.Card) {
	fmt.Fprintf(
		w,
		"\n%d. %s\n   %s, %s\n",
		c.Exchange,
		plain(c.Question.Text),
		plain(c.Question.Author.Name),
		c.Question.Time,
	)
	for _, window := range c.Windows {
		fmt.Fprintf(w, "\n%s (%s)\n", plain(window.Agent.Name), window.Agent.Role)
		for _, x := range window.Entries {
			printEntry(w, x)
		}
	}
	if s := c.Safety; s != nil {
		if s.Steer != nil {
			fmt.Fprintf(w, "\n%s interjects\n%s\n", plain(s.Steer.Author.Name), indent(plain(s.Steer.Text)))
		}
		fmt.Fprintf(w, "\n%s\n", indent(classroom.Safety{Lang: s.Lang}.Text()))
	}
	fmt.Fprintf(w, "\n[%s]\n", stateText(c))
}

func printEntry(w io.Writer, x *classroom.Entry) {
	switch {
	case x.Message != nil && x.Message.Superseded:
		fmt.Fprintln(w, "   (an earlier attempt was replaced)")
	case x.Message != nil && x.Message.Text() != "":
		fmt.Fprintln(w, indent(plain(x.Message.Text())))
	case x.Call != nil:
		fmt.Fprintf(w, "   (%s %s: %s)\n", plain(x.Call.Name), plain(string(x.Call.Args)), result(x.Call))
	case x.Steer != nil:
		fmt.Fprintf(w, "\n%s interjects\n%s\n", plain(x.Steer.Author.Name), indent(plain(x.Steer.Text)))
	case x.Notice != nil:
		fmt.Fprintln(w, "   (earlier parts of the discussion were summed up for the model)")
	}
}

func result(c *classroom.Call) string {
	switch {
	case !c.Done:
		return "no result"
	case c.IsError:
		return "failed, " + plain(c.Content)
	}
	return fmt.Sprintf("%d ms", c.DurationMS)
}

// stateText returns the state of an exchange in the words of its card.
func stateText(c *classroom.Card) string {
	switch c.State {
	case classroom.CardAsked:
		return "not answered yet"
	case classroom.CardRunning:
		return "the log ends while this was being answered"
	case classroom.CardInterrupted:
		return "interrupted"
	case classroom.CardFailed:
		reason, _ := locale.English().RunEnd(*c.End)
		return "failed: " + plain(reason)
	case classroom.CardCancelled:
		return "stopped"
	}
	if c.Safety != nil {
		return "a message of distress; no agent answered it"
	}
	return "completed"
}

func indent(text string) string {
	return "   " + strings.ReplaceAll(text, "\n", "\n   ")
}

// plain removes control characters: a log holds text from models, pupils and files, and
// none of it may control the terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, text)
}
