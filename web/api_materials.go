package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"colloquy/classroom"
)

const (
	maxFile   = 2 << 20
	maxUpload = 64 << 20 // of all files of a request
	maxFiles  = 50
)

func (s *Server) apiMaterials(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
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

// A fileResult says what became of one file: it is a material, or it has an error.
type fileResult struct {
	ID    string     `json:"id,omitempty"`
	Name  string     `json:"name"`
	Pages int        `json:"pages,omitempty"`
	Bytes int        `json:"bytes,omitempty"`
	Error *errorJSON `json:"error,omitempty"`
	err   error
}

// apiAddMaterials answers 201 when a file was added, and otherwise with the
// error of the first. Where the request could not be read to its end, the answer
// is that error, with what became of the files before.
func (s *Server) apiAddMaterials(w http.ResponseWriter, r *http.Request) error {
	class, err := s.class(r)
	if err != nil {
		return err
	}
	results, err := s.addMaterials(w, r, class.ID)
	if err != nil && len(results) == 0 {
		return err
	}
	if err == nil {
		err = noneAdded(results)
	}
	if err != nil {
		e, _ := visible(err)
		writeJSON(w, e.HTTPStatus(), map[string]any{"error": errorBody(e), "files": results})
		return nil
	}
	writeJSON(w, http.StatusCreated, results)
	return nil
}

// noneAdded returns the first error where no file was added.
func noneAdded(results []fileResult) error {
	for _, x := range results {
		if x.err == nil {
			return nil
		}
	}
	if len(results) == 0 {
		return classroom.ErrFileEmpty
	}
	return results[0].err
}

// addMaterials adds the files of a form one by one, as they come. A request that
// breaks off adds no half file.
func (s *Server) addMaterials(w http.ResponseWriter, r *http.Request, class string) ([]fileResult, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	form, err := r.MultipartReader()
	if err != nil {
		return nil, fmt.Errorf("read upload: %w: %w", classroom.ErrBadRequest, err)
	}
	var out []fileResult
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if tooLarge(err) && len(out) < 2 { // it ended inside the one file that there is
			return out, classroom.ErrFileTooLarge
		}
		if tooLarge(err) {
			return out, classroom.ErrFilesTooLarge
		}
		if err != nil {
			return out, fmt.Errorf("read upload: %w: %w", classroom.ErrBadRequest, err)
		}
		if part.FormName() != "file" || part.FileName() == "" {
			continue
		}
		if len(out) >= maxFiles {
			out = append(out, resultOf(classroom.Material{Name: fileName(part.FileName())}, classroom.ErrTooManyFiles))
			continue
		}
		m, err := s.addFile(r.Context(), class, part)
		if tooLarge(err) {
			return out, classroom.ErrFilesTooLarge
		}
		out = append(out, resultOf(m, err))
	}
	return out, nil
}

func resultOf(m classroom.Material, err error) fileResult {
	x := fileResult{ID: m.ID, Name: m.Name, Pages: m.Pages, Bytes: m.Bytes, err: err}
	if err != nil {
		e, _ := visible(err)
		body := errorBody(e)
		x.ID, x.Error = "", &body
	}
	return x
}

func (s *Server) addFile(ctx context.Context, class string, part *multipart.Part) (classroom.Material, error) {
	name := fileName(part.FileName())
	m := classroom.Material{ClassID: class, Name: name, MediaType: textType(name)}
	body, err := io.ReadAll(io.LimitReader(part, maxFile+1))
	switch {
	case tooLarge(err):
		return m, fmt.Errorf("read file: %w", err)
	case err != nil:
		return m, fmt.Errorf("read file: %w: %w", classroom.ErrBadRequest, err)
	}
	if len(body) > maxFile {
		return m, classroom.ErrFileTooLarge
	}
	return s.addText(ctx, m, body)
}

// addText checks a text and keeps it as a material.
func (s *Server) addText(ctx context.Context, m classroom.Material, body []byte) (classroom.Material, error) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	m.Bytes = len(body)
	switch {
	case m.MediaType == "":
		return m, classroom.ErrFileType
	case len(body) > maxFile:
		return m, classroom.ErrFileTooLarge
	case len(bytes.TrimSpace(body)) == 0:
		return m, classroom.ErrFileEmpty
	case !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0:
		return m, classroom.ErrFileEncoding
	}
	kept, err := s.opt.Materials.AddMaterial(ctx, m, string(body))
	if err != nil {
		return m, err
	}
	return kept, nil
}

// textType says what a file of that name is taken for; the sender's word for it is not asked.
func textType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		return "text/markdown"
	case ".txt", ".text":
		return "text/plain"
	}
	return ""
}

// fileName keeps the last element of a sent name, without what no name needs.
func fileName(sent string) string {
	sent = strings.ReplaceAll(sent, "\\", "/")
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Cf, r) || hidden(r) {
			return -1
		}
		return r
	}, path.Base(sent))
	name = strings.TrimSpace(name)
	if ext := path.Ext(name); strings.IndexFunc(strings.TrimSuffix(name, ext), seen) < 0 {
		if textType("x"+ext) == "" {
			ext = ".txt"
		}
		return "material" + ext
	}
	if runes := []rune(name); len(runes) > 120 {
		ext := path.Ext(name)
		name = string(runes[:110]) + ext[:min(len(ext), 10)]
	}
	return name
}

// downloadMaterial sends a material as a file, never as something to show: what
// it holds must not run under our name.
func (s *Server) downloadMaterial(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !classroom.ValidID(id) || !who(r).teaches() {
		return classroom.ErrNotFound
	}
	m, text, err := s.opt.Materials.Material(r.Context(), id)
	if err != nil {
		return err
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
	id := r.PathValue("id")
	if !classroom.ValidID(id) || !who(r).teaches() {
		return classroom.ErrNotFound
	}
	if err := s.opt.Materials.DeleteMaterial(r.Context(), id); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
