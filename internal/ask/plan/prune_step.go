package plan

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// The background of the step that prunes.
const (
	dangerOfLeftovers = "OLM never deletes them. An installer account can still be bound to cluster-admin. Anyone creating pods in its namespace can use it. "
	pruneLast         = "Do this only when no downgrade is planned: without the accounts, a downgrade needs new ones."
)

// prune removes, on a target, the objects that only the field kept in use. No command removes objects from inside of others.
func (p *planner) prune(there olm.Target) {
	s := Step{
		Do: "prune", Commit: true, Extensions: labels(p.extensions), Title: p.inTitle(there, "remove the accounts, bindings, and roles that only the field kept in use"),
		Why:   dangerOfLeftovers + pruneLast,
		Brief: "Do this only when no downgrade is planned: it would need new accounts.",
	}
	if !slices.ContainsFunc(p.extensions, func(e *Extension) bool { return accountInside(e) == nil }) {
		s.Notes = p.removedByHand()
		p.add(s)
		return
	}
	s.Why = dangerOfLeftovers + "Objects that are referenced elsewhere are kept, and other fixes are not part of the commit. " + pruneLast
	flags := pruneFlags
	if p.Commit != "" {
		s.Why += " The commit of --changed-since has the field, so salint finds the accounts that it named. Remove by hand what a chart or a renaming overlay creates."
		flags = append(slices.Clone(flags), "--changed-since", p.Commit)
	} else {
		s.Why += " Once the field is gone, salint recognizes only cluster-admins and roles of installers. Remove by hand what else the run that removed the field " +
			"reported as left behind, and what a chart or a renaming overlay creates."
		s.Brief += " Remove by hand what the run that removed the field reported as left behind."
	}
	for _, guess := range []bool{false, true} {
		some := slices.DeleteFunc(slices.Clone(p.extensions), func(e *Extension) bool { return p.isGuess(e) != guess })
		if len(some) > 0 {
			s.Commands = append(s.Commands, p.lintOf(p.naming(there, some...), flags, p.scopeOf(some, there)))
		}
	}
	s.Notes = append(p.otherUnits(p.extensions, there), p.removedByHand()...)
	p.add(s)
	p.deleteRemaining()
}

// deleteRemaining deletes from the cluster what stays there when its manifest is removed.
func (p *planner) deleteRemaining() {
	s := Step{
		Do: "delete", Title: "Delete from the cluster what is not deleted with its manifest",
		Brief: "Until then, the accounts keep their permissions on the cluster. Delete only what the step before removed from the repository.",
	}
	var reasons []string
	for _, e := range p.extensions {
		for _, m := range e.remaining {
			reasons = words.AddOnce(reasons, m.Why)
			s.Commands = words.AddOnce(s.Commands, m.Command)
			s.Extensions = words.AddOnce(s.Extensions, e.Label)
		}
	}
	if len(s.Commands) == 0 {
		return
	}
	s.Why = strings.Join(few(reasons), ". ") + ". " + s.Brief
	p.add(s)
}

// pruneFlags remove leftovers, and make no other fixes in the same files, which are not part of the step.
var pruneFlags = []string{"--fix", "--prune-only"}

// accountInside returns the account of an extension if the object that holds the extension holds it too, otherwise nil.
func accountInside(e *Extension) *objects.Object {
	if e.unit.Kind != objects.EmbeddedUnit || e.Account.State != olm.Named {
		return nil
	}
	core := ""
	found := e.unit.Find(objects.Query{Group: &core, Kind: rbac.KindServiceAccount, Namespace: e.Namespace, Name: e.Account.Name})
	if len(found) == 0 || found[0].Embedding == nil {
		return nil
	}
	return found[0]
}

// removedByHand returns notes about accounts that objects such as a Policy hold, one for all that are removed in the same way.
func (p *planner) removedByHand() []string {
	var order []string
	holders := map[string][]string{}
	for _, e := range p.extensions {
		account := accountInside(e)
		if account == nil {
			continue
		}
		way := account.Embedding.Removal(true)
		if holders[way] == nil {
			order = append(order, way)
		}
		holders[way] = words.AddOnce(holders[way], account.Embedding.Title())
	}
	var notes []string
	for _, way := range order {
		notes = append(notes, "--prune removes nothing inside of "+listed(holders[way])+": "+way)
	}
	return few(notes)
}
