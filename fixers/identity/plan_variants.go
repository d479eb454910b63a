package identity

import (
	"reflect"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// planVariants makes a plan for all variants of an extension. If units apply the extension under different names or with
// different accounts, the variant of the request must be planned; the others are included if they can be.
func planVariants(c *engine.Context, r engine.Request, plan func(*engine.Context, *Variant) (*engine.Plan, error)) (*engine.Plan, error) {
	f, err := appliedVariantsOf(c, r.Object)
	if err != nil {
		return nil, err
	}
	asked := askedVariants(c, f)
	if err := checkSeparable(c, f, asked); err != nil {
		return nil, err
	}
	targets, err := grantTargets(c, f, asked)
	if err != nil { // perhaps because of another variant
		own := variantOf(asked, r.Object)
		if own.root, err = rootKustomization(c, own); err != nil {
			return nil, err
		}
		targets = []*Variant{own}
	}
	at := max(slices.IndexFunc(targets, func(v *Variant) bool { return v.Object == r.Object }), 0)
	combined, err := plan(c, targets[at])
	if err != nil {
		return nil, err
	}
	descriptions := []string{combined.Description}
	for _, e := range slices.Delete(slices.Clone(targets), at, at+1) {
		other, err := plan(c, e)
		if err != nil && e.withVariables != "" {
			return nil, err // it shares the file
		}
		if err != nil {
			continue // it is a separate finding, or none
		}
		include(combined, other)
		if !slices.Contains(descriptions, other.Description) {
			descriptions = append(descriptions, other.Description)
		}
	}
	combined.Object, combined.Description = r.Object, engine.ShortList(descriptions, "Grant ")
	return combined, nil
}

// askedVariants returns the variants in the scope of the run, without those in which OLM uses no identity: a grant does nothing there. If it uses one
// in none of them, all are returned, so that the fixer says so.
func askedVariants(c *engine.Context, f *appliedVariants) []*Variant {
	allowed := f.where(func(v *Variant) bool { return c.Scope.Allows(v.Units[0], v.Object) })
	inUse := slices.DeleteFunc(slices.Clone(allowed), func(v *Variant) bool { return len(UnitsUsingIdentity(c, v)) == 0 })
	if len(inUse) == 0 {
		return allowed
	}
	return inUse
}

// include adds what another plan for the same source does.
func include(p *engine.Plan, other *engine.Plan) {
	for _, change := range other.Changes {
		if !slices.ContainsFunc(p.Changes, func(c engine.Change) bool { return reflect.DeepEqual(c, change) }) {
			p.Changes = append(p.Changes, change)
		}
	}
	for _, document := range other.Documents {
		if !slices.Contains(p.Documents, document) { // several variants can share a file
			p.Documents = append(p.Documents, document)
		}
	}
	p.Applied = append(p.Applied, other.Applied...)
	p.Added = append(p.Added, other.Added...)
	p.Gains = append(p.Gains, other.Gains...)
	p.Losses = append(p.Losses, other.Losses...)
	p.Switches = append(p.Switches, other.Switches...)
	p.Notes = append(p.Notes, other.Notes...)
	if other.Kind == finding.Unsafe {
		p.Kind = finding.Unsafe
	}
}

// declaredUnits returns the units for which changes of the extension are declared: nil for all units that apply it as
// written.
func (v *Variant) declaredUnits() []*objects.Unit {
	if v.root != nil || v.withVariables != "" || slices.ContainsFunc(v.Units, func(u *objects.Unit) bool { return u.Built }) {
		return v.Units
	}
	return []*objects.Unit{nil}
}

// DeclareGains declares what an identity of the extension is granted.
func DeclareGains(p *engine.Plan, v *Variant, s rbac.Subject, grants ...rbac.Grant) {
	for _, unit := range v.declaredUnits() {
		for _, g := range grants {
			p.Gains = append(p.Gains, engine.GrantChange{Subject: s, Grant: g, Unit: unit})
		}
	}
}
