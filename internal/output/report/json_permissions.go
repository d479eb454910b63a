package report

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// The permissions in the JSON report, which are also a property of the run in SARIF. Names and shape are promised to users:
// only add.
type (
	jsonPermissions struct {
		Identities    []jsonIdentity  `json:"identities"`
		Extensions    []jsonExtension `json:"extensions"`
		Unlimited     []jsonUnlimited `json:"unlimited,omitempty"`
		ReadElsewhere []string        `json:"readElsewhere,omitempty"`
		Remaining     []jsonRemaining `json:"remaining,omitempty"`
	}
	jsonRemaining struct {
		Unit     string   `json:"unit"`
		Objects  []string `json:"objects"`
		Why      string   `json:"why"`
		Commands []string `json:"commands"`
	}
	jsonSubject struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	}
	jsonIdentity struct {
		Identity       jsonSubject `json:"identity"`
		Kustomizations []string    `json:"kustomizations"`
		Units          []string    `json:"units,omitempty"`
		Why            []string    `json:"why"`
		Changes        []jsonScope `json:"changes"`
	}
	jsonExtension struct {
		Name           string      `json:"name"`
		File           string      `json:"file"`
		Kustomizations []string    `json:"kustomizations"`
		Units          []string    `json:"units,omitempty"`
		From           jsonSubject `json:"from"`
		To             jsonSubject `json:"to"`
		Why            []string    `json:"why"`
		Changes        []jsonScope `json:"changes"`
	}
	jsonUnlimited struct {
		Name           string      `json:"name"`
		File           string      `json:"file"`
		Kustomizations []string    `json:"kustomizations"`
		Units          []string    `json:"units,omitempty"`
		Account        jsonSubject `json:"account"`
		Rules          int         `json:"rules"`
		UnknownRoles   int         `json:"unknownRoles"`
		Certain        bool        `json:"certain"`
		AccountIsAdmin bool        `json:"accountIsAdmin"`
		OwnRestricted  bool        `json:"ownRestricted"`
		BoundBy        []string    `json:"boundBy,omitempty"`
		BoundAs        []string    `json:"boundAs,omitempty"`
		Why            []string    `json:"why"`
	}
	jsonScope struct {
		Namespace    string              `json:"namespace"`
		Added        []rbacv1.PolicyRule `json:"added"`
		Removed      []rbacv1.PolicyRule `json:"removed"`
		AddedRoles   []jsonSubject       `json:"addedRoles"`
		RemovedRoles []jsonSubject       `json:"removedRoles"`
	}
)

// jsonPermissionsOf returns nil if no fixes were verified. Paths are relative to the reader's working directory.
func jsonPermissionsOf(r *permission.Report, p paths) *jsonPermissions {
	if r == nil {
		return nil
	}
	out := &jsonPermissions{Identities: []jsonIdentity{}, Extensions: []jsonExtension{}, ReadElsewhere: r.ReadElsewhere}
	for _, i := range r.Identities {
		out.Identities = append(out.Identities, jsonIdentity{
			Identity: jsonSubjectOf(i.Subject), Kustomizations: folders(i.Kustomizations, p), Units: i.Units,
			Why: words.NotNil(i.Why), Changes: jsonScopes(i.Scopes()),
		})
	}
	for _, x := range r.Extensions {
		out.Extensions = append(out.Extensions, jsonExtension{
			Name: x.Name, File: p.rel(x.File), Kustomizations: folders(x.Kustomizations, p), Units: x.Units,
			From: jsonSubjectOf(x.From), To: jsonSubjectOf(x.To), Why: words.NotNil(x.Why), Changes: jsonScopes(x.Scopes()),
		})
	}
	for _, u := range r.Unlimited {
		out.Unlimited = append(out.Unlimited, jsonUnlimited{
			Name: u.Name, File: p.rel(u.File), Kustomizations: folders(u.Kustomizations, p), Units: u.Units,
			Account: jsonSubjectOf(u.Account), Rules: u.Rules, UnknownRoles: u.Roles, Certain: !u.Doubtful,
			AccountIsAdmin: u.Admin, OwnRestricted: u.OwnRestricted, BoundBy: u.Elsewhere, BoundAs: u.Renamed, Why: words.NotNil(u.Why),
		})
	}
	for _, m := range r.Remaining {
		out.Remaining = append(out.Remaining, jsonRemaining(m))
	}
	return out
}

func jsonSubjectOf(s rbac.Subject) jsonSubject { return jsonSubject{s.Kind, s.Namespace, s.Name} }

func jsonScopes(scopes []permission.Scope) []jsonScope {
	out := make([]jsonScope, len(scopes))
	for i, s := range scopes {
		out[i] = jsonScope{s.Namespace, words.NotNil(s.Added), words.NotNil(s.Removed), jsonRoles(s.AddedRoles), jsonRoles(s.RemovedRoles)}
	}
	return out
}

func jsonRoles(roles []rbac.RoleRef) []jsonSubject {
	out := make([]jsonSubject, len(roles))
	for i, role := range roles {
		out[i] = jsonSubject{role.Kind, role.Namespace, role.Name}
	}
	return out
}

func folders(kustomizations []string, p paths) []string {
	out := make([]string, len(kustomizations))
	for i, folder := range kustomizations {
		out[i] = p.rel(folder)
	}
	return out
}
