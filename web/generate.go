package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"colloquy/classroom"
)

// A generated is one frame of the generate stream.
type generated struct {
	Type    string `json:"type"` // partial, error or done
	Payload string `json:"payload,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

// generate answers one prompt as a simple stream: partial frames, then at most
// one error, then exactly one done. A reader that leaves cancels the model.
func (s *Server) generate(w http.ResponseWriter, r *http.Request) error {
	prompt := r.URL.Query().Get("prompt")
	switch {
	case strings.TrimSpace(prompt) == "":
		return classroom.ErrEmptyText
	case len(prompt) > classroom.MaxTextBytes:
		return classroom.ErrTextTooLong
	case r.Header.Get("Sec-Fetch-Site") == "cross-site": // it is a GET, and it costs
		return classroom.ErrCrossSite
	case r.Method == http.MethodHead:
		return nil
	}
	st, err := s.openStream(w, r, "generate", "")
	if err != nil {
		return err
	}
	defer st.close()
	ctx, stop := context.WithCancel(r.Context())
	pieces := make(chan generated)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(pieces)
		s.pieces(ctx, prompt, pieces)
	}()
	defer func() {
		stop()
		<-ended
	}()
	return st.relay(pieces)
}

// pieces asks the model and passes on what it says until ctx ends.
func (s *Server) pieces(ctx context.Context, prompt string, out chan<- generated) {
	for text, err := range s.opt.Generator.Generate(ctx, prompt) {
		g := generated{Type: "partial", Payload: text}
		if err != nil {
			e, expected := visible(err)
			if !expected && ctx.Err() == nil {
				s.log.ErrorContext(ctx, "generate", "error", err)
			}
			g = generated{Type: "error", Code: e.Code, Message: e.Message}
		}
		select {
		case out <- g:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// relay writes the pieces with heartbeats between them, then done.
func (st *stream) relay(pieces <-chan generated) error {
	if err := st.send(heartbeat); err != nil { // the first byte at once
		return gone{err}
	}
	for {
		var err error
		select {
		case g, more := <-pieces:
			if !more {
				return st.last(generated{Type: "done"})
			}
			err = st.send(dataFrame(g))
		case <-st.beat:
			st.beat = st.s.beat.wait()
			err = st.send(heartbeat)
		case <-st.open.ended:
			e := classroom.ErrClosing
			if err := st.send(dataFrame(generated{Type: "error", Code: e.Code, Message: e.Message})); err != nil {
				return gone{err}
			}
			return st.last(generated{Type: "done"})
		case <-st.r.Context().Done():
			return gone{st.r.Context().Err()}
		}
		if err != nil {
			return gone{err}
		}
	}
}

func (st *stream) last(g generated) error {
	if err := st.send(dataFrame(g)); err != nil {
		return gone{err}
	}
	return nil
}

func dataFrame(g generated) []byte {
	body, _ := json.Marshal(g) // strings only
	return []byte("data: " + string(body) + "\n\n")
}
