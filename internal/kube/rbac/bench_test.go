package rbac_test

import (
	"fmt"
	"testing"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// crowd returns a repository in which every identity has three bindings. If alike is true, all extensions and accounts have
// one name, each in its own folder, so that every binding names all of them. Every tenth role is aggregated from nine
// others.
func crowd(size int, alike bool) tree {
	tr := tree{}
	number := func(i int) int {
		if alike {
			return 0
		}
		return i
	}
	for i := range size / 2 {
		text := labeled(fmt.Sprint("role-", i), fmt.Sprint("group: g", i/10), "[{verbs: [get], apiGroups: [''], resources: [pods]}]")
		if i%10 == 0 {
			text = aggregated(fmt.Sprint("role-", i), fmt.Sprint("matchLabels: {group: g", i/10, "}"))
		}
		tr[fmt.Sprintf("roles/%d.yaml", i)] = text
	}
	for i := range size {
		tr[fmt.Sprintf("clusters/%d/extension.yaml", i)] = extension(fmt.Sprint("extension-", number(i)), fmt.Sprint("account-", number(i)))
	}
	for i := range 3 * size {
		subject := fmt.Sprintf("{kind: ServiceAccount, namespace: ns, name: account-%d}", number(i%size))
		tr[fmt.Sprintf("clusters/%d/binding-%d.yaml", i%size, i)] =
			clusterBinding(fmt.Sprint("binding-", i), fmt.Sprintf("ClusterRole, name: role-%d", (i+i/size)%(size/2)), subject)
	}
	return tr
}

// askForAll computes the effective rules of all identities, including the index.
func askForAll(t testing.TB, objs []*objects.Object) {
	u := assembly.Units(objs, nil)[0]
	for i, from := range u.Find(objects.Query{Kind: "ClusterExtension"}) {
		s := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "ns", Name: from.Node.Lookup([]string{"spec", "serviceAccount", "name"}).String()}
		if got := rbac.EffectiveRules(u, from, s); len(got.Cluster) != 3 || len(got.Unknown) > 0 {
			t.Fatalf("identity %d has %d rules", i, len(got.Cluster))
		}
	}
}

// BenchmarkEffectiveRules has 1,000 identities with 3,000 bindings and 500 roles.
func BenchmarkEffectiveRules(b *testing.B) {
	for name, alike := range map[string]bool{"one name each": false, "all one name": true} {
		b.Run(name, func(b *testing.B) {
			objects := objectstest.Objects(b, crowd(1000, alike))
			b.ReportAllocs()
			for b.Loop() {
				askForAll(b, objects)
			}
		})
	}
}

// BenchmarkAsk asks one question of a fresh unit of that size.
func BenchmarkAsk(b *testing.B) {
	objs := objectstest.Objects(b, crowd(1000, false))
	who := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "ns", Name: "account-7"}.Identity()
	for b.Loop() {
		u := assembly.Units(objs, nil)[0]
		if !rbac.Ask(u, nil, who, rbac.Request{Verb: "get", Resource: "pods"}).Allowed {
			b.Fatal("no")
		}
	}
}

// TestEffortGrowsWithTheRepository checks that four times the repository is four times the work, counted in allocations,
// because times are not reliable on a busy machine.
func TestEffortGrowsWithTheRepository(t *testing.T) {
	for name, alike := range map[string]bool{"one name each": false, "all one name": true} {
		effort := func(size int) float64 {
			objects := objectstest.Objects(t, crowd(size, alike))
			return testing.AllocsPerRun(1, func() { askForAll(t, objects) })
		}
		small, large := effort(100), effort(400)
		if large > 5*small {
			t.Errorf("%s: %.0f allocations for 100 identities, %.0f for 400", name, small, large)
		}
	}
}
