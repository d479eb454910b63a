package access

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// View is what an identity is asked about in: a deployment unit. The plain unit may hold several clusters; where several
// objects in it are the identity, each has a view of its own, with the bindings that lie nearest to it.
type View struct {
	Unit *objects.Unit
	From *objects.Object
}

// Name says which view it is.
func (v View) Name() string {
	name := v.Unit.Root
	switch v.Unit.Kind {
	case objects.PlainUnit:
		name = "the files that no kustomization applies"
	case objects.ApplicationUnit, objects.ChartUnit:
		name = v.Unit.String()
	}
	if v.From != nil {
		at := v.From.Position(nil)
		name += fmt.Sprintf(", nearest to %s:%d", at.File, at.Line)
	}
	return name
}

// Kinds are the kinds of objects that have to be read to ask about an identity: roles, the bindings that may reach it, and
// the objects that are the identity.
func Kinds(who rbac.Identity) map[string][]string {
	kinds := loader.RBAC()
	kind, _, name := objectOf(who)
	if kind != "" {
		kinds[kind] = append([]string{name}, hiddenNames...)
	}
	names := slices.Clone(who.Groups)
	switch {
	case kind == rbac.KindServiceAccount:
		names = append(names, name)
	case who.User != "":
		names = append(names, who.User)
	}
	words := wordsOf(names)
	kinds["RoleBinding"], kinds["ClusterRoleBinding"] = words, words
	return kinds
}

// wordsOf gives the words without one of which a document names none of the names; none when that cannot be told. A name
// may be broken into lines at its spaces, and quotes in it may be doubled, so what is looked for is its longest part
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

// hiddenNames occur in every document in which a name may stand otherwise than letter by letter: what is filled in later,
// escapes, and tags such as !!binary, whatever a %TAG calls them. Bindings that take the place of a default one are of interest whatever they name.
var hiddenNames = []string{"${", "$(", "{{", "\\", "!", rbacv1.AutoUpdateAnnotationKey}

// TypeKinds are the kinds to read for a type that is not known by itself: the definitions that may define it.
func TypeKinds(name string) map[string][]string {
	resource, _, _ := strings.Cut(name, ".")
	if resource == "" {
		return nil
	}
	lower := strings.ToLower(resource)
	return map[string][]string{crdKind: {resource, lower, strings.ToUpper(lower[:1]) + lower[1:]}}
}

const crdKind = "CustomResourceDefinition"

// Definitions gives the CustomResourceDefinitions among the objects of a world.
func Definitions(w *loader.Repository) []map[string]any {
	var all []map[string]any
	for _, o := range w.Objects {
		if o.Kind == crdKind {
			all = append(all, o.JSON())
		}
	}
	return all
}

// objectOf says which object is an identity: an account, or the extension of a synthetic user.
func objectOf(who rbac.Identity) (kind, namespace, name string) {
	if account, ok := objects.ParseUser(who.User); ok {
		return rbac.KindServiceAccount, account.Namespace, account.Name
	}
	if name, ok := strings.CutPrefix(who.User, olm.User("")); ok && name != "" {
		return olm.ClusterExtensionKind, "", name
	}
	return "", "", ""
}

// units are those that the user asked about; of the plain unit the bindings in files that he selected.
func (s Scene) units() []*objects.Unit { return s.Repository.About(s.Selected, IsBinding) }

// views lists what there is to ask about in some units. Those without any binding are left out.
func (s Scene) views(units []*objects.Unit, who rbac.Identity) []View {
	var views []View
	for _, unit := range units {
		if s.Repository.MayGrant(unit) {
			views = append(views, split(unit, who, s.Selected)...)
		}
	}
	return views
}

// IsBinding tells whether an object grants a role.
func IsBinding(o *objects.Object) bool {
	return o.Group == rbac.Group && (o.Kind == "RoleBinding" || o.Kind == "ClusterRoleBinding")
}

// split makes a view for each of the objects in a plain unit that are the identity.
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
			views = append(views, View{unit, o})
		}
	}
	if len(views) == 0 {
		return []View{{Unit: unit}}
	}
	return views
}
