package store

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"colloquy/classroom"
)

const sweepInterval = 10 * time.Minute

// Logins stores who is signed in. It implements scs.Store, scs.CtxStore and
// scs.IterableCtxStore. scs hashes the tokens if HashTokenInStore is set.
type Logins struct{ store *Store }

// Logins returns the store's logins.
func (s *Store) Logins() *Logins { return s.logins }

// FindCtx returns the data of a login that has not expired.
func (l *Logins) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	data, err := queryOne(ctx, l.store.read, scanBytes,
		`SELECT data FROM logins WHERE token = ? AND expiry > ?`, token, l.store.now().UnixMilli())
	if errors.Is(err, classroom.ErrNotFound) {
		return nil, false, nil
	}
	return data, err == nil, wrap(err, "find login")
}

// CommitCtx stores the data of a login until expiry.
func (l *Logins) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	if data == nil {
		data = []byte{}
	}
	err := l.store.change(ctx, func(w *writer) error {
		_, err := w.exec(`INSERT INTO logins (token, data, expiry) VALUES (?, ?, ?)
			ON CONFLICT (token) DO UPDATE SET data = excluded.data, expiry = excluded.expiry`,
			token, data, expiry.UnixMilli())
		return err
	})
	return wrap(err, "store login")
}

// DeleteCtx deletes a login; one that does not exist is no error.
func (l *Logins) DeleteCtx(ctx context.Context, token string) error {
	err := l.store.change(ctx, func(w *writer) error {
		_, err := w.exec(`DELETE FROM logins WHERE token = ?`, token)
		return err
	})
	return wrap(err, "delete login")
}

// AllCtx returns every login that has not expired, by token.
func (l *Logins) AllCtx(ctx context.Context) (map[string][]byte, error) {
	type login struct {
		token string
		data  []byte
	}
	found, err := queryAll(ctx, l.store.read, func(scan func(...any) error) (login, error) {
		var x login
		err := scan(&x.token, &x.data)
		return x, err
	}, `SELECT token, data FROM logins WHERE expiry > ?`, l.store.now().UnixMilli())
	if err != nil {
		return nil, wrap(err, "list logins")
	}
	out := make(map[string][]byte, len(found))
	for _, x := range found {
		out[x.token] = x.data
	}
	return out, nil
}

// Find is FindCtx for callers without a context.
func (l *Logins) Find(token string) ([]byte, bool, error) {
	return l.FindCtx(context.Background(), token)
}

// Commit is CommitCtx for callers without a context.
func (l *Logins) Commit(token string, data []byte, expiry time.Time) error {
	return l.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx for callers without a context.
func (l *Logins) Delete(token string) error { return l.DeleteCtx(context.Background(), token) }

// sweep removes expired logins until ctx ends.
func (l *Logins) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := l.deleteExpired(ctx); err != nil && ctx.Err() == nil {
				l.store.logger.ErrorContext(ctx, "remove expired logins", slog.Any("error", err))
			}
		}
	}
}

func (l *Logins) deleteExpired(ctx context.Context) error {
	return l.store.change(ctx, func(w *writer) error {
		_, err := w.exec(`DELETE FROM logins WHERE expiry <= ?`, w.now().UnixMilli())
		return err
	})
}
