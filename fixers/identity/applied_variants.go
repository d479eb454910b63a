package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// appliedVariants are all applied forms of one extension, one per unit.
type appliedVariants struct {
	object   *objects.Object
	variants []*Variant
}

// appliedVariantsOf finds the applied forms of the source of an object. It refuses if edits of the source cannot be proven.
func appliedVariantsOf(c *engine.Context, o *objects.Object) (*appliedVariants, error) {
	f := &appliedVariants{object: o}
	for _, made := range c.Repo.AppliedForms(o) {
		if err := c.CheckBuild(made.Unit, made.Object); err != nil && c.Scope.Allows(made.Unit, made.Object) {
			return nil, err // other units only keep what they have
		}
		read, ok := olm.ReadExtension(made.Object.Node)
		if !ok {
			return nil, engine.Refuse("%s %s is not a ClusterExtension", made.Object.Kind, made.Object.Name)
		}
		if read.Kind != olm.ClusterExtensionKind {
			return nil, engine.Refuse("the kind %s existed only in operator-controller v0.10: write it as a ClusterExtension "+
				"by hand", read.Kind)
		}
		f.variants = append(f.variants, &Variant{Extension: read, Object: made.Object, Units: []*objects.Unit{made.Unit}})
	}
	if len(f.variants) == 0 {
		return nil, engine.RefuseUnapplied(o, "change it by hand")
	}
	return f, nil
}

// variantOf returns the variant of an object among some variants; the first if none is.
func variantOf(variants []*Variant, o *objects.Object) *Variant {
	for _, v := range variants {
		if v.Object == o {
			return v
		}
	}
	return variants[0]
}

// where returns the variants for which a condition holds.
func (f *appliedVariants) where(holds func(*Variant) bool) []*Variant {
	return slices.DeleteFunc(slices.Clone(f.variants), func(v *Variant) bool { return !holds(v) })
}

// mergeVariants returns one variant for several that are alike in everything that fixers look at.
func mergeVariants(o *objects.Object, variants []*Variant) *Variant {
	e := &Variant{Extension: variants[0].Extension, Object: variants[0].Object, objects: map[*objects.Unit]*objects.Object{}}
	for _, v := range variants {
		if v.Object == o {
			e.Extension, e.Object = v.Extension, o
		}
		e.Units = append(e.Units, v.Units...)
		e.objects[v.Units[0]] = v.Object
	}
	return e
}

// grantTargets returns the variants that a fix grants something to separately. If all units apply an extension alike and
// under its written name, the bindings go beside its file, where they reach all units; also if their names differ only by
// variables, which the bindings then have too. Otherwise each unit gets separate bindings, beside the kustomization that it
// is built from: so do those of several units of which OLM asks for no identity in some, where the bindings would grant nothing.
func grantTargets(c *engine.Context, f *appliedVariants, variants []*Variant) ([]*Variant, error) {
	if len(variants) == 0 {
		return nil, nil
	}
	e := mergeVariants(f.object, variants)
	inUse := alikeInUse(c, variants)
	alike := holdSameGrants(c, variants) && inUse
	if len(variants) == len(f.variants) && allAppliedAsWritten(variants) && (alike || inUse && !haveRoots(c, variants)) {
		return []*Variant{e}, nil
	}
	if name := nameWithVariables(variants); name != "" && len(variants) == len(f.variants) && alike {
		for _, v := range variants {
			v.withVariables = name
		}
		return variants, nil
	}
	for _, v := range variants {
		root, err := rootKustomization(c, v)
		if err != nil {
			return nil, err
		}
		v.root = root
	}
	return variants, nil
}

// allAppliedAsWritten reports whether all variants have the name in the file, and the same namespace and account.
func allAppliedAsWritten(variants []*Variant) bool {
	return !slices.ContainsFunc(variants, func(v *Variant) bool {
		first, source := variants[0], v.Object.Source()
		return v.Name != source.Name || v.Namespace != first.Namespace ||
			v.Account.Name != first.Account.Name || v.Account.State != first.Account.State
	})
}

// holdSameGrants reports whether the identities of the variants have the same grants in all units in which identities count.
func holdSameGrants(c *engine.Context, variants []*Variant) bool {
	var first *Variant
	for _, v := range variants {
		if len(UnitsUsingIdentity(c, v)) == 0 || c.Policy.Grant.Chosen() {
			continue
		}
		if first == nil {
			first = v
		}
		for i, s := range v.identities() {
			if !slices.Equal(clusterGrants(c, v, v.Units[0], s).list, clusterGrants(c, first, first.Units[0], first.identities()[i]).list) {
				return false
			}
		}
	}
	return true
}

// alikeInUse reports whether the identities of the variants count in all units, or in none.
func alikeInUse(c *engine.Context, variants []*Variant) bool {
	counts := func(v *Variant) bool { return len(UnitsUsingIdentity(c, v)) > 0 }
	return !slices.ContainsFunc(variants, func(v *Variant) bool { return counts(v) != counts(variants[0]) })
}

func haveRoots(c *engine.Context, variants []*Variant) bool {
	return !slices.ContainsFunc(variants, func(v *Variant) bool { _, err := rootKustomization(c, v); return err != nil })
}

// rootKustomization returns the kustomization at the root of the only unit of a variant. It refuses if other units are built
// from it too.
func rootKustomization(c *engine.Context, v *Variant) (*objects.Kustomization, error) {
	return c.RootKustomization(applied.Form{Unit: v.Units[0], Object: v.Object})
}
