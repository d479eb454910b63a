package clients

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"
)

// multiGitter is the configuration of multi-gitter, which this test stands in for: it cannot be built as a module.
type multiGitter struct {
	Branch           string `json:"branch"`
	Title            string `json:"pr-title"`
	Body             string `json:"pr-body"`
	Message          string `json:"commit-message"`
	ConflictStrategy string `json:"conflict-strategy"`
}

// run does what `multi-gitter run` does with a repository: it clones it, runs the script, and if that exits with 0 and has changed files,
// commits and pushes these to the branch, and opens a pull request. It returns what became of the repository.
func (m multiGitter) run(s *giteaServer, name, script string, env []string) string {
	t := s.t
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, filepath.Dir(dir), "clone", "--quiet", "--depth", "1", s.clone(name), dir)
	git(t, dir, "checkout", "--quiet", "-b", m.Branch)
	out, code := command{t: t, dir: dir, env: append(env, "REPOSITORY="+s.user+"/"+name), name: script}.run()
	switch {
	case strings.Contains(out, s.token):
		t.Errorf("%s: the output contains the token", name)
		fallthrough
	case code != 0:
		return "failed"
	case git(t, dir, "status", "--porcelain") == "":
		return "unchanged"
	case m.ConflictStrategy == "skip" && git(t, dir, "ls-remote", "--heads", s.clone(name), m.Branch) != "":
		return "skipped"
	}
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--message", m.Message)
	git(t, dir, "push", "--quiet", s.clone(name), m.Branch)
	s.until("a pull request of "+name, func() bool {
		status, _ := s.call("POST", fmt.Sprintf("/repos/%s/%s/pulls", s.user, name), map[string]any{
			"title": m.Title, "body": m.Body, "head": m.Branch, "base": "main",
		}, nil)
		return status == http.StatusCreated
	})
	return "opened"
}

// giteaCases are the kinds of repositories, and what becomes of them in the first run, in the second, and after the pull requests were
// merged.
var giteaCases = []struct {
	files                map[string]string
	first, second, third string
}{
	{map[string]string{"argocd.yaml": withAccount("argocd")}, "opened", "skipped", "unchanged"},
	{map[string]string{"argocd.yaml": withoutAccount("argocd")}, "unchanged", "unchanged", "unchanged"},
	// A finding without a fix does not stop the pull request.
	{map[string]string{
		"argocd.yaml": withAccount("argocd"),
		"admin.yaml":  granted("admin", "cluster-admin", "{kind: ServiceAccount, name: admin, namespace: ops}"),
	}, "opened", "skipped", "unchanged"},
	// An error does.
	{map[string]string{"argocd.yaml": withAccount("argocd"), ".salint.yaml": "unknown: true\n"}, "failed", "failed", "failed"},
}

// TestGitea fixes twenty repositories of a server as multi-gitter does, reads the pull requests back, merges them, and fixes again.
func TestGitea(t *testing.T) {
	t.Parallel()
	s := startGitea(t)
	var m multiGitter
	if err := sigsyaml.Unmarshal([]byte(read(t, filepath.Join(projectRoot(t), "examples/fleet/multi-gitter/config.yaml"))), &m); err != nil {
		t.Fatal(err)
	}
	if m.Branch == "" || m.Title == "" || m.Message == "" {
		t.Fatalf("the configuration lacks something: %+v", m)
	}
	const repositories = 20
	name := func(i int) string { return fmt.Sprintf("r%02d", i) }
	for i := range repositories {
		s.create(name(i), giteaCases[i%len(giteaCases)].files)
	}
	script := filepath.Join(projectRoot(t), "examples/fleet/multi-gitter/fix.sh")
	env := []string{"SALINT_TARGET=olm-1.11", "PATH=" + salintFolder(t) + string(os.PathListSeparator) + os.Getenv("PATH")}
	round := func(want func(i int) string) {
		t.Helper()
		for i := range repositories {
			if got := m.run(s, name(i), script, env); got != want(i) {
				t.Errorf("%s: %s, want %s", name(i), got, want(i))
			}
		}
	}

	round(func(i int) string { return giteaCases[i%len(giteaCases)].first })
	opened := 0
	for i := range repositories {
		all := s.pullRequests(name(i))
		opened += len(all)
		if want := giteaCases[i%len(giteaCases)].first == "opened"; want != (len(all) == 1) {
			t.Errorf("%s: %d pull requests", name(i), len(all))
			continue
		} else if !want {
			continue
		}
		if p := all[0]; p.Title != m.Title || strings.TrimSpace(p.Body) != strings.TrimSpace(m.Body) || p.Head.Ref != m.Branch || p.Base.Ref != "main" {
			t.Errorf("%s: %+v", name(i), p)
		}
		var changed []struct {
			Filename             string
			Additions, Deletions int
		}
		s.call("GET", fmt.Sprintf("/repos/%s/%s/pulls/%d/files", s.user, name(i), all[0].Number), nil, &changed)
		if len(changed) != 1 || changed[0].Filename != "argocd.yaml" || changed[0].Additions != 0 || changed[0].Deletions != 2 {
			t.Errorf("%s: the pull request changes %+v", name(i), changed)
		}
		if got := s.file(name(i), "argocd.yaml", m.Branch); got != withoutAccount("argocd") {
			t.Errorf("%s: the branch has\n%s", name(i), got)
		}
		if got := s.file(name(i), "argocd.yaml", "main"); got != withAccount("argocd") {
			t.Errorf("%s: main has\n%s", name(i), got)
		}
	}
	if opened != repositories/2 {
		t.Errorf("%d pull requests, want %d", opened, repositories/2)
	}

	round(func(i int) string { return giteaCases[i%len(giteaCases)].second })
	for i := range repositories {
		for _, p := range s.pullRequests(name(i)) {
			s.until("a merge of "+name(i), func() bool {
				status, _ := s.call("POST", fmt.Sprintf("/repos/%s/%s/pulls/%d/merge", s.user, name(i), p.Number), map[string]any{"Do": "merge", "delete_branch_after_merge": true}, nil)
				return status == http.StatusOK
			})
		}
	}
	round(func(i int) string { return giteaCases[i%len(giteaCases)].third })
}
