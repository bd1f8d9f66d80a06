package templates

import (
	"context"

	"colloquy/classroom"
	"colloquy/templates/locale"
	"colloquy/templates/prose"
)

func entryID(v CardView, w *classroom.Window, e *classroom.Entry) string {
	return EntryID(v.Card.Exchange, w.Index, e.Index)
}

func blockID(v CardView, w *classroom.Window, e *classroom.Entry, block int) string {
	return BlockID(v.Card.Exchange, w.Index, e.Index, block)
}

// textChunks renders a text block, with v.Prose if the caller has its own.
func textChunks(ctx context.Context, v CardView, w *classroom.Window, e *classroom.Entry, block int) []prose.Chunk {
	if v.Prose != nil {
		return v.Prose(w, e, block)
	}
	text, words := e.Message.Blocks[block].Text, ProseWords(locale.From(ctx))
	if e.Message.Open {
		return prose.Open(text, words)
	}
	return finishedChunks(ctx, v.Session, e.Message, block)
}

func retryText(ctx context.Context, r *classroom.Retry) string {
	values := []any{"Attempt", r.Attempt, "Attempts", r.Max, "Wait", formatDuration(ctx, r.WaitMS)}
	key := "entry.retry"
	if r.WaitMS > 0 {
		key = "entry.retry_after"
	}
	out := t(ctx, key, values...)
	if reason := locale.From(ctx).Retry(*r); reason != "" {
		out += " " + shorten(reason, maxLineBytes)
	}
	return out
}

func compactionText(ctx context.Context, c *classroom.Compaction) string {
	if c.TokensAfter > 0 && c.TokensBefore > c.TokensAfter {
		before, after := formatCount(ctx, c.TokensBefore), formatCount(ctx, c.TokensAfter)
		return t(ctx, "entry.compaction_tokens", "Before", before, "After", after)
	}
	return t(ctx, "entry.compaction")
}

func thinkingDuration(ctx context.Context, p *classroom.BlockView) string {
	if p.Ended-p.Started < 1000 {
		return t(ctx, "entry.thought_briefly")
	}
	return t(ctx, "entry.thought", "Time", formatElapsed(ctx, p.Started, p.Ended))
}
