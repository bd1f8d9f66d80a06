package templates

import (
	"context"
	"encoding/json"

	"colloquy/classroom"

	"github.com/a-h/templ"
)

// A toolView shows the calls of the tools that name it.
type toolView struct {
	pending string // key of what is said while a model writes a call
	// show returns the label of a call and its content, and false for a call that it
	// cannot show, such as one that failed.
	show func(ctx context.Context, c *classroom.Call) (label string, content templ.Component, ok bool)
}

// toolViews are the views by name. A call without one is shown as it is.
var toolViews = map[string]toolView{
	"passages": {"entry.about_to_search", showPassages},
}

// viewsByTool are the views of calls that do not name theirs: those that a model still
// writes, and those in logs of earlier versions.
var viewsByTool = map[string]string{"search_materials": "passages"}

// showCall returns the label and the content of a call.
func showCall(ctx context.Context, c *classroom.Call) (label string, content templ.Component) {
	name := c.View
	if name == "" {
		name = viewsByTool[c.Name]
	}
	if view, ok := toolViews[name]; ok {
		if label, content, ok := view.show(ctx, c); ok {
			return label, content
		}
	}
	return callLabel(ctx, c), rawCall(c)
}

func callLabel(ctx context.Context, c *classroom.Call) string {
	key := "tool_call.done"
	switch {
	case !c.Done:
		key = "tool_call.running"
	case c.IsError:
		key = "tool_call.failed"
	}
	return t(ctx, key, "Tool", toolName(c.Name))
}

// pendingCallLabel says which call a model is writing.
func pendingCallLabel(ctx context.Context, tool string) string {
	if view, ok := toolViews[viewsByTool[tool]]; ok {
		return t(ctx, view.pending)
	}
	if tool == "" {
		return t(ctx, "entry.preparing")
	}
	return t(ctx, "entry.preparing_tool", "Tool", toolName(tool))
}

// A searchCall is a call that looks something up in the materials.
type searchCall struct {
	Query    string              `json:"query"`
	Passages []classroom.Passage `json:"passages"`
}

func showPassages(ctx context.Context, c *classroom.Call) (string, templ.Component, bool) {
	s := parseSearch(c)
	if s == nil {
		return "", nil, false
	}
	return searchLabel(ctx, c, s), passages(s), true
}

// parseSearch reads the details of a finished search, or the arguments of a
// running one. It returns nil for one that failed.
func parseSearch(c *classroom.Call) *searchCall {
	if c.IsError {
		return nil
	}
	raw := c.Details
	if !c.Done || len(raw) == 0 {
		raw = c.Args
	}
	s := new(searchCall)
	if json.Unmarshal(raw, s) != nil {
		return nil
	}
	return s
}

func searchLabel(ctx context.Context, c *classroom.Call, s *searchCall) string {
	query := shorten(s.Query, maxLineBytes)
	switch {
	case !c.Done:
		return t(ctx, "tool_call.searching", "Query", query)
	case len(s.Passages) == 0:
		return t(ctx, "tool_call.searched_nothing", "Query", query)
	}
	return count(ctx, "tool_call.searched", len(s.Passages), "Query", query)
}
