package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"colloquy/store"
)

const restoreWords = "Stop colloquy, keep the folder as it is, and restore the last backup into an empty one; see docs/operating.md."

func examineDatabase(ctx context.Context, v *store.Inspection) []finding {
	var out []finding
	damage, err := v.Damage(ctx)
	switch {
	case err != nil:
		return []finding{failed("database", "cannot be read: "+err.Error(), restoreWords)}
	case len(damage) > 0:
		out = append(out, failed("database", "is damaged: "+strings.Join(damage, "; "), restoreWords))
	default:
		out = append(out, good("database", "whole"))
	}
	return append(out, examineSchema(ctx, v), examineSizes(v))
}

func examineSchema(ctx context.Context, v *store.Inspection) finding {
	have, newest, err := v.Schema(ctx)
	says := fmt.Sprintf("schema %d", have)
	switch {
	case err != nil:
		return failed("schema", err.Error(), restoreWords)
	case have > newest:
		return failed("schema", fmt.Sprintf("%s; this program knows %d at most", says, newest), "Use the newer colloquy that wrote it, or restore a backup from before the upgrade.")
	case have < newest:
		return warn("schema", fmt.Sprintf("%s; the newest is %d", says, newest), "The next start of this program brings it up to date, and keeps a copy of what there was.")
	}
	return good("schema", says+", the newest")
}

// largestWAL is more than any checkpoint leaves while it keeps up.
const largestWAL = 256 << 20

func examineSizes(v *store.Inspection) finding {
	file, wal, err := v.Sizes()
	says := fmt.Sprintf("%s, and %s of write-ahead log", roughly(file), roughly(wal))
	switch {
	case err != nil:
		return failed("size", err.Error(), restoreWords)
	case wal > largestWAL:
		return warn("size", says, "Restart colloquy, which folds the log into the file. Where it grows again, look for a program that keeps the file open.")
	}
	return good("size", says)
}

// Clocks of two machines differ by seconds, and a clock that was put right jumps by less than this.
const clockSlack = 2 * time.Minute

// examineClock compares the clock with the newest event, which is past by nature.
func examineClock(ctx context.Context, v *store.Inspection, now time.Time) finding {
	const remedy = "Set the machine's clock, best by the network (timedatectl set-ntp true). Nothing is lost by a wrong one, but times shown are wrong and logins end early or late."
	says := now.Format("2 January 2006, 15:04 MST")
	newest, err := v.Newest(ctx)
	switch {
	case err != nil:
		return failed("clock", err.Error(), restoreWords)
	case newest != 0 && newest.Time().After(now.Add(clockSlack)):
		return failed("clock", says+" is before the newest event, of "+newest.Time().In(now.Location()).Format("2 January 2006, 15:04 MST"), remedy)
	case now.Year() < 2026:
		return failed("clock", says+" is in the past", remedy)
	}
	return good("clock", says)
}
