package fixers

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// eachScope makes a plan for an extension of all those for the units that are alike. Where units apply it under different
// names, or with different accounts, the one that was asked for decides; the others are planned for as far as they can be.
func (c *Context) eachScope(r Request, plan func(*extension) (*Plan, error)) (*Plan, error) {
	f, err := c.family(r.Object)
	if err != nil {
		return nil, err
	}
	scopes, err := c.scopes(f, f.variants)
	if err != nil { // for one of the others, perhaps
		own := f.variant(r.Object)
		if own.root, err = c.rootOf(own); err != nil {
			return nil, err
		}
		scopes = []*extension{own}
	}
	slices.SortStableFunc(scopes, func(a, b *extension) int { return boolInt(b.object == r.Object) - boolInt(a.object == r.Object) })
	whole, err := plan(scopes[0])
	if err != nil {
		return nil, err
	}
	descriptions := []string{whole.Description}
	for _, e := range scopes[1:] {
		further, err := plan(e)
		if err != nil {
			continue // it is a finding of its own there, or none at all
		}
		whole.join(further)
		descriptions = append(descriptions, further.Description)
	}
	whole.Object, whole.Description = r.Object, shortList(descriptions, "Grant ")
	return whole, nil
}

// join adds what another plan for the same object does.
func (p *Plan) join(other *Plan) {
	p.Changes = append(p.Changes, other.Changes...)
	p.Documents = append(p.Documents, other.Documents...)
	p.Applied = append(p.Applied, other.Applied...)
	p.Added = append(p.Added, other.Added...)
	p.Gains = append(p.Gains, other.Gains...)
	p.Losses = append(p.Losses, other.Losses...)
	p.Switches = append(p.Switches, other.Switches...)
	p.Notes = append(p.Notes, other.Notes...)
}

// meant lists the units that declarations about the extension are made for: nil for all that apply it as it stands.
func (e *extension) meant() []*objects.Unit {
	if e.root != nil || slices.ContainsFunc(e.units, func(u *objects.Unit) bool { return u.Built }) {
		return e.units
	}
	return []*objects.Unit{nil}
}

// gain declares what an identity of the extension is granted.
func (p *Plan) gain(e *extension, s rbac.Subject, grants ...rbac.Grant) {
	for _, unit := range e.meant() {
		for _, g := range grants {
			p.Gains = append(p.Gains, GrantChange{Subject: s, Grant: g, Unit: unit})
		}
	}
}
