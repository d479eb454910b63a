package danger_test

import (
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/danger"
)

// TestTable checks what each row needs, and that the order of danger has it.
func TestTable(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, p := range danger.Powers() {
		entry := p.Danger()
		alone := entry.Text != ""
		switch {
		case p.Name == "" || known[p.Name]:
			t.Errorf("the name of %+v is not its own", p)
		case len(p.Verbs) == 0 || len(p.Resources) == 0:
			t.Errorf("%s: no verbs or resources", p.Name)
		case alone && (entry.Source == "" || entry.Class == ""):
			t.Errorf("%s: no source or class", p.Name)
		case !alone && p.Reach != danger.Steps:
			t.Errorf("%s: a complement is a step with others", p.Name)
		}
		known[p.Name] = true
		ranked := slices.ContainsFunc(danger.Of(p.Rule(), ""), func(d danger.Danger) bool { return d.Text == entry.Text })
		if ranked != alone {
			t.Errorf("%s: in the order of danger: %t", p.Name, ranked)
		}
		other := p.Rule()
		other.APIGroups = []string{"example.org"}
		if found := danger.Of(other, ""); len(found) > 0 && !slices.Contains(p.Resources, "*") {
			t.Errorf("%s: its resources in another group are %v", p.Name, danger.Texts(found))
		}
		if names, _, _ := p.In(p.Rule()); len(names) != 1 || names[0] != p.Object {
			t.Errorf("%s: a rule that grants it reaches %q", p.Name, names)
		}
	}
	if danger.Named("bind on roles").Reach != danger.Direct {
		t.Error("another row")
	}
}

// TestAsTheAPIServerAsks checks requests about which several tables differed once.
func TestAsTheAPIServerAsks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ verbs, group, resource, namespace, want string }{
		{"impersonate", "authentication.k8s.io", "users", "", ""}, // asked in the core group
		{"impersonate", "", "users", "", "impersonate users"},
		{"impersonate", "", "users", "a", ""}, // cluster-scoped
		{"impersonate", "", "serviceaccounts", "a", "impersonate serviceaccounts"},
		{"*", "", "serviceaccounts", "a", "impersonate serviceaccounts"},
		{"impersonate", "", "uids", "", ""}, // asked in authentication.k8s.io
		{"escalate", "rbac.authorization.k8s.io", "clusterroles", "a", ""},
		{"bind", "rbac.authorization.k8s.io", "clusterroles", "a", "bind on clusterroles"},
		{"create", "", "*/token", "a", "create serviceaccounts/token"},
		{"get", "", "serviceaccounts/token", "a", ""},
		{"create", "", "deployments", "a", ""}, // of another group
		{"update", "batch", "jobs", "a", ""},   // its pods cannot be changed
		{"create", "apps", "deployments", "a", "create workloads"},
		{"create", "", "pods/ephemeralcontainers", "a", ""}, // only updated
		{"create", "rbac.authorization.k8s.io", "clusterrolebindings", "a", ""},
		{"create", "rbac.authorization.k8s.io", "rolebindings", "a", "create rolebindings"},
		{"*", "*", "*/exec", "a", "exec in pods"},
	} {
		rule := rbacv1.PolicyRule{Verbs: []string{c.verbs}, APIGroups: []string{c.group}, Resources: []string{c.resource}}
		var names []string
		for _, p := range danger.Powers() {
			if found, _, _ := p.In(rule); len(found) > 0 && p.EffectiveIn(c.namespace) {
				names = append(names, p.Name)
			}
		}
		if got := strings.Join(names, ", "); got != c.want {
			t.Errorf("%s on %s.%s in %q: %q, want %q", c.verbs, c.resource, c.group, c.namespace, got, c.want)
		}
		effective := slices.ContainsFunc(danger.Of(rule, c.namespace), func(d danger.Danger) bool {
			return d.EffectiveIn(c.namespace) && d.Rank < danger.WildcardRank
		})
		if effective != (c.want != "") {
			t.Errorf("%s on %s.%s in %q: in the order of danger: %t", c.verbs, c.resource, c.group, c.namespace, effective)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		power, name string
		limited     bool
	}{
		{"bind on clusterroles", "reader", true},
		{"bind on clusterroles", "cluster-admin", false},
		{"impersonate groups", "developers", true},
		{"impersonate groups", "system:masters", false},
		{"create serviceaccounts/token", "robot", true},
	} {
		p := danger.Named(c.power)
		if got := p.Limited([]string{c.name}); got != c.limited {
			t.Errorf("%s with the name %s: limited %t", c.power, c.name, got)
		}
		if p.Limited(nil) {
			t.Errorf("%s without names is limited", c.power)
		}
	}
	creates := danger.Named("create pods").Rule()
	creates.ResourceNames = []string{"pod"}
	if names, _, _ := danger.Named("create pods").In(creates); len(names) > 0 {
		t.Errorf("pods can be created by name: %q", names)
	}
}
