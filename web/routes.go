package web

import (
	"net/http"

	"colloquy/static"
)

// routes returns the handler of every route but those of package static.
func (s *Server) routes() http.Handler {
	m := http.NewServeMux()
	open := func(pattern string, h handlerFunc) { m.Handle(pattern, s.toHandler(h)) }
	person := func(pattern string, h handlerFunc) { m.Handle(pattern, s.toHandler(s.signedIn(h))) }
	owner := func(pattern string, h handlerFunc) { person(pattern, s.ownerOnly(h)) }

	open("GET /healthz", s.health)
	open("GET /readyz", s.ready)
	open("GET /metrics", s.showMetrics)
	m.Handle("GET /static/", static.Handler())
	open("/", s.notFound(m))

	open("GET /signin", s.useSignInLink)
	open("GET /login", s.loginPage)
	open("POST /logout", s.logout)
	open("POST /prefs", s.postPrefs)

	person("GET /{$}", s.home)
	person("POST /ask", s.postQuestion)
	person("GET /settings", s.settings)
	person("POST /settings/name", s.postName)
	person("GET /stream", s.sidebarStream)
	person("POST /classes", s.postClass)
	person("GET /classes/{id}", s.classPage)
	person("POST /classes/{id}/delete", s.postDeleteClass)
	person("POST /classes/{id}/rules", s.postRules)
	person("POST /classes/{id}/models", s.postClassModels)
	person("POST /classes/{id}/sessions", s.postSession)
	person("POST /classes/{id}/materials", s.postMaterials)
	person("POST /materials/{id}/delete", s.postDeleteMaterial)

	person("GET /sessions/{id}", s.workbench)
	person("GET /sessions/{id}/stream", s.pageStream)
	person("GET /sessions/{id}/exchanges", s.olderExchanges)
	person("POST /sessions/{id}/messages", s.postMessage)
	person("POST /sessions/{id}/title", s.postTitle)
	person("POST /sessions/{id}/delete", s.postDeleteSession)
	person("POST /sessions/{id}/cancel", s.postCancel)
	person("POST /sessions/{id}/resume", s.postResume)
	person("POST /sessions/{id}/queue/send", s.postSendQueue)
	person("POST /sessions/{id}/queue/remove", s.postUnqueue)
	person("GET /sessions/{id}/replay", s.replayPage)
	person("GET /sessions/{id}/replay/stream", s.replayStream)

	owner("POST /settings/default", s.postDefaultModel)
	owner("POST /settings/models", s.postModel)
	owner("POST /settings/models/local", s.postLocalModels)
	owner("GET /settings/models/{id}", s.modelPage)
	owner("POST /settings/models/{id}", s.postModelForm)
	owner("POST /settings/models/{id}/connection", s.postConnection)
	owner("POST /settings/models/{id}/try", s.postTestModel)
	owner("POST /settings/models/{id}/delete", s.postDeleteModel)

	s.apiRoutes(person)
	s.apiModelRoutes(owner)
	return s.middleware(m)
}

// apiRoutes are the addresses of the JSON API.
func (s *Server) apiRoutes(person func(string, handlerFunc)) {
	person("GET /api/classes", s.apiClasses)
	person("POST /api/classes", s.apiCreateClass)
	person("GET /api/classes/{id}", s.apiClass)
	person("PATCH /api/classes/{id}", s.apiUpdateClass)
	person("DELETE /api/classes/{id}", s.apiDeleteClass)
	person("GET /api/classes/{id}/materials", s.apiMaterials)
	person("POST /api/classes/{id}/materials", s.apiAddMaterials)
	person("GET /api/materials/{id}", s.downloadMaterial)
	person("DELETE /api/materials/{id}", s.apiDeleteMaterial)

	person("GET /api/sessions", s.apiSessions)
	person("POST /api/sessions", s.apiCreateSession)
	person("GET /api/sessions/{id}", s.apiSession)
	person("DELETE /api/sessions/{id}", s.apiDeleteSession)
	person("POST /api/sessions/{id}/messages", s.apiSend)
	person("POST /api/sessions/{id}/cancel", s.apiCancel)
	person("POST /api/sessions/{id}/resume", s.apiResume)
	person("POST /api/sessions/{id}/fork", s.apiFork)
	person("PATCH /api/sessions/{id}/queue", s.apiEditQueue)
	person("POST /api/sessions/{id}/queue/send", s.apiSendQueue)
	person("GET /api/sessions/{id}/events", s.events)
	person("GET /api/sessions/{id}/log", s.downloadLog)
	person("GET /api/agent/generate", s.generate)
	person("PATCH /api/me", s.apiRename)
}

// apiModelRoutes are the addresses of the JSON API for the owner.
func (s *Server) apiModelRoutes(owner func(string, handlerFunc)) {
	owner("GET /api/models", s.apiModels)
	owner("POST /api/models", s.apiCreateModel)
	owner("GET /api/models/{id}", s.apiModel)
	owner("PATCH /api/models/{id}", s.apiUpdateModel)
	owner("DELETE /api/models/{id}", s.apiDeleteModel)
}
