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
}

// objectIn returns the extension as a unit applies it.
func (e *Variant) objectIn(u *objects.Unit) *objects.Object {
	if o := e.objects[u]; o != nil {
		return o
	}
	return e.Object
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
func (e *Variant) checkAppliedLike(v *Variant) error {
	source := v.Object.Source()
	written, _ := olm.ReadExtension(source.Node)
	path, same := v.Account.Path, v.Account.Name == written.Account.Name && v.Account.State == written.Account.State
	switch {
	case v.Name != source.Name:
		path = manifest.Path{"metadata", "name"}
	case v.Namespace != e.Namespace:
		path = v.NamespacePath
	case same:
		return nil
	}
	return engine.Refuse("%s applies %s in another form than %s has (%s at %s), and a file beside it would reach all units: "+
		"write the change beside %s by hand", v.Units[0], engine.NameOf(source), source.File, path, engine.ChangedAt(v.Object, path), v.Units[0])
}

// unitWithModel returns a unit of a model that applies the extension, or nil.
func unitWithModel(c *engine.Context, e *Variant, model olm.Model) *objects.Unit {
	for _, unit := range e.Units {
		if c.Lookups.Target(unit, e.objectIn(unit)).Model == model {
			return unit
		}
	}
	return nil
}

// strictestModel returns the strictest model of the units that apply the extension: what is right there does no harm in the
// others.
func strictestModel(c *engine.Context, e *Variant) olm.Model {
	for _, model := range []olm.Model{olm.Required, olm.Synthetic, olm.Ignored} {
		if unitWithModel(c, e, model) != nil {
			return model
		}
	}
	return olm.Removed
}

// UnitsUsingIdentity returns the units in which the identity as which OLM acts for the extension counts.
func UnitsUsingIdentity(c *engine.Context, e *Variant) []*objects.Unit {
	var units []*objects.Unit
	for _, unit := range e.Units {
		if m := c.Lookups.Target(unit, e.objectIn(unit)).Model; m == olm.Required || m == olm.Synthetic {
			units = append(units, unit)
		}
	}
	return units
}

// AccountSubject returns the account as which OLM may act for the extension.
func (e *Variant) AccountSubject() rbac.Subject {
	return rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: e.Namespace, Name: e.Account.Name}
}

// UserSubject returns the synthetic user of the extension.
func (e *Variant) UserSubject() rbac.Subject {
	return rbac.Subject{Kind: rbac.KindUser, Name: olm.User(e.Name)}
}

// checkNameKnown refuses a name with placeholders. Inside an OpenShift Template it is accepted, because the generated objects
// are filled in with the same parameters.
func (e *Variant) checkNameKnown() error {
	_, inTemplate := openShiftTemplate(e.Object)
	switch {
	case e.Name == "":
		return engine.Refuse("the extension has no readable name, so its identity is unknown: bind its roles to %s by hand", olm.User("<name>"))
	case e.NameTemplated && !(inTemplate && strings.Contains(e.Name, "${")):
		return engine.Refuse("the name %s contains a placeholder, so the identity of the extension is unknown: bind its "+
			"roles to %s by hand", e.Name, olm.User("<name>"))
	}
	return nil
}
