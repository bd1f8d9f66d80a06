package tutor

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"colloquy/agents/llm"
)

var partHead = regexp.MustCompile(`^(?:Our topic is “.*”\. )?Part (\d+) of \d+\.`)

// partsOf keeps the parts before this one and what was searched for them. What
// a reply in between has read is read in its place all the same. The last
// message is kept where it is what the part has said so far.
func (a act) partsOf(messages []llm.Message, goesOn bool) []llm.Message {
	var out, pending []llm.Message
	summed := slices.ContainsFunc(messages, func(m llm.Message) bool { return isAnswer(m) && strings.HasPrefix(m.Text, summing) })
	for i, m := range messages {
		pending = append(pending, m)
		if !isRemark(m) || goesOn && i == len(messages)-1 {
			continue
		}
		if n := partOf(m.Text); n > 0 && (n < a.Round || summed || a.StageRole == llm.StageSummary) {
			out = append(out, pending...)
		}
		pending = nil
	}
	return append(out, pending...)
}

// partOf is which part of a lecture text is, 0 where it is none.
func partOf(text string) int {
	head := partHead.FindStringSubmatch(text)
	if head == nil {
		return 0
	}
	n, _ := strconv.Atoi(head[1]) // digits always are a number; too many of them are no part
	return n
}

func foundIn(messages []llm.Message) []findings {
	var out []findings
	for _, m := range messages {
		if f, ok := results(m); ok && !f.failed {
			out = append(out, f)
		}
	}
	return out
}

// lastPart is what the lecture said last: a part, or the answer to a question.
func (a act) lastPart() (remark, bool) {
	for _, r := range slices.Backward(a.remarks) {
		if r.quotes() && !r.grants() {
			return r, true
		}
	}
	return remark{}, false
}
