package identity

import (
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Variant is an extension as one or more units apply it.
type Variant struct {
	olm.Extension
	Object *objects.Object
	Units  []*objects.Unit
	// objects are the objects of the units, if they differ from Object.
	objects map[*objects.Unit]*objects.Object
	// root is the kustomization beside which files are generated; nil if they are generated beside the file of the extension.
	root *objects.Kustomization
	// withVariables is the name in the file if generated objects have its variables; "" if they have the name as applied.
	withVariables string
}

// objectIn returns the extension as a unit applies it.
func (v *Variant) objectIn(u *objects.Unit) *objects.Object {
	if o := v.objects[u]; o != nil {
		return o
	}
	return v.Object
}

// uniformVariant returns the extension of a request, for fixes that are the same in all units. It refuses if units apply the
// extension differently, or if edits of its file cannot be proven.
func uniformVariant(c *engine.Context, o *objects.Object) (*Variant, error) {
	f, err := appliedVariantsOf(c, o)
	if err != nil {
		return nil, err
	}
	for _, v := range f.variants {
		if err := f.variants[0].checkAppliedLike(v); err != nil {
			return nil, err
		}
	}
	return mergeVariants(o, f.variants), nil
}

// checkAppliedLike refuses a variant that differs from the file or from another unit, because what is written beside the file
// reaches both.
func (v *Variant) checkAppliedLike(other *Variant) error {
	source := other.Object.Source()
	written, _ := olm.ReadExtension(source.Node)
	path, same := other.Account.Path, other.Account.Name == written.Account.Name && other.Account.State == written.Account.State
	switch {
	case other.Name != source.Name:
		path = manifest.Path{"metadata", "name"}
	case other.Namespace != v.Namespace:
		path = other.NamespacePath
	case same:
		return nil
	}
	return engine.Refuse("%s applies %s in another form than %s has (%s at %s), and a file beside it would reach all units: "+
		"write the change beside %s by hand", other.Units[0], engine.NameOf(source), source.File, path, engine.ChangedAt(other.Object, path), other.Units[0])
}

// unitWithModel returns a unit of a model that applies the extension, or nil.
func unitWithModel(c *engine.Context, v *Variant, model olm.Model) *objects.Unit {
	for _, unit := range v.Units {
		if c.Lookups.Target(unit, v.objectIn(unit)).Model == model {
			return unit
		}
	}
	return nil
}

// strictestModel returns the strictest model of the units that apply the extension: what is right there does no harm in the
// others. An unknown model can be required.
func strictestModel(c *engine.Context, v *Variant) olm.Model {
	for _, model := range []olm.Model{olm.Required, olm.Unknown, olm.Synthetic, olm.Ignored} {
		if unitWithModel(c, v, model) != nil {
			return model
		}
	}
	return olm.Removed
}

// UnitsUsingIdentity returns the units in which the identity as which OLM acts for the extension counts, or can count.
func UnitsUsingIdentity(c *engine.Context, v *Variant) []*objects.Unit {
	var units []*objects.Unit
	for _, unit := range v.Units {
		if c.Lookups.Target(unit, v.objectIn(unit)).Model.IdentitiesMayCount() {
			units = append(units, unit)
		}
	}
	return units
}

// AccountSubject returns the account as which OLM may act for the extension.
func (v *Variant) AccountSubject() rbac.Subject {
	return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: v.Namespace, Name: v.Account.Name}
}

// UserSubject returns the synthetic user of the extension.
func (v *Variant) UserSubject() rbac.Subject {
	return rbac.Subject{Kind: rbac.KindUser, Name: olm.User(v.Name)}
}

// identities returns the account and the synthetic user of the extension.
func (v *Variant) identities() []rbac.Subject {
	return []rbac.Subject{v.AccountSubject(), v.UserSubject()}
}

// checkNameKnown refuses a name with placeholders. Inside an OpenShift Template it is accepted, because the generated objects
// are filled in with the same parameters.
func (v *Variant) checkNameKnown() error {
	_, inTemplate := openShiftTemplate(v.Object)
	switch {
	case v.Name == "":
		return engine.Refuse("the extension has no readable name, so its identity is unknown: bind its roles to %s by hand", olm.User("<name>"))
	case v.NameTemplated && !(inTemplate && strings.Contains(v.Name, "${")):
		return engine.Refuse("the name %s contains a placeholder, so the identity of the extension is unknown: bind its "+
			"roles to %s by hand", v.Name, olm.User("<name>"))
	}
	return nil
}
