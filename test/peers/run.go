package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
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

// ask runs lint, and diff against an empty repository, on an input.
func ask(ctx context.Context, salint string, in input) (report, error) {
	dir, err := os.MkdirTemp("", "salint-peers-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, args := range [][]string{{"init", "--quiet"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "--message=empty"}} {
		if out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git: %w\n%s", err, out)
		}
	}
	for i, text := range in.manifests {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("manifest-%d.yaml", i)), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "bound.yaml"), []byte(bindings(in.manifests)), 0o600); err != nil {
		return nil, err
	}
	var r report
	var lint struct {
		Findings []struct {
			Rule     string
			Resource struct{ Name string }
		}
	}
	if err := decode(ctx, salint, dir, &lint, "lint", "--format", "json", "--enable", "pod/token-mounted"); err != nil {
		return nil, err
	}
	for _, f := range lint.Findings {
		r.add(f.Rule, f.Resource.Name)
	}
	var diff struct {
		Gained []struct {
			Dangers []struct{ Text string }
			Rules   []any
			Role    struct{ Name string }
		}
		Objects []struct{ Rule, Name string }
	}
	if err := decode(ctx, salint, dir, &diff, "diff", "HEAD", "--format", "json"); err != nil {
		return nil, err
	}
	for _, g := range diff.Gained {
		for _, d := range g.Dangers {
			r.add(d.Text, g.Role.Name)
		}
	}
	for _, o := range diff.Objects {
		r.add(o.Rule, o.Name)
	}
	return r, nil
}

func decode(ctx context.Context, salint, dir string, into any, args ...string) error {
	command := exec.CommandContext(ctx, salint, args...)
	command.Dir = dir
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output() // the exit code is that of findings
	if len(out) == 0 {
		return fmt.Errorf("salint %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return json.Unmarshal(out, into)
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
