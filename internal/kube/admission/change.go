package admission

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// The resources that policies and their bindings are.
const (
	policies = "validatingadmissionpolicies"
	bindings = "validatingadmissionpolicybindings"
)

// Change is something that takes a limit away: Request is what whoever does it has to be allowed, Done the word for what is done.
type Change struct {
	Request rbac.Request
	Done    string
}

// changes are the verbs that take a limit away. Creating is none of them: another policy can only deny more. A request to
// delete a collection has no name, so roles that are limited to names do not allow it.
var changes = []struct {
	verb, done string
	named      bool
}{
	{"delete", "deleted", true}, {"deletecollection", "deleted", false}, {"patch", "changed", true}, {"update", "changed", true},
}

// PolicyChanges are those of the policy of a name. No policy limits them: the API server asks none about policies and bindings.
func PolicyChanges(name string) []Change { return changesOf(policies, name) }

// BindingChanges are those of a binding, as PolicyChanges are of a policy.
func BindingChanges(name string) []Change { return changesOf(bindings, name) }

func changesOf(resource, name string) []Change {
	all := make([]Change, len(changes))
	for i, c := range changes {
		all[i] = Change{rbac.Request{Verb: c.verb, Group: Group, Resource: resource}, c.done}
		if c.named {
			all[i].Request.Name = name
		}
	}
	return all
}

// undoes reports whether somebody who is limited may change the policy or its binding, and which. Roles that the repository does
// not hold are taken not to allow it: one that does is an administrator's, more often than not.
func undoes(who Who, p *policy, b *binding) (about *objects.Object, why string) {
	if who.Allowed == nil {
		return nil, ""
	}
	for _, limit := range []struct {
		object  *objects.Object
		changes []Change
	}{{p.object, PolicyChanges(p.object.Name)}, {b.object, BindingChanges(b.object.Name)}} {
		i := slices.IndexFunc(limit.changes, func(c Change) bool {
			allowed, known := who.Allowed(c.Request)
			return allowed && known
		})
		if i >= 0 {
			return limit.object, "may be " + limit.changes[i].Done + " by " + who.Called + ", whom it limits: take that right away"
		}
	}
	return nil, ""
}
