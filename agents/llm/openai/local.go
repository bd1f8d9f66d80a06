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

// A Found is a model server that runs on this machine.
type LocalServer struct {
	Title   string // "Ollama"; of one that says not what it is, "Model server at 127.0.0.1:8080"
	BaseURL string // as Options take it
	Models  []string
}

// localServers are where Ollama, LM Studio, llama.cpp and vLLM listen unless told otherwise.
var localAddresses = []string{"http://127.0.0.1:11434", "http://127.0.0.1:1234", "http://127.0.0.1:8080", "http://127.0.0.1:8000"}

// Local looks for model servers on this machine, all at once and for a second at
// most. What a server is, its own answers say, not its port; one that has no
// list of models is none. With roots given, such as "http://127.0.0.1:9000", it
// looks there and nowhere else. The order is that of the roots.
func FindLocal(ctx context.Context, roots ...string) []LocalServer {
	if len(roots) == 0 {
		roots = localAddresses
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	tr := &http.Transport{} // no proxy
	defer tr.CloseIdleConnections()
	look := localProbe{ctx, &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	found := make([]LocalServer, len(roots))
	var all sync.WaitGroup
	for i, root := range roots {
		all.Go(func() { found[i] = look.probe(strings.TrimRight(root, "/")) })
	}
	all.Wait()
	return slices.DeleteFunc(found, func(f LocalServer) bool { return f.Title == "" })
}

type localProbe struct {
	ctx    context.Context
	client *http.Client
}

// at returns what is there, or the empty Found.
func (l localProbe) probe(root string) LocalServer {
	body := l.get(root + "/v1/models")
	list, err := wire.ReadModelList(strings.NewReader(body))
	if body == "" || err != nil {
		return LocalServer{}
	}
	return LocalServer{Title: l.title(root, list), BaseURL: root + "/v1", Models: modelNames(list)}
}

// title tells the servers apart: llama.cpp and vLLM sign their lists, Ollama and
// LM Studio have an interface of their own.
func (l localProbe) title(root string, list []wire.ListedModel) string {
	for _, m := range list {
		switch m.Owner {
		case "llamacpp":
			return "llama.cpp"
		case "vllm":
			return "vLLM"
		}
	}
	var version struct{ Version string }
	if json.Unmarshal([]byte(l.get(root+"/api/version")), &version) == nil && version.Version != "" {
		return "Ollama"
	}
	if own, err := wire.ReadModelList(strings.NewReader(l.get(root + "/api/v0/models"))); err == nil && len(own) >= len(list) {
		return "LM Studio"
	}
	u, err := url.Parse(root)
	if err != nil {
		return ""
	}
	return "Model server at " + u.Host
}

// get returns the body of a good answer, or nothing.
func (l localProbe) get(address string) string {
	req, err := http.NewRequestWithContext(l.ctx, http.MethodGet, address, nil)
	if err != nil {
		return ""
	}
	res, err := l.client.Do(req)
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
