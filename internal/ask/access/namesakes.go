package access

import (
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// KindsOfNamesakes returns what [Kinds] does, with the bindings that have the name of one that allows a request: another object of its name, which
// need not name the identity, can replace it. again is false if there is nothing more to read.
func KindsOfNamesakes(who rbac.Identity, v Verdict) (kinds map[string][]string, again bool) {
	kinds = Kinds(who)
	for _, view := range v.Views {
		b := view.Grant.Binding
		if !view.Allowed || b.Default || view.View.Unit.Kind != objects.PlainUnit {
			continue
		}
		for _, kind := range []string{"RoleBinding", "ClusterRoleBinding"} {
			if len(kinds[kind]) > 0 { // otherwise, all are read
				kinds[kind], again = append(kinds[kind], b.Object.Name), true
			}
		}
	}
	return kinds, again
}
