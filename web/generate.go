package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"colloquy/classroom"
	"colloquy/templates/locale"
	"colloquy/web/live"
)

// A generateFrame is one frame of the generate stream.
type generateFrame struct {
	Type    string `json:"type"` // partial, error or done
	Payload string `json:"payload,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

// generate answers one prompt with a stream: partial frames, then at most one error,
// then exactly one done. The model is cancelled if the client disconnects.
func (s *Server) generate(w http.ResponseWriter, r *http.Request) error {
	prompt := r.URL.Query().Get("prompt")
	switch {
	case strings.TrimSpace(prompt) == "":
		return classroom.ErrEmptyText
	case len(prompt) > classroom.MaxTextBytes:
		return classroom.ErrTextTooLong
	case r.Header.Get("Sec-Fetch-Site") == "cross-site": // a GET that costs money
		return classroom.ErrCrossSite
	case r.Method == http.MethodHead:
		return nil
	}
	class, err := s.newestClass(r)
	if err != nil {
		return err
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
		s.generateFrames(ctx, class, prompt, frames)
	}()
	defer func() {
		stop()
		<-ended
	}()
	err = st.Relay(frames)
	if errors.Is(err, live.ErrEnded) {
		e := classroom.ErrClosing
		err = writeFrame(st, generateFrame{Type: "error", Code: e.Code, Message: sentence(r, e)})
	}
	if err != nil {
		return err
	}
	return writeFrame(st, generateFrame{Type: "done"})
}

// generateFrames sends the model's answer to out, as frames, until ctx ends.
func (s *Server) generateFrames(ctx context.Context, class classroom.Class, prompt string, out chan<- []byte) {
	for text, err := range s.opt.Generate(ctx, class, prompt) {
		g := generateFrame{Type: "partial", Payload: text}
		if err != nil {
			e, expected := publicError(err)
			if !expected && ctx.Err() == nil {
				s.logger.ErrorContext(ctx, "generate", "error", err)
			}
			g = generateFrame{Type: "error", Code: e.Code, Message: locale.From(ctx).Error(e)}
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

func writeFrame(st *live.Stream, g generateFrame) error {
	if err := st.Send(dataFrame(g)); err != nil {
		return live.DisconnectError{Err: err}
	}
	return nil
}

func dataFrame(g generateFrame) []byte {
	body, _ := json.Marshal(g) // strings only
	return []byte("data: " + string(body) + "\n\n")
}
