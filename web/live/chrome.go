package live

import (
	"colloquy/classroom"
	"colloquy/templates"
)

// A chrome is what a page shows of a session beside its cards, rendered.
type chrome struct {
	title, roster, queue, composer, spent string
	speaking                              string // the agent that has the floor in roster
}

// emptyID is the id of what a page without cards shows in their place.
const emptyID = "empty"

func (v *SessionView) renderChrome() chrome {
	return chrome{
		title:    v.render(templates.SessionTitle(v.fold.Title)),
		roster:   v.renderRoster(),
		queue:    v.render(templates.QueueList(v.session, v.fold.Queue, v.Audience != classroom.ForPupils)),
		composer: v.render(templates.ComposerActions(v.composer())),
		spent:    v.render(templates.SpentFigures(v.spent)),
		speaking: templates.Speaking(&v.fold),
	}
}

func (v *SessionView) renderRoster() string {
	return v.render(templates.Roster(classroom.Class{Roster: v.fold.Roster}, templates.Speaking(&v.fold)))
}

func (v *SessionView) composer() templates.Composer {
	return templates.Composer{
		Mode:    v.fold.Mode,
		Session: v.session, Running: v.fold.Running != 0, Barrier: v.fold.Barrier,
		Interrupted: v.fold.Status() == classroom.Interrupted, Roster: v.fold.Roster,
	}
}

// diffChrome patches what changed beside the cards since the last patch.
func (v *SessionView) diffChrome(p *patch) {
	if len(v.opened) > 0 && v.opened[0] > v.sentAt {
		p.remove("#" + emptyID)
	}
	now := v.chrome
	if v.fold.HeaderRev > v.sentAt || v.fold.QueueRev > v.sentAt {
		now = v.renderChrome()
	} else if templates.Speaking(&v.fold) != now.speaking {
		now.roster, now.speaking = v.renderRoster(), templates.Speaking(&v.fold)
	}
	if v.spentRev > v.sentAt {
		now.spent = v.render(templates.SpentFigures(v.spent))
	}
	p.morphChanged(templates.SessionTitleID, v.chrome.title, now.title)
	if !v.ReadOnly { // what other pages do not have
		p.morphChanged(templates.QueueID, v.chrome.queue, now.queue)
		p.morphChanged(templates.ComposerActionsID, v.chrome.composer, now.composer)
		p.morphChanged(templates.SpentID, v.chrome.spent, now.spent)
	}
	if v.chrome.roster != now.roster {
		d := htmlDiff{out: p, byPosition: true}
		d.element("#"+templates.RosterID, parse(v.chrome.roster), parse(now.roster))
	}
	v.chrome = now
}

// chromeSince patches what changed beside the cards since a cursor.
func (v *SessionView) chromeSince(cursor classroom.Cursor) *patch {
	p := v.newPatch()
	if len(v.opened) > 0 && v.opened[0] > cursor {
		p.remove("#" + emptyID)
	}
	if v.fold.HeaderRev > cursor {
		p.morph("#"+templates.SessionTitleID, v.chrome.title)
	}
	if v.fold.QueueRev > cursor && !v.ReadOnly {
		p.morph("#"+templates.QueueID, v.chrome.queue)
		p.morph("#"+templates.ComposerActionsID, v.chrome.composer)
	}
	if v.fold.HeaderRev > cursor || v.floorRev() > cursor {
		p.morph("#"+templates.RosterID, v.chrome.roster)
	}
	if v.spentRev > cursor && !v.ReadOnly {
		p.morph("#"+templates.SpentID, v.chrome.spent)
	}
	return p
}

// floorRev returns the last event that may have changed which agent has the floor.
func (v *SessionView) floorRev() classroom.Cursor {
	rev := v.fold.QueueRev
	if c := v.fold.LastCard(); c != nil {
		for _, w := range c.Windows {
			rev = max(rev, w.HeaderRev)
		}
	}
	return rev
}
