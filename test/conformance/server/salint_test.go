package server_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"

	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/world"
)

// program builds salint from the repository, once.
var program = sync.OnceValues(func() (salint.Program, error) { return salint.Build(folder) })

// preflight runs `salint preflight` in a folder and returns its output. Missing permissions are no error.
func preflight(t *testing.T, folder string, flags ...string) []byte {
	t.Helper()
	return runSalint(t, folder, append([]string{"preflight"}, flags...)...)
}

// runSalint runs salint in a folder and returns its output. Findings are no error.
func runSalint(t *testing.T, folder string, args ...string) []byte {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	out, err := file.Run(folder, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// answer is the output of `salint preflight --format json`.
type answer struct {
	Identity        world.Identity
	Missing, Needed []scoped
}

// scoped are rules in a namespace, or in the whole cluster.
type scoped struct {
	Namespace string
	Rules     []rbacv1.PolicyRule
}

func ask(t *testing.T, folder string, flags ...string) answer {
	t.Helper()
	var a answer
	out := preflight(t, folder, append(flags, "--format", "json")...)
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	return a
}

// in returns the rules of a namespace alone.
func in(all []scoped, namespace string) []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, s := range all {
		if s.Namespace == namespace {
			rules = append(rules, s.Rules...)
		}
	}
	return rules
}

// permission is a rule for a single thing, as written, and as a request.
type permission struct {
	rule    rbacv1.PolicyRule
	request world.Request
}

// permissions splits rules. Rules about URLs have no effect in a namespace and are left out there.
func permissions(all []scoped) []permission {
	var single []permission
	for _, s := range all {
		for _, rule := range s.Rules {
			for _, one := range validation.BreakdownRule(rule) {
				if s.Namespace == "" || len(one.NonResourceURLs) == 0 {
					single = append(single, permission{one, requestFor(s.Namespace, one)})
				}
			}
		}
	}
	return single
}

// requestFor requests exactly what a rule for a single thing allows. A wildcard is requested by name, which only a wildcard
// allows.
func requestFor(namespace string, rule rbacv1.PolicyRule) world.Request {
	if len(rule.NonResourceURLs) > 0 {
		return world.Request{Verb: rule.Verbs[0], Path: rule.NonResourceURLs[0]}
	}
	r := world.Request{Verb: rule.Verbs[0], Group: rule.APIGroups[0], Namespace: namespace}
	r.Resource, r.Subresource, _ = strings.Cut(rule.Resources[0], "/")
	if len(rule.ResourceNames) > 0 {
		r.Name = rule.ResourceNames[0]
	}
	return r
}

// render returns the objects of a bundle, as a List that kubectl reads. All of them are owned by an extension.
func render(t *testing.T, dir string, options bundle.Options, owner map[string]any) string {
	t.Helper()
	b, err := bundle.Load(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	if err != nil {
		t.Fatal(err)
	}
	objects, err := b.Render(options)
	if err != nil {
		t.Fatal(err)
	}
	var items []any
	for _, object := range objects {
		metadata := object.JSON["metadata"].(map[string]any)
		metadata["ownerReferences"] = []any{owner}
		items = append(items, object.JSON)
	}
	// Definitions come first, as OLM installs them, and accounts before objects that refer to them.
	slices.SortStableFunc(items, func(a, b any) int { return rank(a) - rank(b) })
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func rank(object any) int {
	if object.(map[string]any)["kind"] == "CustomResourceDefinition" {
		return 0
	}
	return 1
}
