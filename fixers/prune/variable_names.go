package prune

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// variableNames are the fields that name an account which something uses by nothing but placeholders, by the namespace of the account.
// Fields for which it is unknown are under "". No search for the name of an account finds them.
type variableNames map[string][]objects.Reference

func newVariableNames(c *engine.Context) variableNames {
	all := variableNames{}
	for _, unit := range c.Repo.Units {
		for _, o := range unit.Objects {
			for _, ref := range o.References() {
				if ref.What == objects.Definition || ref.What == objects.Subject || !rbac.OnlyPlaceholders(ref.Account.Name) {
					continue
				}
				namespace := ref.Account.Namespace
				if rbac.Templated(namespace) {
					namespace = ""
				}
				all[namespace] = append(all[namespace], ref)
			}
		}
	}
	return all
}

// refuseVariableName refuses to remove an account that a field may name whose value is unknown.
func (p *Pruner) refuseVariableName(form accountForm) error {
	all := engine.Memo(p.c, newVariableNames)
	for _, namespace := range []string{form.account.Namespace, ""} {
		for _, ref := range all[namespace] {
			if !p.removesReference(ref) {
				return engine.Refuse("%s stays: %s %s at %s may name it once its placeholders are filled in: write the name there",
					engine.NameOf(form.Object), engine.NameOf(ref.Object), ref.Path, ref.Object.Position(ref.Path))
			}
		}
	}
	return nil
}

// removesReference reports whether the run removes the field that names an account, or its object.
func (p *Pruner) removesReference(ref objects.Reference) bool {
	if p.removed.object(refOf(p.c, ref.Object)) {
		return true
	}
	plan := p.fieldRemovals[ref.Object.Ref()]
	return plan != nil && removesMention(plan, uses.Place{File: ref.Object.File, Path: ref.Path})
}
