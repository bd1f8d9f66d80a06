package llm

// A ToolRefuser is a model that keeps in mind whether its server refused tools.
type ToolRefuser interface {
	Model
	// RefusesTools reports whether a request with tools was refused with
	// [ToolsRefused], and none was answered since.
	RefusesTools() bool
}

// RefusesTools reports whether m is known to refuse tools. A request to it is better made without.
func RefusesTools(m Model) bool {
	r, ok := m.(ToolRefuser)
	return ok && r.RefusesTools()
}

func (p profiled) RefusesTools() bool { return RefusesTools(p.Model) }

func (g guarded) RefusesTools() bool { return RefusesTools(g.Model) }
