package judging

import (
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/accounttoken"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/lint/duplicates"
	"github.com/salint/salint/internal/lint/tokentexts"
)

// ofBytes returns the findings about what the bytes of files show: tokens, and objects of some names.
func (r *Report) ofBytes() []finding.Finding {
	names := duplicates.Repository{Units: r.snapshot.Written, Names: r.snapshot.Collection.Names, Text: r.snapshot.Text}
	found := slices.Concat(r.tokenTexts(), r.snapshot.Duplicates.Findings(names), r.rootCAs(names), r.invalidAccounts(names))
	return slices.DeleteFunc(found, func(f finding.Finding) bool { return !r.Configure(&f) })
}

// ruleRootCA is pod/root-ca, of which pods show the rest. Only the name of a ConfigMap matters, so none is read for the rule.
var ruleRootCA = finding.ProgramRule{Name: "pod/root-ca", Severity: finding.Warning}

// rootCAs returns the manifests of the ConfigMap that kube-controller-manager writes.
const (
	rootCA     = "kube-root-ca.crt"
	rootCAText = "%s is overwritten: kube-controller-manager writes the certificates of the API server into it. Give your own certificates another name, or remove the manifest."
)

func (r *Report) rootCAs(names duplicates.Repository) []finding.Finding {
	var found []finding.Finding
	for _, c := range r.snapshot.Duplicates.Named(names, "ConfigMap", func(name string) bool { return name == rootCA }) {
		found = append(found, finding.AboutFile(ruleRootCA, c.File.Path, c.At, fmt.Sprintf(rootCAText, c.Called)))
	}
	return found
}

// ruleInvalidField is pod/invalid-field, of which objects show the rest. No rule has to read accounts because of their names.
var ruleInvalidField = finding.ProgramRule{Name: "pod/invalid-field", Severity: finding.Error}

// invalidAccounts returns the accounts with names that the API server rejects. A placeholder is none.
func (r *Report) invalidAccounts(names duplicates.Repository) []finding.Finding {
	isInvalid := func(name string) bool { return rbac.InvalidAccountName(name) != "" }
	var found []finding.Finding
	for _, a := range r.snapshot.Duplicates.Named(names, "ServiceAccount", isInvalid) {
		message := fmt.Sprintf("The API server rejects %s: %s. Rename it, and what names it.", a.Called, rbac.InvalidAccountName(a.Name))
		found = append(found, finding.AboutFile(ruleInvalidField, a.File.Path, a.At, message))
	}
	return found
}

// tokenTexts returns the findings about tokens in the bytes of files, but not those that are found in objects.
func (r *Report) tokenTexts() []finding.Finding {
	return r.snapshot.TokenTexts.Findings(tokentexts.Repository{
		Now: r.options.Now, Manifests: r.snapshot.Texts(repo.IsManifest), Roles: r.rolesOf,
		IsKnown: func(file string, token accounttoken.Token) bool {
			return r.judge.tokens[tokenPlace{file, token.Digest}]
		},
	})
}

// rolesOf returns the roles of an account in all units, with where they apply, sorted.
func (r *Report) rolesOf(namespace, account string) []string {
	who := rbac.Account(objects.Account{Namespace: namespace, Name: account}).Identity()
	held := map[string]bool{}
	for _, unit := range r.snapshot.Units {
		for _, b := range rbac.BindingsFor(unit, nil, who) {
			if b.Default || b.Via == "system:authenticated" {
				continue
			}
			where := "in namespace " + b.Scope
			switch b.Scope {
			case "":
				where = "everywhere"
			case rbac.UnknownNamespace:
				where = "in a namespace"
			}
			held[b.Role.Kind+" "+b.Role.Name+" "+where] = true
		}
	}
	return slices.Sorted(maps.Keys(held))
}
