package graph

import (
	"github.com/salint/salint/internal/output/picture"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// unusedIdentity draws the identity that an extension names but OLM does not use, if anything refers to it. Its permissions
// are real: a pod can run as the account.
func (b *builder) unusedIdentity(id string, e loader.Extension, who rbac.Identity, subjects map[string]rbac.Subject) {
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
	b.unused[identity] = true
	b.edge(picture.Edge{From: id, To: identity, Kind: picture.NoEffect})
	b.memberships(identity, who, subjects)
}

// markUnused marks identities that extensions name but OLM uses for none of them.
func (b *builder) markUnused() {
	for id := range b.unused {
		if b.acting[id] {
			continue
		}
		if place, err := strconv.Atoi(id[1:]); err == nil { // see add
			n := &b.graph.Nodes[place]
			n.NoEffect, n.Note = true, "no effect: OLM does not use it"
		}
	}
}
