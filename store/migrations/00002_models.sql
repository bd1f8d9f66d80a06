-- +goose Up
CREATE TABLE models (
  no                INTEGER PRIMARY KEY AUTOINCREMENT,
  id                TEXT NOT NULL UNIQUE,
  title             TEXT NOT NULL,
  provider          TEXT NOT NULL,
  base_url          TEXT NOT NULL,
  private           INTEGER NOT NULL,
  name              TEXT NOT NULL,
  thinking          TEXT NOT NULL,
  context           INTEGER NOT NULL,
  max_output        INTEGER NOT NULL,
  price_input       INTEGER NOT NULL, -- this and the next three: millionths for a million tokens
  price_output      INTEGER NOT NULL,
  price_cache_read  INTEGER NOT NULL,
  price_cache_write INTEGER NOT NULL,
  currency          TEXT NOT NULL,
  sealed            BLOB NOT NULL,    -- the key, see seal.go; empty: none
  created           INTEGER NOT NULL
) STRICT;

ALTER TABLE classes ADD COLUMN model TEXT NOT NULL DEFAULT '';

-- What the runs of a session cost is summed from their ends.
CREATE INDEX events_run_ends ON events (session) WHERE type = 'run_end';
