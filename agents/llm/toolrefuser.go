package llm

// A ToolRefuser is a model that remembers whether its server refused tools.
type ToolRefuser interface {
	Model
	// RefusesTools reports whether a request with tools failed with [ToolsRefused]
	// and no request with tools was answered since.
	RefusesTools() bool
}

// RefusesTools reports whether m is known to refuse tools, so that a request
// should have none.
func RefusesTools(m Model) bool {
	r, ok := m.(ToolRefuser)
	return ok && r.RefusesTools()
}

func (p profiled) RefusesTools() bool { return RefusesTools(p.Model) }

func (g guarded) RefusesTools() bool { return RefusesTools(g.Model) }
