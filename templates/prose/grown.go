package prose

import "strings"

// Grown reports whether the chunk new is the chunk old with text inserted before closing tags at its end. The text is
// escaped, has no tags and is not empty. up is the depth of the element that grows: 1 for the element of the chunk. If
// an element with an id holds only the chunk, the one that grows is "#id" followed by ">:last-child" up times.
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

// closingTag returns the index of the closing tag at the end of s, or -1 without one.
func closingTag(s string) int {
	at := strings.LastIndexByte(s, '<')
	if at < 0 || !strings.HasPrefix(s[at:], "</") || !strings.HasSuffix(s, ">") {
		return -1
	}
	return at
}
