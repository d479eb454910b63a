package admission

import "github.com/salint/salint/internal/kube/objects"

// Seen is the set as it counts for those who are bound by a unit: of a policy or a binding of which it is not known whether it
// goes to the same cluster, elsewhere says why, as a Reason does; it is "" for the others.
func (s *Set) Seen(elsewhere func(*objects.Object) string) *Set {
	seen := *s
	seen.elsewhere = elsewhere
	return &seen
}

// away is elsewhere for all sets.
func (s *Set) away(o *objects.Object) string {
	if s.elsewhere == nil {
		return ""
	}
	return s.elsewhere(o)
}

// split parts a policy by its bindings: near is what goes to the same cluster, far what may not.
func (s *Set) split(p *policy) (near, far []*policy) {
	if s.elsewhere == nil {
		return []*policy{p}, nil
	}
	if s.away(p.object) != "" {
		return nil, []*policy{p}
	}
	here, there := *p, *p // both with the programs of p, which are compiled once
	here.bindings, there.bindings = nil, nil
	for _, b := range p.bindings {
		if s.away(b.object) == "" {
			here.bindings = append(here.bindings, b)
		} else {
			there.bindings = append(there.bindings, b)
		}
	}
	switch {
	case len(there.bindings) == 0:
		return []*policy{p}, nil
	case len(here.bindings) == 0:
		return nil, []*policy{&there}
	}
	return []*policy{&here}, []*policy{&there}
}

// onlyThere is the reason why a limit may not count: one half of it, or both, may not go to the same cluster.
func (s *Set) onlyThere(p *policy, by *binding) Reason {
	object := p.object
	if s.away(object) == "" {
		object = by.object
	}
	return Reason{object, s.away(object), Unknown}
}
