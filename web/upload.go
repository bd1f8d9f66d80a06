package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	maxUpload = 64 << 20 // all files of a request
	maxFiles  = 50
)

// A fileResult is the result of adding one file: the material, or an error.
type fileResult struct {
	ID    string     `json:"id,omitempty"`
	Name  string     `json:"name"`
	Pages int        `json:"pages,omitempty"`
	Bytes int        `json:"bytes,omitempty"`
	Error *errorJSON `json:"error,omitempty"`
	err   error
}

// addMaterials adds the files of a form one by one, as they arrive. A file whose
// request breaks off is not added.
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
		if tooLarge(err) && len(out) < 2 { // the request is one large file
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
			refused := classroom.Material{Name: fileName(part.FileName())}
			out = append(out, newFileResult(r, refused, classroom.ErrTooManyFiles))
			continue
		}
		m, err := s.addFile(r.Context(), class, part)
		if tooLarge(err) {
			return out, classroom.ErrFilesTooLarge
		}
		out = append(out, newFileResult(r, m, err))
	}
	return out, nil
}

// firstError returns the first error if no file was added.
func firstError(results []fileResult) error {
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

func newFileResult(r *http.Request, m classroom.Material, err error) fileResult {
	x := fileResult{ID: m.ID, Name: m.Name, Pages: m.Pages, Bytes: m.Bytes, err: err}
	if err != nil {
		e, _ := publicError(err)
		body := errorBody(r, e)
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
	return s.addMaterialText(ctx, m, body)
}

// addMaterialText checks a text and stores it as a material.
func (s *Server) addMaterialText(ctx context.Context, m classroom.Material, body []byte) (classroom.Material, error) {
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

// textType returns the media type for a file's name; empty if the file is not
// accepted. The type that the client sent is ignored.
func textType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		return "text/markdown"
	case ".txt", ".text":
		return "text/plain"
	}
	return ""
}

// fileName returns the last element of a path that a client sent, without control
// and invisible characters.
func fileName(sent string) string {
	sent = strings.ReplaceAll(sent, "\\", "/")
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Cf, r) || isHidden(r) {
			return -1
		}
		return r
	}, path.Base(sent))
	name = strings.TrimSpace(name)
	if ext := path.Ext(name); strings.IndexFunc(strings.TrimSuffix(name, ext), isVisible) < 0 {
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
