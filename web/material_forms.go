package web

import (
	"fmt"
	"mime"
	"net/http"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"
)

// postMaterials adds files, or a text that was pasted.
func (s *Server) postMaterials(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "multipart/form-data" {
		return s.pasteMaterial(w, r, class)
	}
	results, err := s.addMaterials(w, r, class.ID)
	if err != nil && len(results) == 0 {
		return err
	}
	var errors []string
	if err != nil {
		e, _ := visible(err)
		errors = append(errors, e.Message)
	}
	var names []string
	for _, x := range results {
		if x.Error != nil {
			errors = append(errors, x.Name+": "+x.Error.Message)
		} else {
			names = append(names, x.Name)
		}
	}
	news := ""
	if len(names) > 0 {
		news = added(names)
	}
	if news != "" && !fromHTMX(r) {
		s.tell(w, r, news)
	}
	status := http.StatusOK
	if err := noneAdded(results); err != nil {
		e, _ := visible(err)
		status = e.HTTPStatus()
		if len(results) == 0 {
			errors = append(errors, e.Message)
		}
	}
	return s.afterMaterials(w, r, status, templates.ClassPageView{Class: class, Errors: errors, Added: news})
}

const maxPaste = 3*maxFile + 64<<10 // every byte escaped

func (s *Server) pasteMaterial(w http.ResponseWriter, r *http.Request, class classroom.Class) error {
	if err := parseForm(w, r, maxPaste); tooLarge(err) {
		return classroom.ErrFileTooLarge
	} else if err != nil {
		return err
	}
	v := templates.ClassPageView{
		Class: class, DraftName: r.PostForm.Get("name"), Draft: r.PostForm.Get("text"), Back: sessionAt(r.PostForm.Get("back")),
	}
	m := classroom.Material{ClassID: class.ID, Name: fileName(v.DraftName), MediaType: "text/markdown"}
	var err error
	if strings.TrimSpace(v.Draft) == "" {
		err = classroom.ErrEmptyPaste
	} else {
		_, err = s.addText(r.Context(), m, []byte(v.Draft))
	}
	if err != nil {
		words, status, rest := wordsOf(err)
		if rest != nil || fromHTMX(r) {
			return err
		}
		v.Error = words
		return s.showClass(w, r, status, v)
	}
	s.tell(w, r, added([]string{m.Name}))
	if v.Back != "" {
		return goTo(w, r, "/sessions/"+v.Back)
	}
	return goTo(w, r, "/classes/"+class.ID)
}

// added says which materials are new.
func added(names []string) string {
	switch n := len(names); n {
	case 1:
		return names[0] + " was added."
	default:
		return fmt.Sprintf("%s and %d more were added.", names[0], n-1)
	}
}

// afterMaterials shows the list: to a script as the part of the page, to a
// browser as a page of its own.
func (s *Server) afterMaterials(w http.ResponseWriter, r *http.Request, status int, v templates.ClassPageView) error {
	if fromHTMX(r) {
		list, err := s.opt.Materials.Materials(r.Context(), v.Class.ID)
		if err != nil {
			return err
		}
		return show(w, status, templates.MaterialsList(v.Class, list, v.Errors, v.Added))
	}
	if len(v.Errors) > 0 {
		return s.showClass(w, r, status, v)
	}
	http.Redirect(w, r, "/classes/"+v.Class.ID, http.StatusSeeOther)
	return nil
}

func (s *Server) postDeleteMaterial(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !classroom.ValidID(id) || !who(r).teaches() {
		return classroom.ErrNotFound
	}
	m, _, err := s.opt.Materials.Material(r.Context(), id)
	if err != nil {
		return err
	}
	if err := s.opt.Materials.DeleteMaterial(r.Context(), id); err != nil {
		return err
	}
	return goTo(w, r, cameFrom(r, "/classes/"+m.ClassID))
}
