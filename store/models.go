package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"colloquy/classroom"
)

const modelColumns = `id, title, provider, base_url, private, name, thinking, context, max_output,
	price_input, price_output, price_cache_read, price_cache_write, currency, created`

const selectModel = `SELECT ` + modelColumns + `, length(sealed) > 0 FROM models `

// modelFields are where modelColumns go.
func modelFields(m *classroom.Model) []any {
	return []any{&m.ID, &m.Title, &m.Provider, &m.BaseURL, &m.Private, &m.Name, &m.Thinking, &m.Context, &m.MaxOutput,
		&m.Price.Input, &m.Price.Output, &m.Price.CacheRead, &m.Price.CacheWrite, &m.Currency, &m.Created}
}

func scanModel(scan func(...any) error) (m classroom.Model, err error) {
	err = scan(append(modelFields(&m), &m.HasKey)...)
	return m, err
}

// Model returns one connected model.
func (s *Store) Model(ctx context.Context, id string) (classroom.Model, error) {
	m, err := one(ctx, s.read, scanModel, selectModel+`WHERE id = ?`, id)
	return m, wrap(err, "read model %s", id)
}

// Models returns all connected models, the oldest first.
func (s *Store) Models(ctx context.Context) ([]classroom.Model, error) {
	ms, err := all(ctx, s.read, scanModel, selectModel+`ORDER BY no`)
	return ms, wrap(err, "list models")
}

// ModelKey opens the key of a model. It opens for the address and the protocol
// that m names only where the key was entered for just those; otherwise it fails
// with [classroom.ErrModelKeyLost]. A model without a key has the empty one.
func (s *Store) ModelKey(ctx context.Context, m classroom.Model) (string, error) {
	sealed, err := one(ctx, s.read, scanBlob, `SELECT sealed FROM models WHERE id = ?`, m.ID)
	if err != nil {
		return "", wrap(err, "read key of model %s", m.ID)
	}
	key, err := s.unseal(m, sealed)
	if err != nil {
		return "", errors.Join(classroom.ErrModelKeyLost, wrap(err, "open key of model %s", m.ID))
	}
	return key, nil
}

func scanBlob(scan func(...any) error) (b []byte, err error) {
	err = scan(&b)
	return b, err
}

// CreateModel keeps a new model with its key. An empty id or time is filled in.
func (s *Store) CreateModel(ctx context.Context, m classroom.Model, key string) (classroom.Model, error) {
	id, err := idOr(m.ID)
	if err != nil || id == classroom.TutorModel {
		return classroom.Model{}, classroom.ErrBadRequest
	}
	m.ID, m.HasKey = id, key != ""
	sealed, err := s.seal(m, key)
	if err != nil {
		return classroom.Model{}, wrap(err, "seal key of model %s", m.ID)
	}
	err = s.change(ctx, func(w *writer) error {
		if m.Created == 0 {
			m.Created = w.stamp()
		}
		_, err := w.exec(`INSERT INTO models (`+modelColumns+`, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			append(modelValues(m), sealed)...)
		return errors.Join(err, w.oneCurrency(m))
	})
	if err != nil {
		return classroom.Model{}, wrap(err, "create model %s", m.ID)
	}
	return m, nil
}

func modelValues(m classroom.Model) []any {
	return []any{m.ID, m.Title, m.Provider, m.BaseURL, m.Private, m.Name, m.Thinking, m.Context, m.MaxOutput,
		m.Price.Input, m.Price.Output, m.Price.CacheRead, m.Price.CacheWrite, m.Currency, int64(m.Created)}
}

// oneCurrency gives all models the currency of m, so that what they cost can be summed.
func (w *writer) oneCurrency(m classroom.Model) error {
	if m.Currency == "" {
		return nil
	}
	_, err := w.exec(`UPDATE models SET currency = ?`, m.Currency)
	return err
}

// UpdateModel replaces what is kept of a model. A nil key leaves the one there
// is, unless the address or the protocol changed: a key goes nowhere it was not
// entered for, so then the model has none.
func (s *Store) UpdateModel(ctx context.Context, m classroom.Model, key *string) error {
	var sealed []byte
	if key != nil {
		var err error
		if sealed, err = s.seal(m, *key); err != nil {
			return wrap(err, "seal key of model %s", m.ID)
		}
	}
	err := s.change(ctx, func(w *writer) error {
		before, err := one(uninterrupted, w.conn, scanModel, selectModel+`WHERE id = ?`, m.ID)
		if err != nil {
			return err
		}
		if moved := before.BaseURL != m.BaseURL || before.Provider != m.Provider; key == nil && moved {
			sealed = []byte{}
		}
		m.Created = before.Created
		_, err = w.exec(`UPDATE models SET (`+modelColumns+`) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
			sealed = coalesce(?, sealed) WHERE id = ?`, append(modelValues(m), sealed, m.ID)...)
		return errors.Join(err, w.oneCurrency(m))
	})
	return wrap(err, "update model %s", m.ID)
}

// DeleteModel removes a model with its key. Classes, agents and the workbench
// that had chosen it choose none any more.
func (s *Store) DeleteModel(ctx context.Context, id string) error {
	err := s.change(ctx, func(w *writer) error {
		if err := mustHit(w.exec(`DELETE FROM models WHERE id = ?`, id)); err != nil {
			return err
		}
		_, err := w.exec(`DELETE FROM settings WHERE key = ? AND value = ?`, classroom.DefaultModel, id)
		return errors.Join(err, w.unchoose(id))
	})
	return wrap(err, "delete model %s", id)
}

// unchoose takes a model from the classes and agents that chose it.
func (w *writer) unchoose(id string) error {
	classes, err := all(uninterrupted, w.conn, scanClass, selectClass)
	if err != nil {
		return err
	}
	for _, c := range classes {
		chose := func(a classroom.Agent) bool { return a.Model == id }
		if c.Model != id && !slices.ContainsFunc(c.Roster, chose) {
			continue
		}
		if c.Model == id {
			c.Model = ""
		}
		for i := range c.Roster {
			if chose(c.Roster[i]) {
				c.Roster[i].Model = ""
			}
		}
		roster, err := json.Marshal(c.Roster)
		if err != nil {
			return err
		}
		if _, err := w.exec(`UPDATE classes SET model = ?, roster = ? WHERE id = ?`, c.Model, string(roster), c.ID); err != nil {
			return err
		}
		w.lists = true
	}
	return nil
}
