package store

import (
	"colloquy/classroom/material"
	"colloquy/classroom/search"
	"colloquy/classroom/text"
)

// passagesVersion is the version of what [cutPassages] returns. Raise it with every change
// of that, also of a stemmer: passages of another version are made again after the next
// start.
const passagesVersion = 2

var passageRebuild = rebuild{
	name: "passage_index", version: passagesVersion, source: "materials", batch: 1, rows: remakePassages,
}

// A passage is a passage of a material with its terms.
type passage struct {
	material.Passage
	text  string
	terms string
}

// cutPassages returns the passages of a text, and the text's language.
func cutPassages(body string) (language string, out []passage) {
	language = text.Language(body)
	for _, p := range material.Passages(body) {
		said := body[p.From:p.To]
		out = append(out, passage{Passage: p, text: said, terms: search.Terms(p.Heading, said, language)})
	}
	return language, out
}

// remakePassages replaces the passages of materials.
func remakePassages(w *writer, after int64, limit int) (last int64, n int, err error) {
	type row struct {
		no   int64
		text string
	}
	rows, err := queryAll(uninterrupted, w.conn, func(scan func(...any) error) (r row, err error) {
		err = scan(&r.no, &r.text)
		return r, err
	}, `SELECT no, text FROM materials WHERE no > ? ORDER BY no LIMIT ?`, after, limit)
	if err != nil {
		return 0, 0, err
	}
	for _, r := range rows {
		if _, err := w.exec(`DELETE FROM passages WHERE material = ?`, r.no); err != nil {
			return 0, 0, err
		}
		language, passages := cutPassages(r.text)
		if err := w.addPassages(r.no, language, passages); err != nil {
			return 0, 0, err
		}
		last = r.no
	}
	return last, len(rows), nil
}

// addPassages adds the passages of a material that has none.
func (w *writer) addPassages(material int64, language string, passages []passage) error {
	for _, p := range passages {
		_, err := w.exec(`INSERT INTO passages (material, heading, first, staff, text, terms)
			VALUES (?, ?, ?, ?, ?, ?)`, material, p.Heading, p.From, p.Staff, p.text, p.terms)
		if err != nil {
			return err
		}
	}
	_, err := w.exec(`UPDATE materials SET language = ?, changes = changes + 1 WHERE no = ?`, language, material)
	return err
}
