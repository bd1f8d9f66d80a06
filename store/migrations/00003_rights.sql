-- +goose Up
-- The id of a person. Classes that existed belong to today's owner; a class without one
-- belongs to whoever becomes the owner of the workbench.
ALTER TABLE classes ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE classes SET owner = coalesce((SELECT id FROM people WHERE role = 'owner'), '');

CREATE TABLE memberships (
  person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  class  INTEGER NOT NULL REFERENCES classes (no) ON DELETE CASCADE,
  role   TEXT NOT NULL,
  PRIMARY KEY (person, class)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_of_class ON memberships (class);

-- Links by which guests come. The token itself is not kept.
CREATE TABLE links (
  no         INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  token_hash TEXT NOT NULL UNIQUE,
  kind       TEXT NOT NULL, -- of the object
  object     TEXT NOT NULL, -- its id
  "right"    TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created    INTEGER NOT NULL,
  expires    INTEGER NOT NULL,
  revoked    INTEGER NOT NULL DEFAULT 0 -- 0: not revoked
) STRICT;
CREATE INDEX links_of_object ON links (kind, object, no);
-- +goose StatementBegin
CREATE TRIGGER links_leave_with_session AFTER DELETE ON sessions BEGIN
  DELETE FROM links WHERE kind = 'session' AND object = old.id;
END;
-- +goose StatementEnd

-- The Review page of a class lists these.
CREATE INDEX events_safety ON events (session, cursor) WHERE type = 'safety';
