package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"colloquy/store"
)

const restoreAdvice = "Stop colloquy, keep the folder as it is, and restore the last backup into an empty one; " +
	"see docs/operating.md."

func examineDatabase(ctx context.Context, v *store.Inspection) []finding {
	var out []finding
	damage, err := v.Damage(ctx)
	switch {
	case err != nil:
		return []finding{failed("database", "cannot be read: "+err.Error(), restoreAdvice)}
	case len(damage) > 0:
		out = append(out, failed("database", "is damaged: "+strings.Join(damage, "; "), restoreAdvice))
	default:
		out = append(out, ok("database", "whole"))
	}
	return append(out, examineSchema(ctx, v), examineSizes(v))
}

func examineSchema(ctx context.Context, v *store.Inspection) finding {
	have, newest, err := v.Schema(ctx)
	text := fmt.Sprintf("schema %d", have)
	switch {
	case err != nil:
		return failed("schema", err.Error(), restoreAdvice)
	case have > newest:
		return failed("schema", fmt.Sprintf("%s; this program knows %d at most", text, newest),
			"Use the newer colloquy that wrote it, or restore a backup from before the upgrade.")
	case have < newest:
		return warn("schema", fmt.Sprintf("%s; the newest is %d", text, newest),
			"The next start of this program migrates it, and keeps a copy of the old file.")
	}
	return ok("schema", text+", the newest")
}

// largestWAL is larger than a write-ahead log that is checkpointed normally.
const largestWAL = 256 << 20

func examineSizes(v *store.Inspection) finding {
	file, wal, err := v.Sizes()
	text := fmt.Sprintf("%s, and %s of write-ahead log", formatBytes(file), formatBytes(wal))
	switch {
	case err != nil:
		return failed("size", err.Error(), restoreAdvice)
	case wal > largestWAL:
		return warn("size", text, "Restart colloquy, which copies the log into the file. "+
			"If it grows again, look for a program that keeps the file open.")
	}
	return ok("size", text)
}

// clockTolerance is more than a normal difference between the clocks of two machines.
const clockTolerance = 2 * time.Minute

// examineClock compares the clock with the time of the newest event.
func examineClock(ctx context.Context, v *store.Inspection, now time.Time) finding {
	const layout = "2 January 2006, 15:04 MST"
	const remedy = "Set the machine's clock, best by the network (timedatectl set-ntp true). " +
		"A wrong clock loses no data, but times are shown wrong and logins end early or late."
	text := now.Format(layout)
	newest, err := v.Newest(ctx)
	switch {
	case err != nil:
		return failed("clock", err.Error(), restoreAdvice)
	case newest != 0 && newest.Time().After(now.Add(clockTolerance)):
		return failed("clock", text+" is before the newest event, of "+
			newest.Time().In(now.Location()).Format(layout), remedy)
	case now.Year() < 2026:
		return failed("clock", text+" is in the past", remedy)
	}
	return ok("clock", text)
}
