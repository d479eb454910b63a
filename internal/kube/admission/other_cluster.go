package admission

import "github.com/salint/salint/internal/kube/objects"

// ForCluster returns the set for the subjects of a unit. otherCluster returns why a policy or a binding can be of another
// cluster than the unit, in the form of a Reason; it returns "" for the others.
func (s *Set) ForCluster(elsewhere func(*objects.Object) string) *Set {
	seen := *s
	seen.otherCluster = elsewhere
	return &seen
}

// otherClusterReason is otherCluster for every set.
func (s *Set) otherClusterReason(o *objects.Object) string {
	if s.otherCluster == nil {
		return ""
	}
	return s.otherCluster(o)
}

// split divides a policy by its bindings: near is on the same cluster, far can be on another.
func (s *Set) split(p *policy) (near, far []*policy) {
	if s.otherCluster == nil {
		return []*policy{p}, nil
	}
	if s.otherClusterReason(p.object) != "" {
		return nil, []*policy{p}
	}
	here, there := *p, *p // both share the programs of p, which are compiled once
	here.bindings, there.bindings = nil, nil
	for _, b := range p.bindings {
		if s.otherClusterReason(b.object) == "" {
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

// uncertainLimit is the reason why a limit can be without effect: a part of it can be on another cluster.
func (s *Set) uncertainLimit(p *policy, by *binding) Reason {
	object := p.object
	if s.otherClusterReason(object) == "" {
		object = by.object
	}
	return Reason{object, s.otherClusterReason(object), Unknown}
}
