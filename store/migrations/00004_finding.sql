-- +goose Up
-- Passages are cut anew, as whole paragraphs, lists and tables, and carry the terms by
-- which they are found. They are derived from the materials, and made after the next start.
DROP TABLE passages;
DROP TABLE passage_index;

CREATE TABLE passages (
  no       INTEGER PRIMARY KEY AUTOINCREMENT,
  material INTEGER NOT NULL REFERENCES materials (no) ON DELETE CASCADE,
  heading  TEXT NOT NULL,
  first    INTEGER NOT NULL, -- its first byte in the material's text
  staff    INTEGER NOT NULL, -- 1: a heading says that it is for teachers only
  text     TEXT NOT NULL,
  terms    TEXT NOT NULL     -- see package classroom/search
) STRICT;
CREATE INDEX passages_of_material ON passages (material, no);

ALTER TABLE classes ADD COLUMN reviewed INTEGER NOT NULL DEFAULT 0; -- when its staff last marked what to review as seen

ALTER TABLE materials ADD COLUMN language TEXT NOT NULL DEFAULT '';    -- of its text
ALTER TABLE materials ADD COLUMN staff INTEGER NOT NULL DEFAULT 0;     -- 1: for teachers only
ALTER TABLE materials ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;   -- of its passages or of who may read them
