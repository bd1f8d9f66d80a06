package store

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
)

// The options are part of the address, so that each connection of a pool has them.
const (
	// _txlock=immediate: a transaction that begins with a read and then writes would fail
	// with SQLITE_BUSY beside a second writer, without waiting for busy_timeout.
	writeOptions = "_txlock=immediate&_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000" +
		"&_foreign_keys=1&_cache_size=-8000&_stmt_cache_size=64"
	checkpointOptions = "_synchronous=FULL&_busy_timeout=5000"
	readOptions       = "mode=ro&_query_only=1&_busy_timeout=5000&_stmt_cache_size=32"
)

// address returns the URI of file. Special characters are escaped, so a folder may have
// any name.
func address(file, options string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: options}
	return u.String()
}

// openPools stores what it opened in s, also when it fails, so that Close closes it.
func (s *Store) openPools() (err error) {
	if s.write, err = sql.Open("sqlite3", address(s.file(), writeOptions)); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	// The read-only connections need the files that the first connection creates.
	if err := s.write.Ping(); err != nil {
		return err
	}
	if s.checkpointDB, err = sql.Open("sqlite3", address(s.file(), checkpointOptions)); err != nil {
		return err
	}
	s.checkpointDB.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite3", address(s.file(), readOptions)); err != nil {
		return err
	}
	readers := max(4, runtime.GOMAXPROCS(0))
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	return nil
}
