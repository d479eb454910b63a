package access

import (
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// general returns doubts about any answer: there are no manifests, or an API server does not decide by the roles and bindings.
func (s Scene) general() []Doubt {
	var doubts []Doubt
	if s.Repository.Empty() && len(s.Repository.Gaps) == 0 {
		doubts = append(doubts, Doubt{Message: "no manifests were found, so nothing is known"})
	}
	seen := map[objects.Position]bool{}
	for _, unit := range s.Repository.Units {
		for _, o := range unit.Objects {
			at := o.Position(nil)
			if seen[at] || !rbac.AllowsEverything(o) {
				continue
			}
			seen[at] = true
			doubts = append(doubts, Doubt{Position: at, Message: rbac.AlwaysAllowText(o)})
		}
	}
	return doubts
}
