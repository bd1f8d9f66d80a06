// Package templates renders everything that a person sees: pages, and the elements
// that live patches replace.
//
// # One source
//
// The same components render a page, a patch, a replay and an export. What a
// card shows is a pure function of the fold: it reads no clock and keeps no state.
// Times are those of the log, in [Zone].
//
// # Patches
//
// Every element that changes on its own has an id (see ids.go). A card has a head,
// windows and a foot; a window has a head and entries; a message has blocks; a text
// block has chunks. A patch replaces the smallest element that changed.
//
// # What the page expects of its server
//
// Forms work without scripts: the answer to a post is 303. With scripts the same
// posts carry "HX-Request: true"; the answer is then any 2xx without a body, or a
// status from 400 up with one sentence for the person, either as the API's JSON
// error or as HTML with the class "error-message". On 401 the browser opens
// /login?return=…, and the tab keeps what was typed.
//
// The stream of a session sends patches in unnamed frames with ids, and the named
// frames connected, caught_up, reset, startup_error and bye with JSON data.
// static/js/stream.js handles them.
//
// # Hostile text
//
// templ escapes names, titles, questions and results. Package prose renders the text
// of models; raw HTML comes from it and from cards that were rendered before.
//
// # Files
//
// A noun has one file for its components and, where it needs one, a Go file of the
// same name for its labels: session.templ and session.go. The data of pages is in
// view.go.
package templates
