package access

import (
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// KindsOfNamesakes returns what [Kinds] does, with the bindings that have the name of one of the identity, if one allows a request: another object of its name, which
// need not name the identity, can replace it. again is false if there is nothing more to read.
func KindsOfNamesakes(who rbac.Identity, v Verdict) (kinds map[string][]string, again bool) {
	kinds = Kinds(who)
	for _, view := range v.Views {
		if !view.Allowed || view.Grant.Binding.Default || view.View.Unit.Kind != objects.PlainUnit {
			continue
		}
		for _, b := range rbac.BindingsFor(view.View.Unit, view.View.From, who) {
			if !b.Default && len(kinds[b.Object.Kind]) > 0 { // otherwise, all are read
				kinds[b.Object.Kind], again = append(kinds[b.Object.Kind], b.Object.Name), true
			}
		}
	}
	return kinds, again
}
