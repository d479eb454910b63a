package admission

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// The resources of policies and their bindings.
const (
	policies = "validatingadmissionpolicies"
	bindings = "validatingadmissionpolicybindings"
)

// Change is an action that removes a limit: Request is the permission for it, Done its past participle.
type Change struct {
	Request rbac.Request
	Done    string
}

// changes are the verbs that remove a limit. Creating is not one: another policy can only deny more. A request to delete a
// collection has no name, so roles restricted to names do not allow it.
var changes = []struct {
	verb, done string
	named      bool
}{
	{"delete", "deleted", true}, {"deletecollection", "deleted", false}, {"patch", "changed", true}, {"update", "changed", true},
}

// PolicyChanges returns the changes of the policy with a name. No policy limits them: the API server does not apply
// admission policies to policies and bindings.
func PolicyChanges(name string) []Change { return changesOf(policies, name) }

// BindingChanges returns the changes of a binding, as PolicyChanges does for a policy.
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

// canUndo returns the policy or the binding, if the limited subject is allowed to change it, and why. Roles that are not in
// the repository count as not allowing it, because such a role is usually an administrator's.
func canUndo(who Requester, p *policy, b *binding) (about *objects.Object, why string) {
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
			return limit.object, "can be " + limit.changes[i].Done + " by " + who.Label + ", which it limits: revoke that permission"
		}
	}
	return nil, ""
}
