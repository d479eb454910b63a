package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/salint/salint/internal/ask/states"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/rules/modules"
)

// report is what salint says about an input: rules of findings, and dangers of what is gained, each with the name of the object.
type report []struct{ what, object string }

func (r *report) add(what, object string) {
	*r = append(*r, struct{ what, object string }{what, object})
}

// has reports whether the report has one of some signals, for an object or with "" for any. A signal that ends with a star is the beginning of others.
func (r report) has(signals []string, object string) bool {
	for _, found := range r {
		if object != "" && found.object != object {
			continue
		}
		if slices.ContainsFunc(signals, func(s string) bool {
			prefix, begins := strings.CutSuffix(s, "*")
			return s == found.what || begins && strings.HasPrefix(found.what, prefix)
		}) {
			return true
		}
	}
	return false
}

// asker asks salint about one input after another, in a separate repository whose only commit is empty.
type asker struct {
	dir string
	// cache has compiled policies. All askers share it.
	cache *modules.Cache
}

func newAsker(ctx context.Context, cache *modules.Cache) (*asker, error) {
	dir, err := os.MkdirTemp("", "salint-peers-")
	if err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "--message=empty"}} {
		if out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			return nil, errors.Join(fmt.Errorf("git: %w\n%s", err, out), os.RemoveAll(dir))
		}
	}
	return &asker{dir, cache}, nil
}

func (a *asker) close() { os.RemoveAll(a.dir) }

// limit is that for an input, on a machine that does other work.
const limit = time.Minute

// ask runs lint, and diff against the empty commit, on an input.
func (a *asker) ask(ctx context.Context, in input) (r report, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	texts := append(slices.Clone(in.manifests), bindings(in.manifests))
	for i, text := range texts {
		file := filepath.Join(a.dir, fmt.Sprintf("manifest-%d.yaml", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		defer os.Remove(file)
	}
	if err := a.lint(ctx, &r); err != nil {
		return nil, err
	}
	return r, a.diff(ctx, &r)
}

func (a *asker) lint(ctx context.Context, r *report) error {
	opened, err := repo.Open(a.dir, nil)
	if err != nil {
		return err
	}
	defer opened.Close()
	w := &workspace.Workspace{Dir: a.dir, Repo: opened}
	if w.Config, err = w.ReadConfig("", settings.GivenLimits{}, nil); err != nil {
		return err
	}
	out, err := session.Run(ctx, session.Options{
		Tree: loader.FromRepo(opened), Config: w.Config, Enable: []string{"pod/token-mounted"}, PolicyCache: a.cache, Charts: w.Charts(), Now: time.Now(),
	})
	if err != nil {
		return err
	}
	for _, f := range out.Findings {
		r.add(f.Rule, f.Resource.Name)
	}
	return nil
}

func (a *asker) diff(ctx context.Context, r *report) error {
	s, err := states.Open(ctx, []string{"HEAD"}, states.Options{Dir: a.dir})
	if err != nil {
		return err
	}
	defer s.Close()
	found, err := s.Compare(ctx)
	if err != nil {
		return err
	}
	for _, g := range found.Gained {
		for _, danger := range g.Dangers {
			r.add(danger, g.Role.Name)
		}
	}
	for _, o := range found.Objects {
		r.add(o.Rule, o.Name)
	}
	return nil
}

// bindings binds each role that nothing binds to a user.
func bindings(manifests []string) string {
	var roles []*objects.Object
	bound := map[string]bool{}
	for _, text := range manifests {
		for _, doc := range manifest.Scan("manifest.yaml", []byte(text)).Docs {
			if doc.Parse() != nil {
				continue
			}
			for _, o := range objects.Objects(doc) {
				if o.Group != rbac.Group {
					continue
				}
				if strings.HasSuffix(o.Kind, "Role") {
					roles = append(roles, o)
				}
				bound[o.Node.Get("roleRef").Get("name").String()] = true
			}
		}
	}
	var b strings.Builder
	for i, o := range roles {
		if bound[o.Name] {
			continue
		}
		in := ""
		if o.Kind == "Role" {
			in = ", namespace: " + o.Namespace
			if o.Namespace == "" {
				in = ""
			}
		}
		fmt.Fprintf(&b, "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %sBinding\nmetadata: {name: bound-%d%s}\n", o.Kind, i, in)
		fmt.Fprintf(&b, "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: %q}\nsubjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: user}]\n", o.Kind, o.Name)
	}
	return b.String()
}
