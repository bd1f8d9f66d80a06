package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

// A Library searches the materials of a class. Package store implements it.
type Library interface {
	SearchMaterials(ctx context.Context, class string, q classroom.MaterialQuery) (classroom.Found, error)
	// NextPassages returns the passages of a material that follow its byte after, in order;
	// -1 is the beginning.
	NextPassages(ctx context.Context, material string, after, limit int, staff bool) ([]classroom.Passage, error)
	Materials(ctx context.Context, class string) ([]classroom.Material, error)
	// IndexProgress returns the progress of a rebuild of the search index, and false if
	// there is none.
	IndexProgress() (classroom.Progress, bool)
}

// A SearchResult is the structured result of search_materials.
type SearchResult struct {
	Query string `json:"query"`
	classroom.Found
	Topics []string `json:"topics,omitempty"` // names of the materials, if nothing was found
	// Reading is set if nothing was found and the index is not complete.
	Reading *classroom.Progress `json:"reading,omitempty"`
}

const (
	maxPassages = 6
	maxTopics   = 24
	maxQuery    = 2000 // characters
)

// SearchMaterials is the tool with which agents search the materials of a class. Its
// schema has no limits, because llama.cpp compiles a schema to a grammar and refuses
// large repetitions; Run checks the limits.
func SearchMaterials(lib Library) Tool {
	return Tool{
		Parallel: true,
		Name:     searchTool,
		View:     "passages",
		Description: "Search the class's own materials. Returns the passages that fit best, each with its source. " +
			"Use it before you state a fact; quote what you use and name its source.",
		Input: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string",` +
			`"description":"what to look for, in a few words"}},"required":["query"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},` +
			`"passages":{"type":"array","items":{"type":"object",` +
			`"properties":{"material_id":{"type":"string"},"material":{"type":"string"},"section":{"type":"string"},` +
			`"text":{"type":"string"}},"required":["material","text"]}},` +
			`"topics":{"type":"array","items":{"type":"string"}},` +
			`"reading":{"type":"object","properties":{"done":{"type":"integer"},"total":{"type":"integer"}}}},` +
			`"required":["query","passages"]}`),
		Run: func(ctx context.Context, c Call) (Result, error) {
			var args struct {
				Query string `json:"query"`
			}
			if err := json.Unmarshal(c.Args, &args); err != nil {
				return Result{}, fmt.Errorf("read the query: %w", err)
			}
			switch n := utf8.RuneCountInString(args.Query); {
			case strings.TrimSpace(args.Query) == "":
				return Result{IsError: true, Text: "The query is empty. Call the tool again with a few words."}, nil
			case n > maxQuery:
				return Result{IsError: true, Text: fmt.Sprintf("The query has %d characters; %d are allowed. "+
					"Call the tool again with a few words to look for.", n, maxQuery)}, nil
			}
			return searchLibrary(ctx, lib, c.Class, args.Query)
		},
	}
}

func searchLibrary(ctx context.Context, lib Library, class, query string) (Result, error) {
	res := SearchResult{Query: query}
	progress, reading := lib.IndexProgress() // before the search: a rebuild may end during it
	found, err := lib.SearchMaterials(ctx, class, classroom.MaterialQuery{Question: query, Limit: maxPassages})
	if err != nil {
		return Result{}, err
	}
	res.Found = found
	if res.Passages == nil {
		res.Passages = []classroom.Passage{}
	}
	none := len(res.Passages) == 0
	if none && reading {
		res.Reading = &progress
	}
	if none {
		all, err := lib.Materials(ctx, class)
		if err != nil {
			return Result{}, err
		}
		for _, m := range all[:min(len(all), maxTopics)] {
			res.Topics = append(res.Topics, m.Name)
		}
	}
	return Result{Text: res.text(), Details: res}, nil
}

func (f SearchResult) text() string {
	if len(f.Passages)+len(f.Topics) == 0 {
		return "This class has no materials yet, so there is nothing to search. Its teacher can add Markdown or " +
			"text files on the page of the class, under Materials."
	}
	if f.Reading != nil {
		return fmt.Sprintf("Nothing was found yet, because the materials are still being prepared for the search: "+
			"%d of %d materials are done. Say so, do not say that the materials hold nothing, "+
			"and suggest asking again in a few minutes.", f.Reading.Done, f.Reading.Total)
	}
	var b strings.Builder
	for _, r := range f.Repairs {
		fmt.Fprintf(&b, "%q was read as %q.\n", r.Typed, r.Read)
	}
	if len(f.Passages) == 0 {
		f.writeMiss(&b)
	}
	for i, p := range f.Passages {
		writePassage(&b, i+1, p)
	}
	return strings.TrimSpace(b.String())
}

// writeMiss says what the materials do hold.
func (f SearchResult) writeMiss(b *strings.Builder) {
	fmt.Fprintf(b, "Nothing in the class's materials answers %q. The materials are about: %s.\n", f.Query,
		strings.Join(f.Topics, ", "))
	if len(f.Mentioned) == 0 || len(f.Near) == 0 {
		return
	}
	fmt.Fprintf(b, "They do mention: %s. These passages do, but may not answer the question:\n\n",
		strings.Join(f.Mentioned, ", "))
	for i, p := range f.Near {
		writePassage(b, i+1, p)
	}
}

func writePassage(b *strings.Builder, n int, p classroom.Passage) {
	fmt.Fprintf(b, "[%d] %s", n, p.Material)
	if p.Section != "" {
		fmt.Fprintf(b, ", %s", p.Section)
	}
	fmt.Fprintf(b, "\n%s\n\n", p.Text)
}
