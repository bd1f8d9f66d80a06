package openai

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"colloquy/agents/llm/wire"
)

// A LocalServer is a model server on this machine.
type LocalServer struct {
	Title   string // such as "Ollama", or "Model server at 127.0.0.1:8080" if its kind is unknown
	BaseURL string // for Options
	Models  []string
}

// localAddresses are the default addresses of Ollama, LM Studio, llama.cpp and vLLM.
var localAddresses = []string{
	"http://127.0.0.1:11434", "http://127.0.0.1:1234", "http://127.0.0.1:8080", "http://127.0.0.1:8000",
}

// FindLocal looks for model servers on this machine, on all addresses at once and
// for at most a second. It returns the servers that list models, in the order of
// their addresses. It recognises the kind of a server by its answers, not by its
// port. With roots, such as "http://127.0.0.1:9000", it looks only there.
func FindLocal(ctx context.Context, roots ...string) []LocalServer {
	if len(roots) == 0 {
		roots = localAddresses
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	tr := &http.Transport{} // no proxy
	defer tr.CloseIdleConnections()
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	p := localProbe{ctx, &http.Client{Transport: tr, CheckRedirect: noRedirect}}
	found := make([]LocalServer, len(roots))
	var all sync.WaitGroup
	for i, root := range roots {
		all.Go(func() { found[i] = p.probe(strings.TrimRight(root, "/")) })
	}
	all.Wait()
	return slices.DeleteFunc(found, func(f LocalServer) bool { return f.Title == "" })
}

type localProbe struct {
	ctx    context.Context
	client *http.Client
}

// probe returns the server at root, or the zero LocalServer.
func (p localProbe) probe(root string) LocalServer {
	body := p.get(root + "/v1/models")
	list, err := wire.ReadModelList(strings.NewReader(body))
	if body == "" || err != nil {
		return LocalServer{}
	}
	return LocalServer{Title: p.title(root, list), BaseURL: root + "/v1", Models: wire.Names(list)}
}

// title returns the kind of server. The lists of llama.cpp and vLLM name their
// owner; Ollama and LM Studio have endpoints of their own.
func (p localProbe) title(root string, list []wire.ListedModel) string {
	for _, m := range list {
		switch m.Owner {
		case "llamacpp":
			return "llama.cpp"
		case "vllm":
			return "vLLM"
		}
	}
	var version struct{ Version string }
	if json.Unmarshal([]byte(p.get(root+"/api/version")), &version) == nil && version.Version != "" {
		return "Ollama"
	}
	own, err := wire.ReadModelList(strings.NewReader(p.get(root + "/api/v0/models")))
	if err == nil && len(own) >= len(list) {
		return "LM Studio"
	}
	u, err := url.Parse(root)
	if err != nil {
		return ""
	}
	return "Model server at " + u.Host
}

// get returns the body of an answer with status 200, or "".
func (p localProbe) get(address string) string {
	req, err := http.NewRequestWithContext(p.ctx, http.MethodGet, address, nil)
	if err != nil {
		return ""
	}
	res, err := p.client.Do(req)
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil || res.StatusCode != http.StatusOK {
		return ""
	}
	return string(body)
}
