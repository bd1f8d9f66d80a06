package web

import (
	"io"
	"mime"
	"net/http"

	"colloquy/classroom"
)

func (s *Server) apiMaterials(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	list, err := s.opt.Materials.Materials(r.Context(), class.ID)
	if err != nil {
		return err
	}
	if list == nil {
		list = []classroom.Material{}
	}
	writeJSON(w, http.StatusOK, list)
	return nil
}

// apiAddMaterials answers 201 if a file was added, and otherwise with the error of
// the first file. If the request could not be read to its end, the answer is that
// error, with the results of the files before it.
func (s *Server) apiAddMaterials(w http.ResponseWriter, r *http.Request) error {
	class := callerFrom(r).target.class
	results, err := s.addMaterials(w, r, class.ID)
	if err != nil && len(results) == 0 {
		return err
	}
	if err == nil {
		err = firstError(results)
	}
	if err != nil {
		e, _ := publicError(err)
		writeJSON(w, e.HTTPStatus(), map[string]any{"error": errorBody(r, e), "files": results})
		return nil
	}
	writeJSON(w, http.StatusCreated, results)
	return nil
}

// downloadMaterial sends a material as a file that the browser saves: a script in it
// must not run in our origin.
func (s *Server) downloadMaterial(w http.ResponseWriter, r *http.Request) error {
	m, text := callerFrom(r).target.material, callerFrom(r).target.text
	if !callerFrom(r).may(classroom.Teach, callerFrom(r).target.object) {
		set, err := s.withheldIn(r.Context(), callerFrom(r).target.class)
		if err != nil {
			return err
		}
		text, _ = set.Redact(text)
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": m.Name}))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text)
	return nil
}

func (s *Server) apiDeleteMaterial(w http.ResponseWriter, r *http.Request) error {
	if err := s.opt.Materials.DeleteMaterial(r.Context(), callerFrom(r).target.material.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
