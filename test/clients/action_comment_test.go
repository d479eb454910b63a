package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const commentWorkflow = `name: review
on: [pull_request]
permissions:
  contents: read
  pull-requests: write
jobs:
  salint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0
      - uses: ./.github/salint
        continue-on-error: true
        with:
          paths: apps
          target: olm-1.11
          comment: true
`

// comments is the part of the API of GitHub that the action uses: the comments of one pull request.
type comments struct {
	mu     sync.Mutex
	bodies []string
	asked  []string
}

func (c *comments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	data, _ := io.ReadAll(r.Body)
	var sent struct{ Body string }
	_ = json.Unmarshal(data, &sent)
	c.asked = append(c.asked, r.Method)
	switch r.Method {
	case http.MethodPost:
		c.bodies = append(c.bodies, sent.Body)
		w.WriteHeader(http.StatusCreated)
	case http.MethodPatch:
		c.bodies[0] = sent.Body
	default:
		var list []map[string]any
		for i, body := range c.bodies {
			list = append(list, map[string]any{"id": 40 + i, "body": body, "user": map[string]string{"type": "Bot"}})
		}
		if r.URL.Query().Get("page") != "1" {
			list = nil
		}
		_ = json.NewEncoder(w).Encode(append([]map[string]any{}, list...))
	}
}

// A pull request gets one comment, which the next run updates, also to say that the reasons are gone.
func TestActionComments(t *testing.T) {
	t.Parallel()
	act := client(t, "act", installTools)
	dir, home := t.TempDir(), t.TempDir()
	newRepository(t, dir, map[string]string{
		".github/workflows/review.yml": commentWorkflow,
		".salint.yaml":                 "exclude: [.github/**]\n",
		"apps/keycloak.yaml":           withAccount("keycloak"),
	})
	copyProject(t, filepath.Join(dir, ".github", "salint"))
	commitAll(t, dir)
	event := filepath.Join(home, "event.json")
	write(t, event, fmt.Sprintf(`{"pull_request": {"number": 7, "base": {"sha": %q}}}`, git(t, dir, "rev-parse", "HEAD")))
	api := &comments{}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	run := func() {
		t.Helper()
		args := actArguments(t, home, event)
		args[0] = "pull_request"
		out, code := command{
			t: t, dir: dir, name: act, args: append(args, "--env", "GITHUB_API_URL="+server.URL, "--secret", "GITHUB_TOKEN=token"),
			env: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home},
		}.run()
		if code != 0 {
			t.Fatalf("act: exit code %d", code)
		}
		mustContain(t, out, "The comment is written.")
	}
	run()
	run()
	if err := os.Remove(filepath.Join(dir, "apps", "keycloak.yaml")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "apps", "empty.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: empty}}\n")
	commitAll(t, dir)
	if len(api.bodies) != 1 || !strings.Contains(api.bodies[0], "keycloak") {
		t.Errorf("comments: %q", api.bodies)
	}
	run()
	if len(api.bodies) != 1 || !strings.Contains(api.bodies[0], "nothing to report") {
		t.Errorf("comments: %q", api.bodies)
	}
	if got := strings.Join(api.asked, " "); got != "GET GET POST GET PATCH GET PATCH" && got != "GET POST GET PATCH GET PATCH" {
		t.Errorf("asked: %s", got)
	}
}
