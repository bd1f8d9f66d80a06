package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"colloquy/classroom"
	"colloquy/web/live"
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
	st, err := s.live.Plain(client(w, r), "generate")
	if err != nil {
		return err
	}
	defer st.Close()
	ctx, stop := context.WithCancel(r.Context())
	frames := make(chan []byte)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(frames)
		s.pieces(ctx, prompt, frames)
	}()
	defer func() {
		stop()
		<-ended
	}()
	err = st.Relay(frames)
	if errors.Is(err, live.ErrEnded) {
		e := classroom.ErrClosing
		err = writeFrame(st, generated{Type: "error", Code: e.Code, Message: e.Message})
	}
	if err != nil {
		return err
	}
	return writeFrame(st, generated{Type: "done"})
}

// pieces asks the model and passes on what it says until ctx ends.
func (s *Server) pieces(ctx context.Context, prompt string, out chan<- []byte) {
	for text, err := range s.opt.Generate(ctx, prompt) {
		g := generated{Type: "partial", Payload: text}
		if err != nil {
			e, expected := visible(err)
			if !expected && ctx.Err() == nil {
				s.logger.ErrorContext(ctx, "generate", "error", err)
			}
			g = generated{Type: "error", Code: e.Code, Message: e.Message}
		}
		select {
		case out <- dataFrame(g):
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func writeFrame(st *live.Stream, g generated) error {
	if err := st.Send(dataFrame(g)); err != nil {
		return live.DisconnectError{Err: err}
	}
	return nil
}

func dataFrame(g generated) []byte {
	body, _ := json.Marshal(g) // strings only
	return []byte("data: " + string(body) + "\n\n")
}
