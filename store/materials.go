package store

import (
	"context"
	"strings"
	"unicode/utf8"

	"colloquy/classroom"
)

const selectMaterial = `SELECT m.id, c.id, m.name, m.media_type, m.bytes, m.pages, m.created
	FROM materials m JOIN classes c ON c.no = m.class `

func scanMaterial(scan func(...any) error) (classroom.Material, error) {
	var m classroom.Material
	err := scan(&m.ID, &m.ClassID, &m.Name, &m.MediaType, &m.Bytes, &m.Pages, &m.Created)
	return m, err
}

// AddMaterial stores a Markdown or plain text and indexes its passages. An empty id or
// time and a zero size are filled in. It fails with classroom.ErrDuplicateName if the
// class has a material of that name (case is ignored), with ErrFileEmpty if the text has
// no words, and with ErrFileEncoding if it is not UTF-8.
func (s *Store) AddMaterial(ctx context.Context, m classroom.Material, text string) (classroom.Material, error) {
	id, err := idOrNew(m.ID)
	switch {
	case err != nil:
		return classroom.Material{}, err
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return classroom.Material{}, classroom.ErrFileEncoding
	}
	text = strings.TrimPrefix(text, "\ufeff")
	language, passages := cutPassages(text)
	if len(passages) == 0 {
		return classroom.Material{}, classroom.ErrFileEmpty
	}
	m.ID = id
	if m.Bytes == 0 {
		m.Bytes = len(text)
	}
	err = s.change(ctx, func(w *writer) error { return w.addMaterial(&m, text, language, passages) })
	if err != nil {
		return classroom.Material{}, wrap(err, "add material %q to class %s", m.Name, m.ClassID)
	}
	return m, nil
}

func (w *writer) addMaterial(m *classroom.Material, text, language string, passages []passage) error {
	class, err := w.classNo(m.ClassID)
	if err != nil {
		return err
	}
	var exists bool
	err = w.row(`SELECT EXISTS (SELECT 1 FROM materials WHERE class = ? AND name = ?)`, class, m.Name).Scan(&exists)
	if err != nil {
		return err
	}
	if exists {
		return classroom.ErrDuplicateName
	}
	if m.Created == 0 {
		m.Created = w.stamp()
	}
	r, err := w.exec(`INSERT INTO materials (id, class, name, media_type, bytes, pages, created, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, m.ID, class, m.Name, m.MediaType, m.Bytes, m.Pages, int64(m.Created), text)
	if err != nil {
		return err
	}
	no, err := r.LastInsertId()
	if err != nil {
		return err
	}
	w.listsChanged = true
	return w.addPassages(no, language, passages)
}

// Materials returns the materials of a class, sorted by name.
func (s *Store) Materials(ctx context.Context, classID string) ([]classroom.Material, error) {
	ms, err := queryAll(ctx, s.read, scanMaterial, selectMaterial+`WHERE c.id = ? ORDER BY m.name, m.no`, classID)
	return ms, wrap(err, "list materials of class %s", classID)
}

// Material returns one material and its text.
func (s *Store) Material(ctx context.Context, id string) (m classroom.Material, text string, err error) {
	m, err = queryOne(ctx, s.read, scanMaterial, selectMaterial+`WHERE m.id = ?`, id)
	if err == nil {
		text, err = queryOne(ctx, s.read, scanText, `SELECT text FROM materials WHERE id = ?`, id)
	}
	return m, text, wrap(err, "read material %s", id)
}

// DeleteMaterial removes a material and its passages.
func (s *Store) DeleteMaterial(ctx context.Context, id string) error {
	err := s.change(ctx, func(w *writer) error {
		w.listsChanged = true
		return requireRow(w.exec(`DELETE FROM materials WHERE id = ?`, id))
	})
	return wrap(err, "delete material %s", id)
}
