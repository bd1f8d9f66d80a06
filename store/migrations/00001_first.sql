-- +goose Up
CREATE TABLE classes (
  no      INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT NOT NULL UNIQUE,
  title   TEXT NOT NULL,
  mode    TEXT NOT NULL,
  rules   TEXT NOT NULL, -- JSON of classroom.Rules
  roster  TEXT NOT NULL, -- JSON of []classroom.Agent
  created INTEGER NOT NULL
) STRICT;

-- A session's head and the time of its last change are those of its last
-- event, so that an append of plain text touches no row but its own.
CREATE TABLE sessions (
  no         INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  class      INTEGER NOT NULL REFERENCES classes (no) ON DELETE CASCADE,
  title      TEXT NOT NULL,
  mode       TEXT NOT NULL,
  status     TEXT NOT NULL,
  exchanges  INTEGER NOT NULL,
  created    INTEGER NOT NULL,
  generation INTEGER NOT NULL DEFAULT 0, -- of the lease; never goes back
  holder     TEXT NOT NULL DEFAULT '',   -- of the lease; empty: nobody
  expires    INTEGER NOT NULL DEFAULT 0  -- of the lease
) STRICT;
CREATE INDEX sessions_of_class ON sessions (class, no);
CREATE INDEX sessions_unfinished ON sessions (status) WHERE status <> 'idle';

-- Events lie in the order of their commits, whatever their session: many
-- sessions that grow at once then share the pages of a commit. Clustered by
-- session each event costs a page of its own, and twice the time.
CREATE TABLE events (
  no        INTEGER PRIMARY KEY,
  session   INTEGER NOT NULL REFERENCES sessions (no) ON DELETE CASCADE,
  cursor    INTEGER NOT NULL,
  ts        INTEGER NOT NULL,
  type      TEXT NOT NULL,
  exchange  INTEGER NOT NULL,
  agent     TEXT NOT NULL,
  attempt   INTEGER NOT NULL,
  client_id TEXT, -- of a user_message that has one
  data      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_place ON events (session, cursor);
CREATE UNIQUE INDEX events_sent ON events (session, client_id) WHERE client_id IS NOT NULL;

CREATE TABLE materials (
  no         INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  class      INTEGER NOT NULL REFERENCES classes (no) ON DELETE CASCADE,
  name       TEXT NOT NULL COLLATE NOCASE,
  media_type TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  pages      INTEGER NOT NULL,
  created    INTEGER NOT NULL,
  text       TEXT NOT NULL,
  UNIQUE (class, name)
) STRICT;

CREATE TABLE passages (
  no       INTEGER PRIMARY KEY AUTOINCREMENT,
  material INTEGER NOT NULL REFERENCES materials (no) ON DELETE CASCADE,
  section  TEXT NOT NULL,
  text     TEXT NOT NULL
) STRICT;
CREATE INDEX passages_of_material ON passages (material, no);

-- The index of passages; rowid is passages.no. The column "class" holds one
-- word that names the class, so that a search reads one class only.
CREATE VIRTUAL TABLE passage_index USING fts5 (
  class, section, text,
  content = '', contentless_delete = 1,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
-- +goose StatementBegin
CREATE TRIGGER passages_leave_index AFTER DELETE ON passages BEGIN
  DELETE FROM passage_index WHERE rowid = old.no;
END;
-- +goose StatementEnd

CREATE TABLE people (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL COLLATE NOCASE,
  role          TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  created       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX people_names ON people (name) WHERE role <> 'pupil'; -- nicknames may repeat
CREATE UNIQUE INDEX people_owner ON people (role) WHERE role = 'owner';

CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE logins (
  token  TEXT PRIMARY KEY,
  data   BLOB NOT NULL,
  expiry INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX logins_expiry ON logins (expiry);
