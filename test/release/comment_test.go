package release

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Commenting writes one comment and updates it; what cannot be written is a notice, because the job summary has it.
func TestComment(t *testing.T) {
	t.Parallel()
	list := func(id int) string { return fmt.Sprintf(`[{"id": %d}]`, id) }
	const comments = "/repos/acme/clusters/issues/7/comments"
	for name, c := range map[string]struct {
		pages  []string // answers to the requests for comments
		isNew  bool
		number string
		status int // of what writes
		asked  []string
		prints string
	}{
		"the first":               {[]string{"[]"}, true, "7", 201, []string{"GET " + comments + "?page=1", "POST " + comments + " {}"}, "The comment is written."},
		"an update":               {[]string{list(12)}, true, "7", 200, []string{"GET " + comments + "?page=1", "PATCH /repos/acme/clusters/issues/comments/12 {}"}, "The comment is written."},
		"an update to nothing":    {[]string{list(12)}, false, "7", 200, []string{"GET " + comments + "?page=1", "PATCH /repos/acme/clusters/issues/comments/12 {}"}, "The comment is written."},
		"on the second page":      {[]string{`[{"other": 1}]`, list(3)}, true, "7", 200, []string{"GET " + comments + "?page=1", "GET " + comments + "?page=2", "PATCH /repos/acme/clusters/issues/comments/3 {}"}, "The comment is written."},
		"nothing to say":          {[]string{"[]"}, false, "7", 201, []string{"GET " + comments + "?page=1"}, "There is nothing to comment on."},
		"a token that only reads": {[]string{"[]"}, true, "7", 403, []string{"GET " + comments + "?page=1", "POST " + comments + " {}"}, "::notice title=salint::no comment was written: the token of this run may not write"},
		"an API that fails":       {[]string{"[]"}, true, "7", 422, []string{"GET " + comments + "?page=1", "POST " + comments + " {}"}, "::notice title=salint::no comment was written: the API answers 422"},
		"no pull request":         {nil, true, "7/../8", 0, nil, "is not the number of a pull request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer secret-token" {
					t.Errorf("%s %s has the header %q", r.Method, r.URL, r.Header.Get("Authorization"))
				}
				body, _ := io.ReadAll(r.Body)
				line := strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Method, r.URL.Path, body))
				if r.Method == http.MethodGet {
					line += "?page=" + r.URL.Query().Get("page")
					_, _ = io.WriteString(w, c.pages[len(asked)])
				} else {
					w.WriteHeader(c.status)
				}
				asked = append(asked, line)
			}))
			defer server.Close()
			dir := t.TempDir()
			program, body := filepath.Join(dir, "finder"), filepath.Join(dir, "body.json")
			for file, text := range map[string]string{program: "#!/bin/sh\nsed -n 's/.*\"id\": \\([0-9]*\\).*/\\1/p'\n", body: "{}"} {
				if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			script, err := filepath.Abs("../../release/comment.sh")
			if err != nil {
				t.Fatal(err)
			}
			command := exec.Command("bash", script, program)
			command.Env = []string{
				"PATH=" + os.Getenv("PATH"), "GITHUB_API_URL=" + server.URL, "GITHUB_REPOSITORY=acme/clusters", "GH_TOKEN=secret-token",
				"PULL_REQUEST=" + c.number, "COMMENT_FILE=" + body, fmt.Sprintf("COMMENT_NEW=%v", c.isNew),
			}
			out, err := command.CombinedOutput()
			if err != nil || !strings.Contains(string(out), c.prints) || strings.Contains(string(out), "secret-token") {
				t.Errorf("%v: %s", err, out)
			}
			if diff := cmp.Diff(c.asked, asked); diff != "" {
				t.Error(diff)
			}
		})
	}
}
