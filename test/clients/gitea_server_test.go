package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// giteaServer is a server of repositories on loopback, with one account.
type giteaServer struct {
	t                    *testing.T
	address, user, token string
}

// startGitea starts the program in the folder SALINT_GITEA, which test/gitea/build.sh builds.
func startGitea(t *testing.T) *giteaServer {
	t.Helper()
	built := os.Getenv("SALINT_GITEA")
	if built == "" {
		t.Skip("skipped: SALINT_GITEA is not set: run test/gitea/build.sh FOLDER, and set it to that folder")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "app.ini")
	write(t, config, giteaConfig(dir, built, address))
	program := filepath.Join(built, "gitea")
	administer := func(args ...string) string {
		return command{t: t, dir: dir, name: program, args: append([]string{"--config", config}, args...)}.succeed()
	}
	administer("migrate")
	out := administer("admin", "user", "create", "--username", "acme", "--password", "password-1", "--email", "acme@example.com", "--admin", "--must-change-password=false", "--access-token")
	token := regexp.MustCompile(`[0-9a-f]{40}`).FindString(out)
	if token == "" {
		t.Fatalf("no token:\n%s", out)
	}

	server := exec.Command(program, "--config", config, "web")
	server.Dir = dir
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
		if t.Failed() {
			t.Logf("the log of the server:\n%s", log.String())
		}
	})
	s := &giteaServer{t: t, address: "http://" + address, user: "acme", token: token}
	s.until("the server answers", func() bool {
		response, err := http.Get(s.address + "/api/v1/version")
		if err == nil {
			response.Body.Close()
		}
		return err == nil && response.StatusCode == http.StatusOK
	})
	return s
}

// giteaConfig keeps everything in a folder, and reaches nothing but loopback.
func giteaConfig(dir, built, address string) string {
	_, port, _ := net.SplitHostPort(address)
	user := "root"
	if name := os.Getenv("USER"); name != "" && os.Getuid() != 0 {
		user = name
	}
	return strings.NewReplacer("$DIR", dir, "$BUILT", built, "$ADDRESS", address, "$PORT", port, "$USER", user).Replace(`I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
RUN_MODE = prod
RUN_USER = $USER
WORK_PATH = $DIR
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = $PORT
ROOT_URL = http://$ADDRESS/
STATIC_ROOT_PATH = $BUILT/static
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = $DIR/gitea.db
[security]
INSTALL_LOCK = true
[log]
MODE = console
LEVEL = Error
[actions]
ENABLED = false
[indexer]
ISSUE_INDEXER_TYPE = db
[cron]
ENABLED = false
`)
}

// until waits until the server has reached a state: it handles pushes in the background.
func (s *giteaServer) until(what string, reached func() bool) {
	s.t.Helper()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for end := time.Now().Add(time.Minute); !reached(); <-ticker.C {
		if time.Now().After(end) {
			s.t.Fatalf("waited in vain: %s", what)
		}
	}
}

// call sends a request to the API. It returns the status, and decodes the answer into a value or returns its text.
func (s *giteaServer) call(method, path string, body, into any) (status int, text string) {
	s.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.address+"/api/v1"+path, bytes.NewReader(data))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "token "+s.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if into != nil && response.StatusCode < 300 {
		if err := json.Unmarshal(answer, into); err != nil {
			s.t.Fatalf("%s: %v\n%s", path, err, answer)
		}
	}
	return response.StatusCode, string(answer)
}

// create makes a repository with files.
func (s *giteaServer) create(name string, files map[string]string) {
	s.t.Helper()
	if status, text := s.call("POST", "/user/repos", map[string]any{"name": name, "default_branch": "main"}, nil); status != http.StatusCreated {
		s.t.Fatalf("%s: %d %s", name, status, text)
	}
	dir := filepath.Join(s.t.TempDir(), name)
	newRepository(s.t, dir, files)
	git(s.t, dir, "push", "--quiet", s.clone(name), "main")
	s.until(name+" has a commit", func() bool {
		var state struct{ Empty bool }
		s.call("GET", fmt.Sprintf("/repos/%s/%s", s.user, name), nil, &state)
		return !state.Empty
	})
}

// clone returns the address of a repository, with the token.
func (s *giteaServer) clone(name string) string {
	return strings.Replace(s.address, "http://", fmt.Sprintf("http://%s:%s@", s.user, s.token), 1) + "/" + s.user + "/" + name + ".git"
}

// pullRequest is an open pull request.
type pullRequest struct {
	Number      int
	Title, Body string
	Head, Base  struct{ Ref string }
}

func (s *giteaServer) pullRequests(name string) []pullRequest {
	s.t.Helper()
	var open []pullRequest
	if status, text := s.call("GET", fmt.Sprintf("/repos/%s/%s/pulls?state=open", s.user, name), nil, &open); status != http.StatusOK {
		s.t.Fatalf("%s: %d %s", name, status, text)
	}
	return open
}

// file returns a file of a branch.
func (s *giteaServer) file(name, file, branch string) string {
	s.t.Helper()
	status, text := s.call("GET", fmt.Sprintf("/repos/%s/%s/raw/%s?ref=%s", s.user, name, file, branch), nil, nil)
	if status != http.StatusOK {
		s.t.Fatalf("%s: %d %s", name, status, text)
	}
	return text
}
