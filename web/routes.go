package web

import (
	"net/http"

	"colloquy/classroom"
	"colloquy/static"
)

// A routeTable registers routes. Beside its pattern a route names what its caller must be
// allowed to do, and with what.
type routeTable struct {
	*http.ServeMux
	server *Server
	routes []route
}

// A route is one row of the table.
type route struct {
	pattern string
	action  classroom.Action // empty: open to everybody
}

// open registers a route for everybody.
func (t *routeTable) open(pattern string, h handlerFunc) {
	t.routes = append(t.routes, route{pattern: pattern})
	t.Handle(pattern, t.server.toHandler(h))
}

// to registers a route for those who may do an action with what find finds.
func (t *routeTable) to(a classroom.Action, pattern string, find finder, h handlerFunc) {
	t.routes = append(t.routes, route{pattern, a})
	t.Handle(pattern, t.server.toHandler(t.server.allow(a, find, h)))
}

// table returns every route but those of package static.
func (s *Server) table() *routeTable {
	t := &routeTable{ServeMux: http.NewServeMux(), server: s}
	const read, take, teach, own = classroom.Read, classroom.Take, classroom.Teach, classroom.Own

	t.open("GET /healthz", s.health)
	t.open("GET /readyz", s.ready)
	t.open("GET /signin", s.useSignInLink)
	t.open("GET /login", s.loginPage)
	t.open("POST /logout", s.logout)
	t.open("POST /prefs", s.postPrefs)
	t.open("GET /link", s.guestLinkPage)
	t.open("POST /link", s.postGuestLink)
	t.open("GET /metrics", fromHere(s.showMetrics, s.allow(own, s.inWorkbench, s.showMetrics)))
	t.open("/", s.notFound(t.ServeMux))

	t.open("GET /{$}", s.guestHome(s.allow(teach, s.inWorkbench, s.home)))
	t.to(teach, "POST /ask", s.inWorkbench, s.postQuestion)
	t.to(teach, "GET /settings", s.inWorkbench, s.settings)
	t.to(teach, "POST /settings/name", s.inWorkbench, s.postName)
	t.to(teach, "GET /stream", s.inWorkbench, s.sidebarStream)
	t.to(teach, "POST /classes", s.inWorkbench, s.postClass)
	t.to(teach, "GET /classes/{id}", s.ofClass, s.classPage)
	t.to(classroom.Review, "GET /classes/{id}/review", s.ofClass, s.reviewPage)
	t.to(classroom.Review, "POST /classes/{id}/review/seen", s.ofClass, s.postReviewed)
	t.to(classroom.Review, "GET /classes/{id}/ledger", s.ofClass, s.ledgerPage)
	t.to(read, "GET /classes/{id}/search", s.ofClass, s.classSearch)
	t.to(own, "POST /classes/{id}/delete", s.ofClass, s.postDeleteClass)
	t.to(teach, "POST /classes/{id}/rules", s.ofClass, s.postRules)
	t.to(teach, "POST /classes/{id}/models", s.ofClass, s.postClassModels)
	t.to(teach, "POST /classes/{id}/sessions", s.ofClass, s.postSession)
	t.to(teach, "POST /classes/{id}/materials", s.ofClass, s.postMaterials)
	t.to(read, "GET /materials/{id}", s.ofMaterial, s.materialPage)
	t.to(teach, "POST /materials/{id}/delete", s.ofMaterial, s.postDeleteMaterial)

	t.to(read, "GET /sessions/{id}", s.ofSession, s.workbench)
	t.to(read, "GET /sessions/{id}/stream", s.ofSession, s.pageStream)
	t.to(read, "GET /sessions/{id}/source", s.ofSession, s.sessionSource)
	t.to(read, "GET /sessions/{id}/exchanges", s.ofSession, s.olderExchanges)
	t.to(read, "GET /sessions/{id}/replay", s.ofSession, s.replayPage)
	t.to(read, "GET /sessions/{id}/replay/stream", s.ofSession, s.replayStream)
	t.to(take, "POST /sessions/{id}/messages", s.ofSession, s.postMessage)
	t.to(take, "POST /sessions/{id}/cancel", s.ofSession, s.postCancel)
	t.to(take, "POST /sessions/{id}/resume", s.ofSession, s.postResume)
	t.to(take, "POST /sessions/{id}/queue/send", s.ofSession, s.postSendQueue)
	t.to(teach, "POST /sessions/{id}/queue/remove", s.ofSession, s.postUnqueue)
	t.to(teach, "POST /sessions/{id}/lift", s.ofSession, s.postLift)
	t.to(teach, "POST /sessions/{id}/title", s.ofSession, s.postTitle)
	t.to(teach, "POST /sessions/{id}/delete", s.ofSession, s.postDeleteSession)
	t.to(own, "POST /sessions/{id}/links", s.ofSession, s.postLink)
	t.to(own, "POST /links/{id}/revoke", s.ofLink, s.postRevokeLink)

	s.settingsRoutes(t)
	s.apiRoutes(t)
	return t
}

// settingsRoutes registers the pages of models.
func (s *Server) settingsRoutes(t *routeTable) {
	const own = classroom.Own
	t.to(own, "POST /settings/default", s.inWorkbench, s.withProvider(s.postDefaultModel))
	t.to(own, "POST /settings/models", s.inWorkbench, s.withProvider(s.postModel))
	t.to(own, "POST /settings/models/local", s.inWorkbench, s.withProvider(s.postLocalModels))
	t.to(own, "GET /settings/models/{id}", s.inWorkbench, s.withProvider(s.modelPage))
	t.to(own, "POST /settings/models/{id}", s.inWorkbench, s.withProvider(s.postModelForm))
	t.to(own, "POST /settings/models/{id}/connection", s.inWorkbench, s.withProvider(s.postConnection))
	t.to(own, "POST /settings/models/{id}/try", s.inWorkbench, s.withProvider(s.postTestModel))
	t.to(own, "POST /settings/models/{id}/delete", s.inWorkbench, s.withProvider(s.postDeleteModel))
}

// apiRoutes registers the addresses of the JSON API. POST /api/sessions and
// POST /api/links name their class or session in the body, and ask [require].
func (s *Server) apiRoutes(t *routeTable) {
	const read, take, teach, own = classroom.Read, classroom.Take, classroom.Teach, classroom.Own

	t.to(teach, "GET /api/classes", s.inWorkbench, s.apiClasses)
	t.to(teach, "POST /api/classes", s.inWorkbench, s.apiCreateClass)
	t.to(teach, "GET /api/classes/{id}", s.ofClass, s.apiClass)
	t.to(teach, "PATCH /api/classes/{id}", s.ofClass, s.apiUpdateClass)
	t.to(own, "DELETE /api/classes/{id}", s.ofClass, s.apiDeleteClass)
	t.to(read, "GET /api/classes/{id}/materials", s.ofClass, s.apiMaterials)
	t.to(read, "GET /api/classes/{id}/search", s.ofClass, s.apiClassSearch)
	t.to(classroom.Review, "GET /api/classes/{id}/ledger", s.ofClass, s.apiLedger)
	t.to(teach, "POST /api/classes/{id}/materials", s.ofClass, s.apiAddMaterials)
	t.to(read, "GET /api/materials/{id}", s.ofMaterial, s.downloadMaterial)
	t.to(teach, "DELETE /api/materials/{id}", s.ofMaterial, s.apiDeleteMaterial)

	t.to(read, "GET /api/sessions", s.inWorkbench, s.apiSessions)
	t.to(teach, "POST /api/sessions", s.inWorkbench, s.apiCreateSession)
	t.to(read, "GET /api/sessions/{id}", s.ofSession, s.apiSession)
	t.to(teach, "DELETE /api/sessions/{id}", s.ofSession, s.apiDeleteSession)
	t.to(take, "POST /api/sessions/{id}/messages", s.ofSession, s.apiSend)
	t.to(take, "POST /api/sessions/{id}/cancel", s.ofSession, s.apiCancel)
	t.to(teach, "POST /api/sessions/{id}/lift", s.ofSession, s.apiLift)
	t.to(take, "POST /api/sessions/{id}/resume", s.ofSession, s.apiResume)
	t.to(teach, "POST /api/sessions/{id}/fork", s.ofSession, s.apiFork)
	t.to(teach, "PATCH /api/sessions/{id}/queue", s.ofSession, s.apiEditQueue)
	t.to(take, "POST /api/sessions/{id}/queue/send", s.ofSession, s.apiSendQueue)
	t.to(read, "GET /api/sessions/{id}/events", s.ofSession, s.events)
	t.to(read, "GET /api/sessions/{id}/log", s.ofSession, s.downloadLog)

	t.to(teach, "POST /api/links", s.inWorkbench, s.apiCreateLink)
	t.to(own, "GET /api/links", s.ofAskedSession, s.apiLinks)
	t.to(own, "DELETE /api/links/{id}", s.ofLink, s.apiRevokeLink)

	t.to(teach, "GET /api/agent/generate", s.inWorkbench, s.generate)
	t.to(read, "PATCH /api/me", s.inWorkbench, s.apiRename)

	t.to(own, "GET /api/models", s.inWorkbench, s.withProvider(s.apiModels))
	t.to(own, "POST /api/models", s.inWorkbench, s.withProvider(s.apiCreateModel))
	t.to(own, "GET /api/models/{id}", s.inWorkbench, s.withProvider(s.apiModel))
	t.to(own, "PATCH /api/models/{id}", s.inWorkbench, s.withProvider(s.apiUpdateModel))
	t.to(own, "DELETE /api/models/{id}", s.inWorkbench, s.withProvider(s.apiDeleteModel))
}

// handlerOf returns the handler of every route.
func (s *Server) handlerOf(t *routeTable) http.Handler {
	t.Handle("GET /static/", static.Handler())
	return s.middleware(t)
}
