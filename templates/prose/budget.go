package prose

import "time"

// A budget limits the work that one text may cause. When it is spent, formulas and tables show their source and
// code is plain.
// The budget for formulas is counted in steps and bytes, so that it runs out at the same place however a text arrived.
type budget struct {
	steps       int  // of the typesetter: at most a second
	mathML      int  // bytes
	noticeShown bool // that the budget for formulas is spent
	cells       int  // of tables
	html        int  // bytes
	colouring   time.Duration
}

func newBudget() budget {
	return budget{
		steps: 5 * maxSteps, mathML: 8 * maxMathML, cells: maxCells, html: maxHTML,
		colouring: 2 * time.Second,
	}
}
