package access

import (
	"io"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// schemaVersion changes only with breaking changes.
const schemaVersion = "1"

// The answers in JSON. Names and shape are promised to users: only add.
type (
	jsonVerdict struct {
		SchemaVersion string       `json:"schemaVersion"`
		Allowed       bool         `json:"allowed"`
		Certain       bool         `json:"certain"`
		Identity      jsonIdentity `json:"identity"`
		Request       jsonRequest  `json:"request"`
		// EveryCluster is the default grant of every cluster that allows the request.
		EveryCluster *jsonGrant  `json:"everyCluster"`
		Units        []jsonView  `json:"units"`
		Doubts       []jsonDoubt `json:"doubts"`
		Warnings     []string    `json:"warnings"`
	}
	jsonIdentity struct {
		User   string   `json:"user"`
		Groups []string `json:"groups"`
	}
	jsonRequest struct {
		Verb        string `json:"verb"`
		Group       string `json:"group"`
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Name        string `json:"name"`
		Namespace   string `json:"namespace"`
		Path        string `json:"path"`
	}
	jsonView struct {
		Unit    string `json:"unit"`
		Kind    string `json:"kind"`
		Cluster string `json:"cluster,omitempty"`
		// From is the object of the identity, as file:line, if a unit has several.
		From      string     `json:"from"`
		Allowed   bool       `json:"allowed"`
		Grant     *jsonGrant `json:"grant"`
		Elsewhere *jsonGrant `json:"elsewhere"`
	}
	jsonGrant struct {
		Subject   jsonObject         `json:"subject"`
		Group     string             `json:"group"`
		Namespace string             `json:"namespace"`
		Binding   jsonObject         `json:"binding"`
		Role      jsonObject         `json:"role"`
		Rule      *rbacv1.PolicyRule `json:"rule"`
		RuleLine  int                `json:"ruleLine"`
		// AddedBy is the role from which an aggregated role has the rule; ruleLine is a line of its file.
		AddedBy *jsonObject `json:"addedBy,omitempty"`
		// EveryCluster is true for a default binding of every cluster, which no manifest contains.
		EveryCluster bool `json:"everyCluster,omitempty"`
	}
	jsonObject struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
		File      string `json:"file,omitempty"`
		Line      int    `json:"line,omitempty"`
	}
	jsonDoubt struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Message string `json:"message"`
		// Units is the number of deployment units with this doubt, 0 if it is not about a unit.
		Units int `json:"units"`
	}
	jsonListing struct {
		SchemaVersion string            `json:"schemaVersion"`
		Identity      jsonIdentity      `json:"identity"`
		Namespace     string            `json:"namespace"`
		Units         []jsonViewListing `json:"units"`
		// EveryCluster are the names of the default bindings that grant some of the rules in every cluster.
		EveryCluster []string    `json:"everyCluster"`
		Doubts       []jsonDoubt `json:"doubts"`
		Warnings     []string    `json:"warnings"`
	}
	jsonViewListing struct {
		Unit       string              `json:"unit"`
		Kind       string              `json:"kind"`
		Cluster    string              `json:"cluster,omitempty"`
		From       string              `json:"from"`
		Rules      []rbacv1.PolicyRule `json:"rules"`
		Namespaces []string            `json:"namespaces"`
	}
	jsonHolders struct {
		SchemaVersion string       `json:"schemaVersion"`
		Certain       bool         `json:"certain"`
		Request       jsonRequest  `json:"request"`
		Holders       []jsonHolder `json:"holders"`
		// Named are the grants that are limited to objects with some names.
		Named    []jsonNamed `json:"named"`
		Doubts   []jsonDoubt `json:"doubts"`
		Warnings []string    `json:"warnings"`
	}
	jsonHolder struct {
		Unit    string `json:"unit"`
		Kind    string `json:"kind"`
		Cluster string `json:"cluster,omitempty"`
		// Certainty is possible if it is unknown whether one cluster gets the role and the binding.
		Certainty string `json:"certainty,omitempty"`
		jsonGrant
	}
	jsonNamed struct {
		Names []string `json:"names"`
		jsonHolder
	}
)

// VerdictJSON writes the answer to `can-i` as JSON.
func (p Printer) VerdictJSON(w io.Writer, v Verdict) error {
	out := jsonVerdict{
		SchemaVersion: schemaVersion, Allowed: v.Allowed, Certain: v.coverage().Certain(),
		Identity: identityJSON(v.Identity), Request: jsonRequest(v.Request.Request),
		Units: []jsonView{}, Doubts: p.doubtsJSON(v.Doubts), Warnings: list0(v.Warnings),
	}
	if v.Default != nil {
		out.EveryCluster = p.grantJSON(*v.Default)
	}
	for _, view := range v.Views {
		item := jsonView{Unit: p.Rel(view.View.Shown().Root), Kind: string(view.View.Shown().Kind), Cluster: view.View.Cluster(), From: p.from(view.View), Allowed: view.Allowed}
		if view.Allowed {
			item.Grant = p.grantJSON(view.Grant)
		}
		if view.Elsewhere != nil {
			item.Elsewhere = p.grantJSON(*view.Elsewhere)
		}
		out.Units = append(out.Units, item)
	}
	return safetext.JSON(w, out)
}

// ListingJSON writes the answer to `can-i --list` as JSON.
func (p Printer) ListingJSON(w io.Writer, l Listing) error {
	out := jsonListing{
		SchemaVersion: schemaVersion, Identity: identityJSON(l.Identity), Namespace: l.Namespace,
		EveryCluster: list0(l.DefaultBindings), Units: []jsonViewListing{}, Doubts: p.doubtsJSON(l.Doubts), Warnings: list0(l.Warnings),
	}
	for _, v := range l.Views {
		out.Units = append(out.Units, jsonViewListing{
			Unit: p.Rel(v.View.Shown().Root), Kind: string(v.View.Shown().Kind), Cluster: v.View.Cluster(), From: p.from(v.View),
			Rules: list0(v.Rules), Namespaces: list0(v.Namespaces),
		})
	}
	return safetext.JSON(w, out)
}

// HoldersJSON writes the answer to `who-can` as JSON.
func (p Printer) HoldersJSON(w io.Writer, h Holders) error {
	out := jsonHolders{
		SchemaVersion: schemaVersion, Certain: h.coverage().Certain(), Request: jsonRequest(h.Request.Request),
		Holders: []jsonHolder{}, Named: []jsonNamed{}, Doubts: p.doubtsJSON(h.Doubts), Warnings: list0(h.Warnings),
	}
	for _, g := range h.Default {
		out.Holders = append(out.Holders, jsonHolder{jsonGrant: *p.grantJSON(g)})
	}
	for _, v := range h.Views {
		for _, g := range v.Holders {
			out.Holders = append(out.Holders, p.holderJSON(v.View, g, ""))
		}
		for _, g := range v.Possible {
			out.Holders = append(out.Holders, p.holderJSON(v.View, g, "possible"))
		}
		for _, g := range v.Named {
			out.Named = append(out.Named, jsonNamed{g.Names, p.holderJSON(v.View, g.Grant, "")})
		}
	}
	return safetext.JSON(w, out)
}

func (p Printer) holderJSON(v View, g Grant, certainty string) jsonHolder {
	of := v.Having(g.Binding.Object).Shown()
	return jsonHolder{p.Rel(of.Root), string(of.Kind), v.Cluster(), certainty, *p.grantJSON(g)}
}

func (p Printer) grantJSON(g Grant) *jsonGrant {
	b := g.Binding
	var binding jsonObject // of a rule of a role that is not bound yet, none
	switch {
	case b.Object == nil:
	case b.Default:
		binding = jsonObject{Kind: b.Object.Kind, Name: b.Object.Name}
	default:
		binding = p.objectJSON(b.Object)
	}
	role := jsonObject{Kind: b.Role.Kind, Namespace: b.Role.Namespace, Name: b.Role.Name}
	if b.RoleObject != nil {
		role = p.objectJSON(b.RoleObject)
	}
	out := &jsonGrant{
		Subject: jsonObject{Kind: b.Subject.Kind, Namespace: b.Subject.Namespace, Name: b.Subject.Name},
		Group:   b.Via, Namespace: b.Scope, Binding: binding, Role: role, Rule: &g.Rule, RuleLine: g.RulePosition.Line,
		EveryCluster: b.Default,
	}
	if giver := g.Giver; giver.Role.Name != "" {
		out.AddedBy = &jsonObject{Kind: giver.Role.Kind, Name: giver.Role.Name}
		if giver.Object != nil {
			*out.AddedBy = p.objectJSON(giver.Object)
		}
	}
	return out
}

func (p Printer) objectJSON(o *objects.Object) jsonObject {
	at := o.Position(nil)
	return jsonObject{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, File: p.Rel(at.File), Line: at.Line}
}

func (p Printer) from(v View) string {
	if v.From == nil {
		return ""
	}
	return p.place(v.From.Position(nil))
}

func (p Printer) doubtsJSON(doubts []Doubt) []jsonDoubt {
	out := make([]jsonDoubt, len(doubts))
	for i, d := range doubts {
		out[i] = jsonDoubt{d.Position.File, d.Position.Line, d.Position.Column, d.Message, d.Units}
		if d.Position.File != "" {
			out[i].File = p.Rel(d.Position.File)
		}
	}
	return out
}

func identityJSON(who rbac.Identity) jsonIdentity { return jsonIdentity{who.User, list0(who.Groups)} }

// list0 returns an empty list for nil, so that it is written as [].
func list0[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
