package store

// passageIndexVersion is the version of what indexPassage writes. Raise it with every
// change of that: an index of another version is rebuilt after the next start. A change
// of the table's columns or tokenizer is a migration that makes an empty table.
const passageIndexVersion = 1

var passageRebuild = rebuild{
	name: "passage_index", version: passageIndexVersion, source: "passages", rows: reindexPassages,
}

// reindexPassages replaces rows of the index. A search still finds the old rows of the
// passages that follow.
func reindexPassages(w *writer, after int64, limit int) (last int64, n int, err error) {
	type row struct {
		no, class int64
		passage   passage
	}
	rows, err := queryAll(uninterrupted, w.conn, func(scan func(...any) error) (r row, err error) {
		err = scan(&r.no, &r.class, &r.passage.section, &r.passage.text)
		return r, err
	}, `SELECT p.no, m.class, p.section, p.text FROM passages p JOIN materials m ON m.no = p.material
		WHERE p.no > ? ORDER BY p.no LIMIT ?`, after, limit)
	if err != nil {
		return 0, 0, err
	}
	for _, r := range rows {
		if err := w.indexPassage(r.class, r.no, r.passage); err != nil {
			return 0, 0, err
		}
		last = r.no
	}
	return last, len(rows), nil
}
