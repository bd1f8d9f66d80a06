package main

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"colloquy/classroom"
	"colloquy/templates/locale"
)

// A modelLabel is what people read about a model.
type modelLabel struct {
	title string
	host  string // of its server; for those who run the workbench
	tutor bool   // the model is the built-in tutor
}

// tutorLabel is the label of the built-in tutor, in the language of ctx.
func tutorLabel(ctx context.Context) modelLabel {
	return modelLabel{title: locale.Text(ctx, "model.tutor_label"), tutor: true}
}

// withHost returns the title and the host.
func (l modelLabel) withHost() string {
	if l.host == "" {
		return l.title
	}
	return locale.English().Text("model.name_at", "Name", l.title, "Host", l.host)
}

// answeringModels returns the titles of the models that answer in a class, and whether that is
// the tutor alone. Pupils read it, so it contains no hosts.
func (c *connections) answeringModels(ctx context.Context, class classroom.Class) (string, bool) {
	ids := []string{class.Model}
	if len(class.Roster) > 0 {
		ids = nil
	}
	for _, a := range class.Roster {
		ids = append(ids, classroom.ModelFor(class, a))
	}
	var titles []string
	onlyTutor := true
	for _, id := range ids {
		l := c.label(ctx, id)
		if !slices.Contains(titles, l.title) {
			titles = append(titles, l.title)
		}
		onlyTutor = onlyTutor && l.tutor
	}
	return strings.Join(titles, ", "), onlyTutor
}

// label returns the label of a model; the empty id is the default model.
func (c *connections) label(ctx context.Context, id string) modelLabel {
	id, err := c.resolve(ctx, id)
	switch {
	case err != nil:
		return modelLabel{title: locale.Text(ctx, "model.not_looked_up")}
	case id == "":
		if c.fixed.modelLabel.tutor {
			return tutorLabel(ctx)
		}
		return c.fixed.modelLabel
	case id == classroom.TutorModel:
		return tutorLabel(ctx)
	}
	m, err := c.store.Model(ctx, id)
	if err != nil || m.Name == "" {
		return modelLabel{title: locale.Text(ctx, "model.no_longer_connected")}
	}
	return modelLabel{title: cmp.Or(m.Title, m.Name), host: hostName(m.BaseURL)}
}

// hostName returns the host of an address, or "" if the address is invalid.
func hostName(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return u.Host
}
