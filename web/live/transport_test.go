package live

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"net/http/httputil"
	"testing"
)

// TestChunksHoldWhatWasWritten writes pieces of many sizes, some larger than a
// chunk may grow, and reads them as a client does.
func TestChunksHoldWhatWasWritten(t *testing.T) {
	ours, theirs := net.Pipe()
	got := make(chan []byte, 1)
	go func() {
		b, err := io.ReadAll(httputil.NewChunkedReader(theirs))
		if err != nil {
			t.Error(err)
			theirs.Close() // so that the writer does not wait for ever
		}
		got <- b
	}()
	var want bytes.Buffer
	transport, random := &connTransport{conn: ours}, rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		piece := bytes.Repeat([]byte{byte('a' + i%26)}, 1+random.IntN(2000))
		if i%100 == 50 {
			piece = bytes.Repeat([]byte("0\r\n\r\n"), maxWrite/3) // like the last chunk, and larger than one
		}
		want.Write(piece)
		if _, err := transport.Write(piece); err != nil {
			t.Fatal(err)
		}
		if i%7 == 0 {
			if err := transport.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := transport.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := transport.Flush(); err != nil { // with nothing to send it must not send the last chunk
		t.Fatal(err)
	}
	transport.close()
	if b := <-got; !bytes.Equal(b, want.Bytes()) {
		t.Errorf("%d bytes came, %d were written", len(b), want.Len())
	}
	if transport.sent <= int64(want.Len()) {
		t.Errorf("%d bytes are counted, %d were written", transport.sent, want.Len())
	}
}

// What is written without a flush is sent as soon as it is a chunk's size, so that a
// stream never holds more.
func TestUnflushedWritesAreBounded(t *testing.T) {
	ours, theirs := net.Pipe()
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.Discard, theirs)
	}()
	transport := &connTransport{conn: ours}
	piece := bytes.Repeat([]byte("x"), 1000)
	for written := int64(len(piece)); written < 5*maxWrite; written += int64(len(piece)) {
		if _, err := transport.Write(piece); err != nil {
			t.Fatal(err)
		}
		if written-transport.sent > maxWrite {
			t.Fatalf("%d bytes were written and %d sent", written, transport.sent)
		}
	}
	transport.close()
	<-read
}

// A connection that takes nothing fails the write that would send to it.
func TestWriteSaysThatTheReaderIsGone(t *testing.T) {
	ours, theirs := net.Pipe()
	transport := &connTransport{conn: ours}
	if err := theirs.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := transport.Write(make([]byte, maxWrite)); err == nil {
		t.Error("a write to a reader that has gone succeeded")
	}
	transport.close()
}

// TestReaderThatGoesIsSeen: a reader that closes its connection is noticed while
// there is nothing to write.
func TestReaderThatGoesIsSeen(t *testing.T) {
	ours, theirs := net.Pipe()
	gone := make(chan struct{})
	transport := &connTransport{conn: ours}
	go transport.watch(func() { close(gone) })
	if _, err := theirs.Write([]byte("GET / HTTP/1.1\r\n")); err != nil { // a client that says more is still there
		t.Fatal(err)
	}
	select {
	case <-gone:
		t.Fatal("a reader that is there was taken for gone")
	default:
	}
	theirs.Close()
	<-gone
}

// TestReaderThatSendsIsCutOff: each byte that a reader sends costs a read, so it
// cannot keep the server busy for long.
func TestReaderThatSendsIsCutOff(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	gone := make(chan struct{})
	transport := &connTransport{conn: ours}
	go transport.watch(func() {
		close(gone)
		ours.Close()
	})
	if n, err := theirs.Write(make([]byte, 1<<20)); err == nil || n > maxInput {
		t.Errorf("%d bytes were taken, %v", n, err)
	}
	<-gone
}
