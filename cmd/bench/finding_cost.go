//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"colloquy/classroom"
	"colloquy/classroom/citation"
)

const (
	costPassages  = 2000
	costSearches  = 1000
	citedAnswer   = 4 << 10 // bytes
	citedPassages = 12
)

// measureFindingCost measures a search in a class of many passages, and the check of an
// answer's citations.
func measureFindingCost(ctx context.Context, _ int) ([]row, error) {
	f, err := newFinding(ctx)
	if err != nil {
		return nil, err
	}
	defer f.close()
	var text strings.Builder
	for i := range costPassages {
		fmt.Fprintf(&text,
			"## Part %d\n\nThe %s of part %d carries water and light to the %s of the island in summer.\n\n",
			i, topics[i%len(topics)], i, topics[(i*7+3)%len(topics)])
	}
	if err := f.addText(ctx, "cost", "cost.md", text.String()); err != nil {
		return nil, err
	}
	var took []time.Duration
	for i := range costSearches {
		q := classroom.MaterialQuery{Question: fmt.Sprintf("What does the %s of part %d carry?",
			topics[i%len(topics)], i)}
		began := time.Now()
		if _, err := f.store.SearchMaterials(ctx, f.classes["cost"], q); err != nil {
			return nil, err
		}
		if i > 0 { // the first makes the index
			took = append(took, time.Since(began))
		}
	}
	slices.Sort(took)
	var passages []classroom.Passage
	for i := range citedPassages {
		passages = append(passages, classroom.Passage{Language: "en", Text: text.String()[i*400 : i*400+400]})
	}
	answer := strings.Repeat("Leaves “carries water and light to the river of the island”, so roots cannot [2]. ", 60)
	var checks []time.Duration
	for range costSearches / 10 {
		began := time.Now()
		citation.Check(answer[:citedAnswer], passages)
		checks = append(checks, time.Since(began))
	}
	slices.Sort(checks)
	return []row{
		{fmt.Sprintf("search in a class of %d passages", costPassages), "p99 ≤ 5 ms",
			"p50 " + formatMS(percentile(took, 0.5)) + ", p99 " + formatMS(percentile(took, 0.99)), "–", "–"},
		{"citations of an answer of 4 KB", "≤ 5 ms", "p99 " + formatMS(percentile(checks, 0.99)), "–", "–"},
	}, nil
}

var topics = []string{"river", "leaf", "root", "lamp", "stone", "market", "poem", "castle", "engine", "cloud", "beetle"}
