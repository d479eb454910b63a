package change

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/policies"
	"github.com/salint/salint/internal/ask/change/unread"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// sideOf reads a repository in memory.
func sideOf(t *testing.T, files map[string]string) Side {
	t.Helper()
	w, err := loader.Read(t.Context(), loadertest.Repository{Tree: filestest.Tree(files)},
		loader.Options{Kinds: loader.Kinds(loader.RBAC(), loader.Installers(), policies.Kinds())})
	if err != nil {
		t.Fatal(err)
	}
	return Side{State: unread.State{Repository: w, Selected: func(string) bool { return true }}}
}

// world is a random repository: a kustomization and plain files, with a few names that occur often.
type world struct{ random *rand.Rand }

func (w world) one(list ...string) string { return list[w.random.IntN(len(list))] }

func (w world) some(list ...string) string {
	var chosen []string
	for _, item := range list {
		if w.random.IntN(2) == 0 && (item != "*" || w.random.IntN(4) == 0) { // a wildcard includes all others
			chosen = append(chosen, fmt.Sprintf("%q", item))
		}
	}
	if len(chosen) == 0 {
		return fmt.Sprintf("[%q]", list[0])
	}
	return "[" + strings.Join(chosen, ", ") + "]"
}

// role returns a role; some are aggregated from those with a label.
func (w world) role(i int) string {
	var b strings.Builder
	kind, namespace := "ClusterRole", ""
	if i%4 == 3 {
		kind, namespace = "Role", ", namespace: "+w.one("a", "b")
	}
	labels := ""
	if kind == "ClusterRole" && w.random.IntN(3) == 0 {
		labels = ", labels: {" + w.one("part: \"yes\"", "rbac.authorization.k8s.io/aggregate-to-view: \"true\"") + "}"
	}
	fmt.Fprintf(&b, "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: {name: r%d%s%s}\n", kind, i, namespace, labels)
	if kind == "ClusterRole" && w.random.IntN(5) == 0 {
		b.WriteString("aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: \"yes\"}}]}\nrules: []\n")
		return b.String()
	}
	b.WriteString("rules:\n")
	for range 1 + w.random.IntN(3) {
		names := ""
		if w.random.IntN(4) == 0 {
			names = ", resourceNames: " + w.some("x", "y")
		}
		fmt.Fprintf(&b, "- {apiGroups: %s, resources: %s, verbs: %s%s}\n",
			w.some("", "apps", "*"), w.some("pods", "pods/exec", "secrets", "*"), w.some("get", "list", "create", "*"), names)
	}
	if kind == "ClusterRole" && w.random.IntN(4) == 0 {
		b.WriteString("- {nonResourceURLs: [/metrics, \"/logs/*\"], verbs: [get]}\n")
	}
	return b.String()
}

// edited changes one property of an object.
func (w world) edited(object string) string {
	for range 5 {
		pair := [][2]string{
			{", namespace: a}\nroleRef", ", namespace: b}\nroleRef"}, {", namespace: b}\nroleRef", ", namespace: a}\nroleRef"}, {"name: r1}", "name: r2}"},
			{"{kind: User, name: ada}", "{kind: Group, name: ops}"}, {"[\"pods\"", "[\"secrets\""}, {"part: \"yes\"", "part: \"no\""},
		}[w.random.IntN(6)]
		if strings.Contains(object, pair[0]) {
			return strings.Replace(object, pair[0], pair[1], 1)
		}
	}
	return object
}

var subjects = []string{
	"{kind: User, name: ada}", "{kind: User, name: \"system:serviceaccount:a:one\"}", "{kind: ServiceAccount, name: one, namespace: a}",
	"{kind: ServiceAccount, name: two, namespace: b}", "{kind: Group, name: ops}", "{kind: Group, name: \"system:serviceaccounts:a\"}",
	"{kind: Group, name: \"system:serviceaccounts\"}", "{kind: Group, name: \"system:authenticated\"}",
}

func (w world) binding(i, roles int) string {
	kind, namespace := "ClusterRoleBinding", ""
	role := fmt.Sprintf("{kind: ClusterRole, name: %s}", w.one(fmt.Sprintf("r%d", w.random.IntN(roles)), fmt.Sprintf("r%d", w.random.IntN(roles)), "view", "nowhere", "r0"))
	if w.random.IntN(3) > 0 {
		kind, namespace = "RoleBinding", ", namespace: "+w.one("a", "b")
		role = fmt.Sprintf("{kind: %s, name: r%d}", w.one("Role", "ClusterRole"), w.random.IntN(roles))
	}
	return fmt.Sprintf("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata: {name: b%d%s}\nroleRef: %s\nsubjects:\n- %s\n- %s\n",
		kind, i, namespace, role, w.one(subjects...), w.one(subjects...))
}

// all returns roles and bindings by number, so that two worlds have some in common.
func (w world) all(n int) []string {
	var all []string
	for i := range n {
		all = append(all, w.role(i), w.binding(i, n))
	}
	return all
}

// files distributes objects over the files of a kustomization and plain files.
func files(objects []string) map[string]string {
	all := map[string]string{"k/kustomization.yaml": "resources: [all.yaml]\n"}
	for i, o := range objects {
		all[[]string{"k/all.yaml", "plain.yaml"}[i/4%2]] += o
	}
	return all
}

// asked are the identities of the questions: the subjects, and members of their groups.
var asked = []rbac.Subject{
	{Kind: rbac.KindUser, Name: "ada"}, {Kind: rbac.KindServiceAccount, Namespace: "a", Name: "one"},
	{Kind: rbac.KindServiceAccount, Namespace: "b", Name: "two"}, {Kind: rbac.KindServiceAccount, Namespace: "a", Name: "unbound"},
	{Kind: rbac.KindUser, Name: "nobody"},
}

// What is reported as gained is what `can-i --list` lists afterwards and not before, for every identity and namespace.
func TestGainsAreTheDifferenceOfLists(t *testing.T) {
	t.Parallel()
	compared := 0
	for seed := range uint64(120) {
		w := world{rand.New(rand.NewPCG(seed, 1))}
		list := w.all(4)
		before := sideOf(t, files(list))
		for range 1 + w.random.IntN(3) { // a pull request changes a few list
			i := w.random.IntN(len(list))
			switch {
			case w.random.IntN(3) == 0:
				list[i] = ""
			case w.random.IntN(3) > 0: // only one property changes
				list[i] = w.edited(list[i])
			case i%2 == 0:
				list[i] = w.role(i / 2)
			default:
				list[i] = w.binding(i/2, 4)
			}
		}
		after := sideOf(t, files(list))
		report := Compare(before, after)
		for _, who := range asked {
			for _, namespace := range []string{"", "a", "b", "c"} {
				compared += checkLists(t, fmt.Sprintf("seed %d: %v in %q", seed, who, namespace), report, before, after, who, namespace)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d permissions were compared", compared)
	}
}

// checkLists compares the gains of an identity with the lists of both states, and returns the number of gained permissions.
func checkLists(t *testing.T, about string, r *Report, before, after Side, who rbac.Subject, namespace string) int {
	t.Helper()
	compared := 0
	for _, dir := range []string{"k", "."} {
		was, is := listed(before, who, namespace, dir), listed(after, who, namespace, dir)
		grown := policyrules.Missing(was, is)
		var gained []rbacv1.PolicyRule
		for _, c := range r.Gained {
			for _, g := range c.gains {
				mine := g.Who == who || g.Who.Kind == rbac.KindGroup && slices.Contains(who.Groups(), g.Who.Name)
				if !mine || g.Possible != "" || path.Dir(g.Object.File) != dir || g.Scope != "" && g.Scope != namespace {
					continue
				}
				for _, rule := range g.Permissions {
					if ok, _ := policyrules.Covers(is, []rbacv1.PolicyRule{rule}); !ok {
						t.Fatalf("%s: gains %v, which is not in the list", about, rule)
					}
					if ok, _ := policyrules.Covers(was, []rbacv1.PolicyRule{rule}); ok && g.Who == who && g.Scope == namespace {
						t.Fatalf("%s: gains %v, which it had before", about, rule)
					}
				}
				gained = append(gained, g.Permissions...)
			}
		}
		if left := policyrules.Missing(gained, grown); len(left) > 0 {
			t.Fatalf("%s, in %s: the gain of %v is not reported", about, dir, left)
		}
		compared += len(grown)
	}
	return compared
}

// listed returns what `can-i --list` lists in one deployment unit.
func listed(s Side, who rbac.Subject, namespace, dir string) []rbacv1.PolicyRule {
	list := access.Scene{Repository: s.Repository, Selected: s.Selected}.List(who.Identity(), namespace)
	rules := list.Default
	for _, v := range list.Views {
		if v.View.Unit.Root == dir || dir == "." && v.View.Unit.Kind == objects.PlainUnit {
			return v.Rules
		}
	}
	if len(rules) == 0 {
		rules = rbac.DefaultRules(s.Repository.EmptyUnit(), who.Identity())
	}
	return rules
}

// A change that moves files, renames bindings or roles, or splits rules gives and takes nothing.
func TestMovesAreNoChange(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		w := world{rand.New(rand.NewPCG(seed, 2))}
		list := w.all(6)
		before := files(list)
		w.random.Shuffle(len(list), func(i, j int) {
			if i/4%2 == j/4%2 { // within the files of a unit
				list[i], list[j] = list[j], list[i]
			}
		})
		after := map[string]string{}
		for name, text := range files(list) {
			after["moved/"+strings.Replace(name, "k/", "other/", 1)] = text
		}
		r := Compare(sideOf(t, before), sideOf(t, after))
		if len(r.Gained)+len(r.Lost)+len(r.Appeared)+len(r.Vanished) > 0 {
			for _, c := range slices.Concat(r.Gained, r.Lost) {
				t.Error(c.Title(), c.Units)
			}
			t.Fatalf("seed %d: %d gained, %d lost", seed, len(r.Gained), len(r.Lost))
		}
	}
}
