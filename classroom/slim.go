package classroom

// Slim returns d without what other events of the log already hold. It never
// changes its argument, and it changes nothing that [Fold] reads.
func Slim(d Draft) Draft {
	switch p := d.Payload.(type) {
	case AgentEnd:
		p.Messages = nil
		d.Payload = p
	case TurnEnd:
		p.Message, p.Results = nil, nil
		if p.ToolResults == nil {
			p.ToolResults = []string{}
		}
		d.Payload = p
	case ToolExecutionUpdate:
		p.Args = nil
		d.Payload = p
	case QueueUpdate:
		if p.Steer == nil {
			p.Steer = []Waiting{}
		}
		if p.FollowUp == nil {
			p.FollowUp = []Waiting{}
		}
		d.Payload = p
	}
	return d
}
