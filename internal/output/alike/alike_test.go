package alike_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/output/alike"
)

func TestShape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		a, b  string
		names [2]string
		same  bool
	}{
		{"other names", "ClusterRole argo is bound to apps/argo.", "ClusterRole flux is bound to apps/flux.", [2]string{"argo", "flux"}, true},
		{"names with a dash", "ClusterRole a-b, twice", "ClusterRole c-d, twice", [2]string{}, true},
		{"a word that is no name", "argo can read it", "argo cannot read it", [2]string{"argo", "argo"}, false},
		{"another release", "no effect on olm-1.10: remove it", "no effect on olm-1.11: remove it", [2]string{}, false},
		{"another power", "grants cluster-admin to a/b", "grants view-all to a/b", [2]string{}, false},
		{"a name after its kind", "of ClusterExtension argo: it can", "of ClusterExtension flux: it can", [2]string{}, true},
		{"a verb after a kind", "a ServiceAccount can read", "a ServiceAccount cannot read", [2]string{}, false},
		{"a role that every cluster has", "ClusterRole view, twice", "ClusterRole admin, twice", [2]string{}, false},
		{"numbers", "3 rules of it", "12 rules of it", [2]string{}, true},
		{"a name that is also a word", "Role bound is bound", "Role it is it", [2]string{"bound", "it"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if same := alike.Shape(c.a, c.names[0]) == alike.Shape(c.b, c.names[1]); same != c.same {
				t.Errorf("same shape = %v, want %v:\n%s\n%s", same, c.same, alike.Shape(c.a, c.names[0]), alike.Shape(c.b, c.names[1]))
			}
		})
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		paths, want []string
	}{
		{"none", nil, nil},
		{"one", []string{"a/b.yaml"}, []string{"a/b.yaml"}},
		{"a folder differs", []string{"apps/a/r.yaml:3", "apps/b/r.yaml:3"}, []string{"apps/{a,b}/r.yaml:3"}},
		{"a name differs", []string{"apps/a.yaml", "apps/b.yaml"}, []string{"apps/{a,b}.yaml"}},
		{"the line differs", []string{"a/r.yaml:3", "b/r.yaml:4", "c/r.yaml:3"}, []string{"{a,c}/r.yaml:3", "b/r.yaml:4"}},
		{"other depths", []string{"r.yaml", "a/r.yaml", "b/r.yaml"}, []string{"r.yaml", "{a,b}/r.yaml"}},
		{"hidden files", []string{".a", ".b"}, []string{"{.a,.b}"}},
		{"twice", []string{"a/r.yaml", "a/r.yaml"}, []string{"a/r.yaml"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, alike.Paths(c.paths)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
