package rbac_test

import (
	"fmt"
	"testing"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/rbac"
)

const (
	identities = 1000
	bindings   = 3000
	roles      = 500
)

// crowd is a repository in which everybody has three bindings. Alike, all extensions and accounts carry one name, each
// in a folder of its own, so that every binding is one of everybody's.
func crowd(alike bool) tree {
	tr := tree{}
	number := func(i int) int {
		if alike {
			return 0
		}
		return i
	}
	for i := range roles {
		tr[fmt.Sprintf("roles/%d.yaml", i)] = clusterRole(fmt.Sprint("role-", i), "[{verbs: [get], apiGroups: [''], resources: [pods]}]")
	}
	for i := range identities {
		tr[fmt.Sprintf("clusters/%d/extension.yaml", i)] = extension(fmt.Sprint("extension-", number(i)), fmt.Sprint("account-", number(i)))
	}
	for i := range bindings {
		subject := fmt.Sprintf("{kind: ServiceAccount, namespace: ns, name: account-%d}", number(i%identities))
		tr[fmt.Sprintf("clusters/%d/binding-%d.yaml", i%identities, i)] =
			clusterBinding(fmt.Sprint("binding-", i), fmt.Sprintf("ClusterRole, name: role-%d", (i+i/identities)%roles), subject)
	}
	return tr
}

// BenchmarkEffectiveRules asks once for everybody, the index included.
func BenchmarkEffectiveRules(b *testing.B) {
	for name, alike := range map[string]bool{"each a name": false, "all one name": true} {
		b.Run(name, func(b *testing.B) {
			objects := crowd(alike).objects(b)
			for b.Loop() {
				u := inventory.Units(objects, nil)[0]
				for i, from := range u.Find(inventory.Query{Kind: "ClusterExtension"}) {
					s := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "ns", Name: from.Node.Lookup([]string{"spec", "serviceAccount", "name"}).String()}
					if got := rbac.EffectiveRules(u, from, s); len(got.Cluster) != 3 {
						b.Fatalf("identity %d has %d rules", i, len(got.Cluster))
					}
				}
			}
		})
	}
}
