package prose

// english are the words of the tests.
var english = Words{
	Table: "Table", Done: "done", ToDo: "to do",
	FormulaTooLarge: "formula too large to display",
	TooManyFormulas: "too many formulas: from here on their source is shown",
	TableTooLarge:   "table too large to display",
}

func renderText(text string) []Chunk { return Render(text, english) }

func openText(text string) []Chunk { return Open(text, english) }

func newDoc() *Doc { return &Doc{Words: english} }
