package web

import (
	"mime"
	"net/http"
	"strings"

	"colloquy/classroom"
	"colloquy/templates"
	"colloquy/templates/locale"
)

// postMaterials adds files, or a pasted text.
func (s *Server) postMaterials(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "multipart/form-data" {
		return s.pasteMaterial(w, r, class)
	}
	results, err := s.addMaterials(w, r, class.ID)
	if err != nil && len(results) == 0 {
		return err
	}
	var errors []string
	if err != nil {
		e, _ := publicError(err)
		errors = append(errors, sentence(r, e))
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
		news = addedNotice(r, names)
	}
	if news != "" && !fromHTMX(r) {
		s.flashText(w, r, news)
	}
	status := http.StatusOK
	if err := firstError(results); err != nil {
		e, _ := publicError(err)
		status = e.HTTPStatus()
		if len(results) == 0 {
			errors = append(errors, sentence(r, e))
		}
	}
	return s.afterMaterials(w, r, status, templates.ClassPageView{Class: class, Errors: errors, Added: news})
}

const maxPaste = 3*maxFile + 64<<10 // a form can need three bytes for one

func (s *Server) pasteMaterial(w http.ResponseWriter, r *http.Request, class classroom.Class) error {
	if err := parseForm(w, r, maxPaste); tooLarge(err) {
		return classroom.ErrFileTooLarge
	} else if err != nil {
		return err
	}
	v := templates.ClassPageView{
		Class: class, Back: sessionAt(r.PostForm.Get("back")),
		DraftName: r.PostForm.Get("name"), Draft: r.PostForm.Get("text"),
	}
	m := classroom.Material{ClassID: class.ID, Name: fileName(v.DraftName), MediaType: "text/markdown"}
	var err error
	if strings.TrimSpace(v.Draft) == "" {
		err = classroom.ErrEmptyPaste
	} else {
		_, err = s.addMaterialText(r.Context(), m, []byte(v.Draft))
	}
	if err != nil {
		message, status, rest := userMessage(r, err)
		if rest != nil || fromHTMX(r) {
			return err
		}
		v.Error = message
		return s.showClass(w, r, status, v)
	}
	s.flashText(w, r, addedNotice(r, []string{m.Name}))
	if v.Back != "" {
		return redirect(w, r, "/sessions/"+v.Back)
	}
	return redirect(w, r, "/classes/"+class.ID)
}

// addedNotice names the materials that were added.
func addedNotice(r *http.Request, names []string) string {
	if n := len(names); n > 1 {
		return locale.Count(r.Context(), "materials.added_more", n-1, "Name", names[0])
	}
	return text(r, "materials.added", "Name", names[0])
}

// afterMaterials shows the materials: htmx gets the list alone, a browser the page of
// the class.
func (s *Server) afterMaterials(w http.ResponseWriter, r *http.Request, status int, v templates.ClassPageView) error {
	if fromHTMX(r) {
		list, err := s.opt.Materials.Materials(r.Context(), v.Class.ID)
		if err != nil {
			return err
		}
		return writePage(w, r, status, templates.MaterialsList(v.Class, list, v.Errors, v.Added))
	}
	if len(v.Errors) > 0 {
		return s.showClass(w, r, status, v)
	}
	http.Redirect(w, r, "/classes/"+v.Class.ID, http.StatusSeeOther)
	return nil
}

func (s *Server) postDeleteMaterial(w http.ResponseWriter, r *http.Request) error {
	m := callerFrom(r).target.material
	if err := s.opt.Materials.DeleteMaterial(r.Context(), m.ID); err != nil {
		return err
	}
	return redirect(w, r, cameFrom(r, "/classes/"+m.ClassID))
}
