package access

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// general returns doubts about any answer: there are no manifests, or an API server does not decide by the roles and bindings.
func (s Scene) general() []Doubt {
	var doubts []Doubt
	if s.Repository.Empty() && len(s.Repository.Gaps) == 0 {
		doubts = append(doubts, Doubt{Message: "no manifests were found, so nothing is known"})
	}
	hasAuthorizers := slices.ContainsFunc(s.Repository.Units, func(u *objects.Unit) bool {
		return len(u.Find(objects.Query{Kind: "AuthorizationConfiguration"})) > 0
	})
	return append(doubts, s.servers(func(o *objects.Object) string {
		if rbac.AllowsEverything(o) {
			return rbac.AlwaysAllowText(o)
		}
		if mode, first := rbac.OtherAuthorizer(o); mode != "" {
			return rbac.OtherAuthorizerText(o, mode, first)
		}
		if !hasAuthorizers && rbac.ReadsAuthorizers(o) {
			return rbac.ReadsAuthorizersText(o)
		}
		return undecided(o)
	})...)
}

// servers returns a doubt for each API server about which a function has a text.
func (s Scene) servers(text func(*objects.Object) string) []Doubt {
	var doubts []Doubt
	seen := map[objects.Position]bool{}
	for _, unit := range s.Repository.Units {
		for _, o := range unit.Objects {
			at := o.Position(nil)
			if message := text(o); message != "" && !seen[at] {
				seen[at] = true
				doubts = append(doubts, Doubt{Position: at, Message: message})
			}
		}
	}
	return doubts
}

// undecided returns what makes also a yes unknown: an API server that evaluates no roles, or asks a webhook first.
func undecided(o *objects.Object) string {
	if mode, first := rbac.OtherAuthorizer(o); first {
		return rbac.OtherAuthorizerText(o, mode, first)
	}
	if rbac.EvaluatesNoRoles(o) {
		return rbac.NoRolesText(o)
	}
	return ""
}
