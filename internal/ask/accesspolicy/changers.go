package accesspolicy

import (
	"slices"
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// noteChangers adds a note for each subject that can change or delete the policy or its binding, because the policy does
// not constrain it.
func (s *Scope) noteChangers(units []*objects.Unit) {
	limited := make([]admission.Requester, len(s.Subjects))
	for i, subject := range s.Subjects {
		limited[i] = admission.RequesterOf(subject, nil)
	}
	for _, unit := range units {
		opening := map[*objects.Object]bool{}
		for _, b := range rbac.Bindings(unit) {
			if b.Scope != "" || b.Refused != "" {
				continue
			}
			opens, known := opening[b.Object]
			if !known {
				opens = slices.ContainsFunc(granted(unit, b), changesPolicy)
				opening[b.Object] = opens
			}
			if !opens {
				continue
			}
			at := manifest.Path{"subjects", strconv.Itoa(b.SubjectIndex)}
			for _, who := range limited {
				if reaches(b.Subject, who) {
					s.note(b.Object, at, "%s can change or delete ValidatingAdmissionPolicies or their bindings, including these, through %s %s. "+
						"Remove that permission, or the subject can bypass the policy", who.Label, b.Object.Kind, b.Object.Name)
				}
			}
		}
	}
}

// reaches reports whether a subject of a binding is a user, or one of its groups.
func reaches(bound rbac.Subject, who admission.Requester) bool {
	if bound.Kind == rbac.KindGroup {
		return slices.Contains(who.Groups, bound.Name)
	}
	return bound.Identity().User == who.User
}

func changesPolicy(rule rbacv1.PolicyRule) bool {
	changes := slices.Concat(admission.PolicyChanges(Name), admission.BindingChanges(Name))
	return slices.ContainsFunc(changes, func(c admission.Change) bool { return rbac.Allows(rule, c.Request) })
}
