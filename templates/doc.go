// Package templates renders everything a person sees: pages, and the parts of
// pages that live patches bring.
//
// # One source
//
// The same components render a page, a patch, a replay and an export. What a
// card shows is a pure function of the fold: no clock, no chance, no state.
// Times of day are those of the log, in [Zone].
//
// # Patches
//
// Every part that changes on its own has an id (see ids.go). A card is made of
// its head, its windows and its foot; a window of its head and its entries; a
// message of its parts; a text part of its chunks. Each state word stands in
// the smallest part that changes with it, so replacing that part is enough.
//
// # What the page expects of its server
//
// Forms work without scripts: a post answers 303 to a page. With scripts the
// same posts carry "HX-Request: true"; then any 2xx without a body is right,
// and anything from 400 up carries one sentence for the person, either as the
// API's JSON error or as HTML with the class "error-message". 401 sends the
// browser to /login?return=…; what was typed is kept in the tab.
//
// The stream of a session sends patches in unnamed frames with ids, and the
// named frames connected, caught_up, reset, startup_error and bye, whose data
// is JSON. See static/js/stream.js for what the page does with each.
//
// # Hostile text
//
// Names, titles, questions and results are escaped by templ. A model's text is
// rendered by package prose, the only source of raw HTML here.
//
// # Not here
//
// No requests, no storage, no goroutines.
package templates
