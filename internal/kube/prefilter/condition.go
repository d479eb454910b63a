package prefilter

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/salint/salint/internal/files/manifest"
)

// condition tells whether a rule may find something in a document. It may be true too often, and never false too often.
type condition func(*Index, *manifest.Document, *Facts) bool

// conditions are those that METADATA names under `skip_unless`; docs/policies.md describes them.
var conditions = map[string]condition{
	"pod-account-missing":     accountMissing,
	"subject-account-missing": accountUnseen,
	"role-missing":            func(i *Index, _ *manifest.Document, f *Facts) bool { return !i.hasRole(f) },
	"binding-invalid":         subjectOdd,
}

// Conditions are the names of all conditions, sorted.
func Conditions() []string { return slices.Sorted(maps.Keys(conditions)) }

// MayHold tells whether one of the conditions of these names may hold for a document. One that does not exist does.
func (i *Index) MayHold(names []string, doc *manifest.Document, f *Facts) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		may, known := conditions[name]
		return !known || may(i, doc, f)
	})
}

// accountMissing tells of pods that one may run as an account that is not there, in a namespace in which others may be.
// Without a namespace nobody can tell, and the account that runs what names none is always there. A name that no account can
// have is wrong everywhere.
func accountMissing(i *Index, doc *manifest.Document, f *Facts) bool {
	if !f.namesAccounts(doc) {
		return true
	}
	if slices.ContainsFunc(f.Accounts, func(name string) bool { return !isAccountName(name) }) {
		return true
	}
	if f.Namespace == "" || !i.mayHaveOthers(f.Namespace) {
		return false
	}
	return slices.ContainsFunc(f.Accounts, func(name string) bool { return !i.hasAccount(f.Namespace, name) })
}

// accountUnseen tells of a binding that one of its subjects may be an account that is not there. It holds for the account
// `default` as well, which pods have without naming it: no name leads to the binding.
func accountUnseen(i *Index, _ *manifest.Document, f *Facts) bool {
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

// subjectOdd tells of a binding that the API server may refuse it, for its role or one of its subjects.
func subjectOdd(_ *Index, _ *manifest.Document, f *Facts) bool {
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

// isAccountName tells whether an account can have a name.
func isAccountName(name string) bool { return len(validation.IsDNS1123Subdomain(name)) == 0 }
