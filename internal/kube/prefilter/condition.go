package prefilter

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// condition reports whether a rule can find something in a document. It can be true without need, but is never false if the
// rule would find something.
type condition func(*Index, *Facts) bool

// conditions are those that METADATA names under `skip_unless`; docs/policies.md describes them.
var conditions = map[string]condition{
	"acting-account":          actingAccount,
	"pod-account-missing":     podAccountMissing,
	"subject-account-missing": subjectAccountMissing,
	"role-missing":            func(i *Index, f *Facts) bool { return !i.hasRole(f) },
	"binding-invalid":         bindingInvalid,
	"word-found":              func(*Index, *Facts) bool { return true }, // a document of the rule's kinds without its words is not asked about
}

// Conditions returns the names of all conditions, sorted.
func Conditions() []string { return slices.Sorted(maps.Keys(conditions)) }

// MayApply reports whether one of the named conditions can be true for a document with these facts. An unknown condition counts as true.
func (i *Index) MayApply(names []string, f *Facts) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		may, known := conditions[name]
		return !known || may(i, f)
	})
}

// podAccountMissing reports whether a pod can run as an account that does not exist, in a namespace that can contain
// others. Without a namespace, an account of that name in any namespace counts, and the default account always exists. A name that
// is invalid for an account is wrong everywhere.
func podAccountMissing(i *Index, f *Facts) bool {
	if f.otherAccounts {
		return true
	}
	if slices.ContainsFunc(f.Accounts, func(name string) bool { return !isAccountName(name) }) {
		return true
	}
	if f.Namespace == "" {
		return i.openAccounts && slices.ContainsFunc(f.Accounts, func(name string) bool { return !i.named[object{kind: kindAccount, name: name}] })
	}
	if !i.mayHaveAccounts(f.Namespace) {
		return false
	}
	return slices.ContainsFunc(f.Accounts, func(name string) bool { return !i.hasAccount(f.Namespace, name) })
}

// actingAccount reports whether an object can be applied as an account: it names one, or controllers have a default.
func actingAccount(i *Index, f *Facts) bool {
	isFlux := f.Kind == KindRelease || f.Kind == "Kustomization"
	return !isFlux || i.defaultAccounts || f.actsAs
}

// subjectAccountMissing reports whether a subject of a binding can be an account that does not exist. It is also true for
// the account `default`, which pods use without naming it: no name leads to the binding.
func subjectAccountMissing(i *Index, f *Facts) bool {
	return slices.ContainsFunc(f.Subjects, func(s Subject) bool {
		switch s.Kind {
		case kindAccount:
			namespace := s.Namespace
			if namespace == "" && f.Kind == kindBinding {
				namespace = f.Namespace
			}
			return namespace != "" && (s.Name == "default" || !i.hasAccount(namespace, s.Name))
		case "Group":
			return false
		}
		return s.Kind != "User" || strings.HasPrefix(s.Name, "system:serviceaccount")
	})
}

// bindingInvalid reports whether the API server can reject a binding because of its role or one of its subjects.
func bindingInvalid(_ *Index, f *Facts) bool {
	isRole := f.RoleKind == kindClusterRole || f.RoleKind == kindRole && f.Kind == kindBinding
	if !isRole || f.RoleName == "" || strings.Contains(f.RoleName, "/") || f.RoleGroup != "" && f.RoleGroup != rbacGroup {
		return true
	}
	return slices.ContainsFunc(f.Subjects, func(s Subject) bool {
		switch s.Kind {
		case kindAccount:
			return s.APIGroup != "" || s.Namespace == "" && f.Kind != kindBinding || !isAccountName(s.Name)
		case "User", "Group":
			return s.Name == "" || s.APIGroup != "" && s.APIGroup != rbacGroup
		}
		return true
	})
}

// isAccountName reports whether a name is valid for an account.
func isAccountName(name string) bool { return len(validation.IsDNS1123Subdomain(name)) == 0 }
