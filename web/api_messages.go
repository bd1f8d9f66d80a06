package web

import (
	"net/http"

	"colloquy/classroom"
)

func (s *Server) apiSend(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Text     string             `json:"text"`
		Delivery classroom.Delivery `json:"delivery"`
		ClientID string             `json:"client_id"`
		Option   string             `json:"option"`
		Speakers string             `json:"speakers"`
	}
	session := callerFrom(r).target.session
	if err := readJSON(w, r, &in); err != nil {
		return messageTooLong(err)
	}
	post := classroom.Post{Text: in.Text, Delivery: in.Delivery, ClientID: in.ClientID, Option: in.Option,
		Speakers: in.Speakers}
	receipt, err := s.send(r, session.ID, post)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusAccepted, receipt)
	return nil
}

// send sends a message of the caller to the session.
func (s *Server) send(r *http.Request, session string, post classroom.Post) (classroom.Receipt, error) {
	post.Text = plainText(post.Text)
	if err := post.Check(); err != nil {
		return classroom.Receipt{}, err
	}
	post.Author = callerFrom(r).author()
	receipt, err := s.opt.Runner.Send(r.Context(), session, post)
	if err == nil {
		s.metrics.posts.Inc()
	}
	return receipt, err
}

func (s *Server) apiCancel(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if err := s.opt.Runner.Cancel(r.Context(), session.ID); err != nil {
		return err
	}
	accepted(w)
	return nil
}

func (s *Server) apiResume(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if err := s.opt.Runner.Resume(r.Context(), session.ID); err != nil {
		return err
	}
	accepted(w)
	return nil
}

func (s *Server) apiEditQueue(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	var in struct {
		Seen     classroom.Cursor    `json:"seen"` // the cursor up to which the client has read
		Steer    *[]classroom.Queued `json:"steer"`
		FollowUp *[]classroom.Queued `json:"follow_up"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if in.Steer == nil || in.FollowUp == nil || in.Seen < 0 {
		return classroom.ErrBadRequest // a missing queue must not be taken as an empty one
	}
	if err := s.opt.Runner.EditQueue(r.Context(), session.ID, in.Seen, *in.Steer, *in.FollowUp); err != nil {
		return err
	}
	accepted(w)
	return nil
}

func (s *Server) apiSendQueue(w http.ResponseWriter, r *http.Request) error {
	session := callerFrom(r).target.session
	if err := s.opt.Runner.SendQueue(r.Context(), session.ID); err != nil {
		return err
	}
	accepted(w)
	return nil
}
