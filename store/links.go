package store

import (
	"context"

	"colloquy/classroom"
)

const selectLink = `SELECT id, kind, object, "right", created_by, created, expires, revoked FROM links `

func scanLink(scan func(...any) error) (classroom.GuestLink, error) {
	var l classroom.GuestLink
	err := scan(&l.ID, &l.Kind, &l.Object, &l.Right, &l.CreatedBy, &l.Created, &l.Expires, &l.Revoked)
	return l, err
}

// CreateLink stores a new link with the hash of its token. An empty id or time is filled
// in.
func (s *Store) CreateLink(
	ctx context.Context, l classroom.GuestLink, tokenHash string,
) (classroom.GuestLink, error) {
	id, err := idOrNew(l.ID)
	if err != nil {
		return classroom.GuestLink{}, err
	}
	l.ID = id
	err = s.change(ctx, func(w *writer) error {
		if l.Created == 0 {
			l.Created = w.stamp()
		}
		_, err := w.exec(`INSERT INTO links (id, token_hash, kind, object, "right", created_by, created, expires)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			l.ID, tokenHash, l.Kind, l.Object, l.Right, l.CreatedBy, int64(l.Created), int64(l.Expires))
		return err
	})
	if err != nil {
		return classroom.GuestLink{}, wrap(err, "create link to %s %s", l.Kind, l.Object)
	}
	return l, nil
}

// Link returns a link, also one that has expired or was revoked.
func (s *Store) Link(ctx context.Context, id string) (classroom.GuestLink, error) {
	l, err := queryOne(ctx, s.read, scanLink, selectLink+`WHERE id = ?`, id)
	return l, wrap(err, "read link %s", id)
}

// LinkByToken returns the link whose token has a hash.
func (s *Store) LinkByToken(ctx context.Context, tokenHash string) (classroom.GuestLink, error) {
	l, err := queryOne(ctx, s.read, scanLink, selectLink+`WHERE token_hash = ?`, tokenHash)
	return l, wrap(err, "look up link")
}

// Links returns the links of an object, newest first.
func (s *Store) Links(ctx context.Context, kind classroom.ObjectKind, object string) ([]classroom.GuestLink, error) {
	ls, err := queryAll(ctx, s.read, scanLink,
		selectLink+`WHERE kind = ? AND object = ? ORDER BY no DESC`, string(kind), object)
	return ls, wrap(err, "list links of %s %s", kind, object)
}

// RevokeLink ends a link. One that was revoked before keeps its time.
func (s *Store) RevokeLink(ctx context.Context, id string) error {
	err := s.change(ctx, func(w *writer) error {
		w.rightsChanged = true
		return requireRow(w.exec(`UPDATE links SET revoked = iif(revoked = 0, ?, revoked) WHERE id = ?`,
			int64(w.stamp()), id))
	})
	return wrap(err, "revoke link %s", id)
}
