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

// modelFields returns pointers to the fields of modelColumns, in their order.
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
	m, err := queryOne(ctx, s.read, scanModel, selectModel+`WHERE id = ?`, id)
	return m, wrap(err, "read model %s", id)
}

// Models returns all connected models, the oldest first.
func (s *Store) Models(ctx context.Context) ([]classroom.Model, error) {
	ms, err := queryAll(ctx, s.read, scanModel, selectModel+`ORDER BY no`)
	return ms, wrap(err, "list models")
}

// ModelKey decrypts the key of a model, or returns "" if it has none. It fails with
// [classroom.ErrModelKeyLost] unless the key was entered for m's address and protocol.
func (s *Store) ModelKey(ctx context.Context, m classroom.Model) (string, error) {
	encrypted, err := queryOne(ctx, s.read, scanBytes, `SELECT sealed FROM models WHERE id = ?`, m.ID)
	if err != nil {
		return "", wrap(err, "read key of model %s", m.ID)
	}
	key, err := s.decrypt(m, encrypted)
	if err != nil {
		return "", errors.Join(classroom.ErrModelKeyLost, wrap(err, "decrypt key of model %s", m.ID))
	}
	return key, nil
}

// CreateModel stores a new model with its key. An empty id or time is filled in.
func (s *Store) CreateModel(ctx context.Context, m classroom.Model, key string) (classroom.Model, error) {
	id, err := idOrNew(m.ID)
	if err != nil || id == classroom.TutorModel {
		return classroom.Model{}, classroom.ErrBadRequest
	}
	m.ID, m.HasKey = id, key != ""
	encrypted, err := s.encrypt(m, key)
	if err != nil {
		return classroom.Model{}, wrap(err, "encrypt key of model %s", m.ID)
	}
	err = s.change(ctx, func(w *writer) error {
		if m.Created == 0 {
			m.Created = w.stamp()
		}
		_, err := w.exec(`INSERT INTO models (`+modelColumns+`, sealed)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, append(modelValues(m), encrypted)...)
		return errors.Join(err, w.setCurrency(m))
	})
	if err != nil {
		return classroom.Model{}, wrap(err, "create model %s", m.ID)
	}
	return m, nil
}

// modelValues returns the values of modelColumns, in their order.
func modelValues(m classroom.Model) []any {
	return []any{m.ID, m.Title, m.Provider, m.BaseURL, m.Private, m.Name, m.Thinking, m.Context, m.MaxOutput,
		m.Price.Input, m.Price.Output, m.Price.CacheRead, m.Price.CacheWrite, m.Currency, int64(m.Created)}
}

// setCurrency gives all models the currency of m, so that their costs can be summed.
func (w *writer) setCurrency(m classroom.Model) error {
	if m.Currency == "" {
		return nil
	}
	_, err := w.exec(`UPDATE models SET currency = ?`, m.Currency)
	return err
}

// UpdateModel replaces a model. A nil key keeps the stored key, unless the address or
// the protocol changes: then the key is deleted, so that it is never sent to an address
// it was not entered for.
func (s *Store) UpdateModel(ctx context.Context, m classroom.Model, key *string) error {
	var encrypted []byte
	if key != nil {
		var err error
		if encrypted, err = s.encrypt(m, *key); err != nil {
			return wrap(err, "encrypt key of model %s", m.ID)
		}
	}
	err := s.change(ctx, func(w *writer) error {
		before, err := queryOne(uninterrupted, w.conn, scanModel, selectModel+`WHERE id = ?`, m.ID)
		if err != nil {
			return err
		}
		if moved := before.BaseURL != m.BaseURL || before.Provider != m.Provider; key == nil && moved {
			encrypted = []byte{}
		}
		m.Created = before.Created
		_, err = w.exec(`UPDATE models SET (`+modelColumns+`) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
			sealed = coalesce(?, sealed) WHERE id = ?`, append(modelValues(m), encrypted, m.ID)...)
		return errors.Join(err, w.setCurrency(m))
	})
	return wrap(err, "update model %s", m.ID)
}

// DeleteModel removes a model with its key. Classes, agents and the default setting that
// had chosen it have no model of their own afterwards.
func (s *Store) DeleteModel(ctx context.Context, id string) error {
	err := s.change(ctx, func(w *writer) error {
		if err := requireRow(w.exec(`DELETE FROM models WHERE id = ?`, id)); err != nil {
			return err
		}
		_, err := w.exec(`DELETE FROM settings WHERE key = ? AND value = ?`, classroom.DefaultModel, id)
		return errors.Join(err, w.clearModelChoices(id))
	})
	return wrap(err, "delete model %s", id)
}

// clearModelChoices removes a model from the classes and agents that chose it.
func (w *writer) clearModelChoices(id string) error {
	classes, err := queryAll(uninterrupted, w.conn, scanClass, selectClass)
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
		_, err = w.exec(`UPDATE classes SET model = ?, roster = ? WHERE id = ?`, c.Model, string(roster), c.ID)
		if err != nil {
			return err
		}
		w.listsChanged = true
	}
	return nil
}
