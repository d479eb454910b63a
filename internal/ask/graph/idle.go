package graph

import (
	"github.com/salint/salint/internal/output/picture"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// leftover draws the identity that an extension names and OLM does not act as, where there is anything of it. Its
// permissions are no less real: a pod may run as the account.
func (b *builder) leftover(id string, e loader.Extension, who rbac.Identity, subjects map[string]rbac.Subject) {
	if who.User == "" {
		return
	}
	s := subjectOf(who)
	_, bound := subjects[subjectKey(s)]
	_, groupBound := subjects[subjectKey(rbac.Subject{Kind: rbac.KindGroup, Name: olm.Group})]
	inGroup := slices.Contains(who.Groups, olm.Group)
	if !bound && !(groupBound && inGroup) && e.Account.State != olm.Named {
		return
	}
	identity := b.subject(s)
	b.idle[identity] = true
	b.edge(picture.Edge{From: id, To: identity, Kind: picture.NoEffect})
	b.memberships(identity, who, subjects)
}

// markIdle says of identities that no extension is installed as them although one names them.
func (b *builder) markIdle() {
	for id := range b.idle {
		if b.acting[id] {
			continue
		}
		if place, err := strconv.Atoi(id[1:]); err == nil { // see add
			n := &b.graph.Nodes[place]
			n.NoEffect, n.Note = true, "no effect: OLM does not act as it"
		}
	}
}
