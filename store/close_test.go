package store

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A writer that does not come back from the disk holds Close up for a bound time.
func TestCloseIsBounded(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(t.Context(), Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		disk, answered := make(chan struct{}), make(chan error)
		go func() {
			answered <- s.change(t.Context(), func(*writer) error {
				<-disk
				return nil
			})
		}()
		synctest.Wait()
		began := time.Now()
		err = s.Close()
		if took := time.Since(began); took != closeLimit || err == nil || !strings.Contains(err.Error(), "writer") {
			t.Errorf("Close took %v, want %v: %v", took, closeLimit, err)
		}
		close(disk)
		if err := <-answered; err != nil {
			t.Errorf("the change that was under way: %v", err)
		}
	})
}
