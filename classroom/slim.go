package classroom

// Slim returns d without what other events of the log already hold, and with
// empty lists in place of nil ones, so that readers of the log may loop over
// them. It changes neither its argument nor anything that [Fold] reads.
func Slim(d Draft) Draft {
	switch p := d.Payload.(type) {
	case AgentEnd:
		p.Messages = nil
		d.Payload = p
	case TurnEnd:
		p.Message, p.Results, p.ToolResults = nil, nil, list(p.ToolResults)
		d.Payload = p
	case ToolExecutionUpdate:
		p.Args = nil
		d.Payload = p
	case QueueUpdate:
		p.Steer, p.FollowUp = list(p.Steer), list(p.FollowUp)
		d.Payload = p
	case SessionStart:
		p.Roster = list(p.Roster)
		d.Payload = p
	case RunStart:
		p.Roster = list(p.Roster)
		d.Payload = p
	case MessageEnd:
		p.Blocks = list(p.Blocks)
		d.Payload = p
	case ToolExecutionEnd:
		p.Content = list(p.Content)
		d.Payload = p
	}
	return d
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
