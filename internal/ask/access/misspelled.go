package access

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// misspelled returns a warning about an account that neither a manifest nor a binding of the repository names, if another one has a similar
// name.
func (s Scene) misspelled(who rbac.Identity, v Verdict) []string {
	if _, isAccount := objects.ParseUser(who.User); !isAccount {
		return nil
	}
	var known []string
	for _, unit := range s.Repository.Units {
		for _, o := range unit.Objects {
			if o.Kind == rbac.KindServiceAccount && o.Group == "" && o.Namespace != "" {
				known = append(known, rbac.Account(objects.Account{Namespace: o.Namespace, Name: o.Name}).Identity().User)
			}
		}
		bound := func(b rbac.Binding) bool { return b.Subject.Identity().User == who.User }
		if slices.ContainsFunc(rbac.BindingsFor(unit, nil, who), bound) {
			return nil
		}
	}
	slices.Sort(known)
	near := nearest.Name(who.User, slices.Compact(known))
	if near == "" || slices.Contains(known, who.User) {
		return nil
	}
	return []string{safetext.Text(fmt.Sprintf("no binding and no account of the repository is %s: did you mean %s?", who.User, near))}
}
