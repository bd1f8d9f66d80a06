package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"colloquy/classroom"
)

// A querier is a pool or the writer's connection.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// A scanner makes a T of one row; its argument is the row's Scan method.
type scanner[T any] = func(scan func(...any) error) (T, error)

// queryAll scans each row of a query. The rows are closed when it returns.
func queryAll[T any](ctx context.Context, q querier, scan scanner[T], query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() // rows.Err below returns its error
	var out []T
	for rows.Next() {
		v, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// queryOne scans the only row of a query. It fails with classroom.ErrNotFound if there is none.
func queryOne[T any](ctx context.Context, q querier, scan scanner[T], query string, args ...any) (T, error) {
	found, err := queryAll(ctx, q, scan, query, args...)
	if err == nil && len(found) == 0 {
		err = classroom.ErrNotFound
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// requireRow fails with classroom.ErrNotFound if a statement changed no row.
func requireRow(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	if err == nil && n == 0 {
		return classroom.ErrNotFound
	}
	return err
}

// wrap adds the operation to err. An error for people is returned without it.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*classroom.Error](err); ok {
		return e
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// The scanners of rows that have one column.

func scanText(scan func(...any) error) (text string, err error) {
	err = scan(&text)
	return text, err
}

func scanInt(scan func(...any) error) (n int64, err error) {
	err = scan(&n)
	return n, err
}

func scanBytes(scan func(...any) error) (b []byte, err error) {
	err = scan(&b)
	return b, err
}
