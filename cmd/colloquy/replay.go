package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"colloquy/classroom"
)

// maxLogLine bounds one event of a log that somebody else may have written.
const maxLogLine = 32 << 20

type replayFlags struct {
	File string           `arg:"" placeholder:"FILE" help:"A log as JSON lines, as /api/sessions/ID/log gives it."`
	At   classroom.Cursor `placeholder:"CURSOR" help:"Stop after this event. Unset, the whole log is read."`
}

// Run prints the discussion of a log. It sends no request and opens no data folder.
func (f replayFlags) Run(to console) error {
	file, err := os.Open(f.File)
	if err != nil {
		return fmt.Errorf("the log cannot be opened: %w", err)
	}
	defer file.Close()
	fold, err := readLog(file, f.At)
	if err != nil {
		return fmt.Errorf("%s: %w", f.File, err)
	}
	return printTranscript(to.out, fold)
}

// readLog folds the events of r up to and including a cursor; 0 means all events.
func readLog(r io.Reader, at classroom.Cursor) (*classroom.Fold, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLogLine)
	fold, line := new(classroom.Fold), 0
	for lines.Scan() {
		line++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var e classroom.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d is not an event: %w", line, err)
		}
		if at != 0 && e.ID > at {
			break
		}
		if e.ID > fold.Cursor+1 {
			return nil, fmt.Errorf("line %d is event %d, but %d is missing; fetch the log again from the start",
				line, e.ID, fold.Cursor+1)
		}
		fold.Apply(e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d cannot be read: %w", line+1, err)
	}
	if fold.Cursor == 0 {
		return nil, errors.New("this file holds no event")
	}
	return fold, nil
}
