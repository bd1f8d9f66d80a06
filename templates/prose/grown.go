package prose

import "strings"

// Grown reports that the chunk new is the chunk old with text put in just before closing tags at its very end: text is
// escaped, has no tags, and is not empty. up counts the elements from the chunk's own down to the one that grows, 1 for
// the chunk's own. Where an element with an id holds just the chunk, it is the element at "#id" followed by ">:last-child"
// up times, and the text goes to the end of it.
func Grown(old, new string) (up int, text string, ok bool) {
	end := len(old)
	for up = 1; ; up++ {
		start := closingTag(old[:end])
		if start < 0 || old[start:end] == "</math>" {
			return 0, "", false
		}
		end = start
		body, closers := old[:end], old[end:]
		if len(new) <= len(old) || !strings.HasSuffix(new, closers) {
			return 0, "", false
		}
		if !strings.HasPrefix(new, body) {
			continue
		}
		if text = new[len(body) : len(new)-len(closers)]; !strings.ContainsRune(text, '<') {
			return up, text, true
		}
	}
}

// closingTag gives the place of the closing tag at the end of s, and -1 when it ends otherwise.
func closingTag(s string) int {
	at := strings.LastIndexByte(s, '<')
	if at < 0 || !strings.HasPrefix(s[at:], "</") || !strings.HasSuffix(s, ">") {
		return -1
	}
	return at
}
