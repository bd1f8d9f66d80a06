package web

import (
	"context"
	"net/http"
	"slices"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/templates/locale"
)

// modelPage is the page of a connected model. While the model has no name, the page
// lists the models of its server.
func (s *Server) modelPage(w http.ResponseWriter, r *http.Request) error {
	m, err := s.model(r)
	if err != nil {
		return err
	}
	v := templates.ModelPageView{Model: m, Draft: templates.DraftOf(m), Listed: r.URL.Query().Has("list")}
	return s.showModel(w, r, http.StatusOK, v)
}

func (s *Server) showModel(w http.ResponseWriter, r *http.Request, status int, v templates.ModelPageView) error {
	var err error
	if v.Nav, err = s.nav(r, "", ""); err != nil {
		return err
	}
	v.Nav.Unlisted = true
	if v.Choice, err = s.modelChoice(r.Context()); err != nil {
		return err
	}
	if v.UsedBy, err = s.usedBy(r.Context(), v.Model.ID); err != nil {
		return err
	}
	if v.Listed = v.Listed || v.Model.Name == ""; v.Listed {
		s.listNames(r, &v)
	}
	v.Page = s.page(w, r, text(r, "page.model"))
	v.Page.Path = "/settings/models/" + v.Model.ID
	return writePage(w, r, status, templates.ModelPage(v))
}

const maxNames = 1000

// listNames asks the server for its models. An error is shown beside the field in
// which a name can be typed.
func (s *Server) listNames(r *http.Request, v *templates.ModelPageView) {
	ctx, stop := context.WithTimeout(r.Context(), listLimit)
	defer stop()
	names, err := s.opt.Provider.List(ctx, v.Model)
	switch {
	case err != nil && ctx.Err() != nil:
		v.ListError = text(r, "model.list_timeout", "Seconds", listLimit.Seconds())
		return
	case err != nil:
		v.ListError = s.serverMessage(r, err)
		return
	}
	slices.Sort(names)
	v.Names = slices.Compact(names[:min(len(names), maxNames)])
}

// serverMessage returns the sentence for an error of a model's server, and logs an
// unexpected error.
func (s *Server) serverMessage(r *http.Request, err error) string {
	e, expected := publicError(err)
	if !expected {
		s.logger.ErrorContext(r.Context(), "ask a model's server", "error", err)
	}
	return sentence(r, e)
}

// postModelForm is the second step of connecting a model, and every later change of
// it: its name, how it answers, and what it costs.
func (s *Server) postModelForm(w http.ResponseWriter, r *http.Request) error {
	m, err := s.model(r)
	if err != nil {
		return err
	}
	if err := parseForm(w, r, formBytes); err != nil {
		return err
	}
	v := templates.ModelPageView{Model: m, Draft: draftOf(r, m)}
	in, bad := changeOf(v.Draft)
	v.Invalid, err = bad.fields(), bad.error(locale.From(r.Context()))
	changed := m
	if err == nil {
		err = in.apply(&changed)
	}
	if err == nil && changed.Name == "" {
		err = classroom.ErrModelName
	}
	if err == nil {
		err = s.opt.Models.UpdateModel(r.Context(), changed, nil)
	}
	if err == nil && v.Draft.Default {
		err = s.opt.Settings.SetSetting(r.Context(), classroom.DefaultModel, m.ID)
	}
	if err != nil {
		return s.modelError(w, r, v, err)
	}
	s.flash(w, r, savedNotice(m, v.Draft.Default))
	return redirect(w, r, "/settings/models/"+m.ID)
}

// savedNotice returns the key of what is said after a model was saved.
func savedNotice(before classroom.Model, answers bool) string {
	switch {
	case answers:
		return "notice.model_default"
	case before.Name == "":
		return "notice.model_connected"
	}
	return "notice.saved"
}

// modelError shows the model's page with what was typed and the error.
func (s *Server) modelError(w http.ResponseWriter, r *http.Request, v templates.ModelPageView, err error) error {
	message, status, rest := formError(r, err)
	if rest != nil {
		return rest
	}
	v.Error = message
	return s.showModel(w, r, status, v)
}

// postTestModel tests the model.
func (s *Server) postTestModel(w http.ResponseWriter, r *http.Request) error {
	m, err := s.model(r)
	if err != nil {
		return err
	}
	tried := s.testModel(r, m)
	if fromHTMX(r) {
		return writePage(w, r, http.StatusOK, templates.ModelTestResult(m.ID, tried))
	}
	v := templates.ModelPageView{Model: m, Draft: templates.DraftOf(m), Test: tried}
	return s.showModel(w, r, http.StatusOK, v)
}

// testModel sends the model what a class would send it.
func (s *Server) testModel(r *http.Request, m classroom.Model) templates.ModelTestView {
	if m.Name == "" {
		return templates.ModelTestView{Done: true, Error: sentence(r, classroom.ErrModelUnnamed)}
	}
	ctx, stop := context.WithTimeout(r.Context(), tryLimit)
	defer stop()
	test, err := s.opt.Provider.Try(ctx, m)
	test.Answer = plainName(test.Answer)
	switch {
	case err != nil && ctx.Err() != nil:
		slow := text(r, "model.test_timeout", "Seconds", tryLimit.Seconds())
		return templates.ModelTestView{Done: true, Error: slow}
	case err != nil:
		return templates.ModelTestView{Done: true, Error: s.serverMessage(r, err)}
	case test.Answer == "":
		return templates.ModelTestView{Done: true, Error: text(r, "model.test_empty")}
	}
	return templates.ModelTestView{Done: true, ModelTest: test}
}

// postDeleteModel deletes a model with its key. The page asks for confirmation first.
func (s *Server) postDeleteModel(w http.ResponseWriter, r *http.Request) error {
	m, err := s.model(r)
	if err != nil {
		return err
	}
	if err := s.opt.Models.DeleteModel(r.Context(), m.ID); err != nil {
		return err
	}
	notice := "notice.model_removed"
	if m.Name == "" {
		notice = "notice.model_cancelled"
	}
	s.flash(w, r, notice)
	return redirect(w, r, "/settings")
}
