package store

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
)

// Both pools set everything in the address, so that each connection has it.
const (
	// A transaction that first reads and then writes fails at once under a
	// second writer unless it says at its begin that it will write.
	writeOptions = "_txlock=immediate&_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000" +
		"&_foreign_keys=1&_cache_size=-8000&_stmt_cache_size=64"
	asideOptions = "_synchronous=FULL&_busy_timeout=5000"
	readOptions  = "mode=ro&_query_only=1&_busy_timeout=5000&_stmt_cache_size=32"
)

// address is file as a URI. SQLite reads escapes in it, so a folder may have
// any name.
func address(file, options string) string {
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: options}
	return u.String()
}

// openPools leaves what it opened in s, also when it fails.
func (s *Store) openPools() (err error) {
	if s.write, err = sql.Open("sqlite3", address(s.file(), writeOptions)); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	// The other connections need the files that the first one makes.
	if err := s.write.Ping(); err != nil {
		return err
	}
	if s.aside, err = sql.Open("sqlite3", address(s.file(), asideOptions)); err != nil {
		return err
	}
	s.aside.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite3", address(s.file(), readOptions)); err != nil {
		return err
	}
	readers := max(4, runtime.GOMAXPROCS(0))
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	return nil
}
