package templates

import "github.com/a-h/templ"

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

// currentPage marks the link of the page one is on.
func currentPage(yes bool) templ.Attributes {
	if yes {
		return templ.Attributes{"aria-current": "page"}
	}
	return nil
}

// wrong marks a field in which something is not right; what, stands in the element of that id.
func wrong(is bool, told string) templ.Attributes {
	if !is {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": told}
}
