package permission

import (
	"slices"
	"strings"
)

// Follow combines the differences of two consecutive runs. A change that the second run reverts is not a difference.
func (r Report) Follow(next Report) Report {
	all := Report{Made: r.Made || next.Made, Unlimited: slices.Concat(r.Unlimited, next.Unlimited), ReadElsewhere: union(r.ReadElsewhere, next.ReadElsewhere),
		Remaining: slices.Concat(r.Remaining, next.Remaining)}
	identities := map[string]int{}
	for _, i := range slices.Concat(r.Identities, next.Identities) {
		key := text(i.Subject) + i.place()
		at, known := identities[key]
		if !known {
			identities[key] = len(all.Identities)
			all.Identities = append(all.Identities, i)
			continue
		}
		before := &all.Identities[at]
		before.Difference, before.Why = follow(before.Scopes(), i.Scopes()), union(before.Why, i.Why)
	}
	extensions := map[string]int{}
	for _, x := range slices.Concat(r.Extensions, next.Extensions) {
		key := x.Name + "\x00" + x.File + "\x00" + x.place()
		at, known := extensions[key]
		if !known {
			extensions[key] = len(all.Extensions)
			all.Extensions = append(all.Extensions, x)
			continue
		}
		before := &all.Extensions[at]
		before.To = x.To
		before.Difference, before.Why = follow(before.Scopes(), x.Scopes()), union(before.Why, x.Why)
	}
	return Merge(all.settled())
}

// place identifies a context by its units.
func (c Context) place() string {
	return strings.Join(slices.Concat(c.Kustomizations, []string{""}, c.Units), "\x00")
}

// follow combines two consecutive differences.
func follow(first, second []Scope) *Difference {
	gained, lost := effects(first)
	gainedNext, lostNext := effects(second)
	return Differ(gained.Without(lostNext).Join(gainedNext.Without(lost)), lost.Without(gainedNext).Join(lostNext.Without(gained)))
}

// settled removes entries without a remaining difference.
func (r Report) settled() Report {
	left := Report{Made: r.Made, Unlimited: r.Unlimited, ReadElsewhere: r.ReadElsewhere, Remaining: r.Remaining}
	for _, i := range r.Identities {
		if !i.Empty() {
			left.Identities = append(left.Identities, i)
		}
	}
	for _, x := range r.Extensions {
		if !x.Empty() || x.From != x.To {
			left.Extensions = append(left.Extensions, x)
		}
	}
	return left
}
