package store

import (
	"context"
	"time"

	"colloquy/classroom"
)

// Acquire gives the holder the session's lease and returns its generation, which is
// higher than any before. It fails with classroom.ErrLeaseLost while another holder has
// a lease that has not expired. Reads that follow see all that earlier holders appended,
// also by another store on the folder. Appends with the generation fail once the lease
// was released or acquired again; its expiry alone does not make them fail.
func (s *Store) Acquire(
	ctx context.Context, sessionID, holder string, ttl time.Duration,
) (generation int64, err error) {
	err = s.change(ctx, func(w *writer) error {
		st, err := w.session(sessionID)
		if err != nil {
			return err
		}
		now := w.now()
		var other bool
		err = w.row(`SELECT holder NOT IN ('', ?) AND expires > ? FROM sessions WHERE no = ?`,
			holder, now.UnixMilli(), st.no).Scan(&other)
		if err != nil {
			return err
		}
		if other {
			return classroom.ErrLeaseLost
		}
		st.generation, st.leased = st.generation+1, true
		generation = st.generation
		_, err = w.exec(`UPDATE sessions SET generation = ?, holder = ?, expires = ? WHERE no = ?`,
			generation, holder, now.Add(ttl).UnixMilli(), st.no)
		return err
	})
	if err != nil {
		return 0, wrap(err, "acquire lease of %s", sessionID)
	}
	return generation, nil
}

// Renew makes the lease expire ttl from now. It fails with classroom.ErrLeaseLost if
// generation is not the current one.
func (s *Store) Renew(ctx context.Context, sessionID string, generation int64, ttl time.Duration) error {
	err := s.change(ctx, func(w *writer) error {
		st, err := w.leasedSession(sessionID, generation)
		if err != nil {
			return err
		}
		_, err = w.exec(`UPDATE sessions SET expires = ? WHERE no = ?`, w.now().Add(ttl).UnixMilli(), st.no)
		return err
	})
	return wrap(err, "renew lease of %s", sessionID)
}

// Release ends the lease. It fails with classroom.ErrLeaseLost if generation is not the
// current one.
func (s *Store) Release(ctx context.Context, sessionID string, generation int64) error {
	err := s.change(ctx, func(w *writer) error {
		st, err := w.leasedSession(sessionID, generation)
		if err != nil {
			return err
		}
		st.leased = false
		_, err = w.exec(`UPDATE sessions SET holder = '', expires = 0 WHERE no = ?`, st.no)
		return err
	})
	return wrap(err, "release lease of %s", sessionID)
}

// leasedSession returns the session's state if generation is its current lease.
func (w *writer) leasedSession(sessionID string, generation int64) (*sessionState, error) {
	st, err := w.session(sessionID)
	if err != nil {
		return nil, err
	}
	if !st.leased || st.generation != generation {
		return nil, classroom.ErrLeaseLost
	}
	return st, nil
}

// ReleaseAll ends every lease. Call it after Open: the lock of the folder proves that
// no other process holds a lease.
func (s *Store) ReleaseAll(ctx context.Context) error {
	err := s.change(ctx, func(w *writer) error {
		w.dropSessions()
		_, err := w.exec(`UPDATE sessions SET holder = '', expires = 0 WHERE holder <> ''`)
		return err
	})
	return wrap(err, "release all leases")
}
