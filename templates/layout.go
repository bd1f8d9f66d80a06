package templates

func pageTitle(title string) string {
	if title == "" {
		return "Colloquy"
	}
	return short(title, 120) + " · Colloquy"
}

func pressed(yes bool) string {
	if yes {
		return "true"
	}
	return "false"
}
