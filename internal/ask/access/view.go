package access

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/output/picture"
)

// View is where an identity is looked up: a cluster, or a deployment unit of which the cluster is not known. The plain unit can contain several clusters: if several
// objects in it are the identity, each has a separate view with the bindings that are nearest to it.
type View struct {
	Unit *objects.Unit
	From *objects.Object

	// possible is the unit with the roles of others that its bindings grant, if one cluster gets both; nil if there are none.
	possible *objects.Unit
}

// Name returns the name of the view.
func (v View) Name() string {
	of := v.Shown()
	name := of.Root
	switch of.Kind {
	case objects.ClusterUnit:
		name = "cluster " + of.Name
	case objects.PlainUnit:
		name = picture.PlainFiles
	case objects.ApplicationUnit, objects.ChartUnit, objects.EmbeddedUnit:
		name = of.String()
	}
	if v.From != nil {
		at := v.From.Position(nil)
		name += fmt.Sprintf(", nearest to %s:%d", at.File, at.Line)
	}
	return name
}

// Shown returns the unit that is shown.
func (v View) Shown() *objects.Unit { return v.Unit.Shown() }

// Having returns the view of the unit of a cluster that applies an object.
func (v View) Having(o *objects.Object) View {
	if parts := v.Unit.PartsWith(o); len(parts) > 0 {
		return View{Unit: parts[0], From: v.From}
	}
	return v
}

// Cluster returns the cluster of the view; "" if it is not known.
func (v View) Cluster() string {
	if v.Unit.Kind == objects.ClusterUnit {
		return v.Unit.Name
	}
	return ""
}

// Kinds returns the kinds of objects that must be read to answer a question about an identity: roles, bindings that can
// apply to it, and the objects of the identity.
func Kinds(who rbac.Identity) map[string][]string {
	kinds := loader.RBAC()
	kind, _, name := objectOf(who)
	switch kind {
	case "":
	case olm.ClusterExtensionKind:
		kinds[kind] = nil // an overlay can rename any of the few
	default:
		kinds[kind] = append([]string{name}, hiddenNames...)
	}
	if slices.Contains(who.Groups, olm.Group) {
		kinds[olm.ClusterExtensionKind] = nil
	}
	names := slices.Clone(who.Groups)
	switch {
	case kind == rbac.KindServiceAccount:
		kinds[kind] = nil                                                        // a warning names the account that is probably meant
		kinds[olm.ClusterExtensionKind] = append([]string{name}, hiddenNames...) // a warning says if OLM does not act as the account
		names = append(names, name)
	case who.User != "":
		names = append(names, who.User)
	}
	words := wordsOf(names)
	for _, kind := range append(grants.Kinds(), "RoleBinding", "ClusterRoleBinding") {
		kinds[kind] = words
	}
	return kinds
}

// WithMemberships returns an identity with the groups that objects of a repository make it a member of; more is false if there are none that
// it does not have. Bindings of these groups must be read, too.
func WithMemberships(r *loader.Repository, who rbac.Identity) (all rbac.Identity, more bool) {
	all = rbac.Identity{User: who.User, Groups: slices.Clone(who.Groups)}
	for _, o := range r.Objects {
		for _, m := range rbac.Members(o) {
			if m.User == who.User && !slices.Contains(all.Groups, o.Name) {
				all.Groups, more = append(all.Groups, o.Name), true
			}
		}
	}
	return all, more
}

// wordsOf returns words of which every document with one of the names contains at least one, or none if there are no such
// words. A name can be broken into lines at its spaces, and quotes in it can be doubled, so the word is its longest part
// without either.
func wordsOf(names []string) []string {
	words := slices.Clone(hiddenNames)
	for _, name := range names {
		parts := strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\'' })
		if len(parts) == 0 {
			return nil
		}
		words = append(words, slices.MaxFunc(parts, func(a, b string) int { return cmp.Compare(len(a), len(b)) }))
	}
	return words
}

// hiddenNames are words of documents in which a name can be written in another form: substitutions, escapes, and tags such
// as !!binary, whatever a %TAG calls them. Bindings that replace a default one are always read.
var hiddenNames = []string{"${", "$(", "{{", "\\", "!", rbacv1.AutoUpdateAnnotationKey}

// TypeKinds returns the kinds to read for an unknown type: the definitions that could define it.
func TypeKinds(name string) map[string][]string {
	resource, _, _ := strings.Cut(name, ".")
	if resource == "" {
		return nil
	}
	lower := strings.ToLower(resource)
	return map[string][]string{crdKind: {resource, lower, strings.ToUpper(lower[:1]) + lower[1:]}}
}

const crdKind = "CustomResourceDefinition"

// Definitions returns the CustomResourceDefinitions of a repository.
func Definitions(w *loader.Repository) []map[string]any {
	var all []map[string]any
	for _, o := range w.Objects {
		if o.Kind == crdKind {
			all = append(all, o.JSON())
		}
	}
	return all
}

// objectOf returns the object of an identity: an account, or the extension of a synthetic user.
func objectOf(who rbac.Identity) (kind, namespace, name string) {
	if account, ok := objects.ParseUser(who.User); ok {
		return rbac.KindServiceAccount, account.Namespace, account.Name
	}
	if name, ok := strings.CutPrefix(who.User, olm.User("")); ok && name != "" {
		return olm.ClusterExtensionKind, "", name
	}
	return "", "", ""
}

// units returns the clusters and units with selected files; of the plain unit, the bindings in selected files.
func (s Scene) units() []*objects.Unit {
	return s.Repository.ScopesOf(s.Repository.About(s.Selected, IsBinding))
}

// views returns the views of some units, without units that have no bindings.
func (s Scene) views(units []*objects.Unit, who rbac.Identity) []View {
	var views []View
	for _, unit := range units {
		if !slices.ContainsFunc(unit.Parts(), s.Repository.MayGrant) {
			continue
		}
		for _, view := range split(unit, who, s.Selected) {
			view.possible = s.Repository.Possible(unit)
			views = append(views, view)
		}
	}
	return views
}

// IsBinding returns whether an object is a binding.
func IsBinding(o *objects.Object) bool {
	return o.Group == rbac.Group && (o.Kind == "RoleBinding" || o.Kind == "ClusterRoleBinding")
}

// split returns a view for each object of the identity in a plain unit.
func split(unit *objects.Unit, who rbac.Identity, selected func(string) bool) []View {
	kind, namespace, name := objectOf(who)
	if unit.Kind != objects.PlainUnit || kind == "" {
		return []View{{Unit: unit}}
	}
	all := unit.Find(objects.Query{Kind: kind, Namespace: namespace, Name: name})
	if len(all) < 2 {
		return []View{{Unit: unit}}
	}
	var views []View
	for _, o := range all {
		if selected(o.File) {
			views = append(views, View{Unit: unit, From: o})
		}
	}
	if len(views) == 0 {
		return []View{{Unit: unit}}
	}
	return views
}
