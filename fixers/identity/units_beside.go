package identity

import (
	"fmt"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// unitsBeside returns the units that bind a subject and are on every cluster of a unit. Their bindings count like those of
// the unit. Bindings for the extensions of a template depend on its values, which do not reach other units, so there are none.
func unitsBeside(c *engine.Context, v *Variant, unit *objects.Unit, s rbac.Subject) []*objects.Unit {
	if !v.objectIn(unit).InFile() {
		return nil
	}
	return slices.DeleteFunc(c.Lookups.Beside(unit, s), func(other *objects.Unit) bool {
		return slices.Contains(v.Units, other) || appliesExtension(c, other, v) || isOfAnotherCluster(other, unit, v, s)
	})
}

// clusterGrants returns the grants of an identity of the extension in a unit and in those on every cluster of it.
func clusterGrants(c *engine.Context, v *Variant, unit *objects.Unit, s rbac.Subject) HeldGrants {
	h := GrantsOf(unit, v, s)
	for _, beside := range unitsBeside(c, v, unit, s) {
		h.bindings = slices.Concat(h.bindings, bindingsIn(beside, s))
	}
	h.list = rbac.GrantsOf(h.bindings)
	return h
}

// bindingsIn returns the bindings of a subject in a unit that does not apply the extension.
func bindingsIn(u *objects.Unit, s rbac.Subject) []rbac.Binding {
	return slices.DeleteFunc(slices.Clone(rbac.BindingsOf(u, nil, s)), func(b rbac.Binding) bool { return b.Via == authenticatedGroup })
}

// checkBesideRead refuses if a unit with bindings of the identity on every cluster of the extension is not fully known.
func checkBesideRead(c *engine.Context, v *Variant, unit *objects.Unit, s rbac.Subject) error {
	for _, beside := range unitsBeside(c, v, unit, s) {
		if err := checkUnitRead(c, beside, s); err != nil {
			return err
		}
		if err := checkTemplatedSubjects(beside, v, s); err != nil {
			return err
		}
	}
	return nil
}

// addBeside records the bindings of other units on every cluster of the extension, and notes what relies on them.
func (h *Migration) addBeside(c *engine.Context, v *Variant, unit *objects.Unit) {
	for _, beside := range unitsBeside(c, v, unit, h.From) {
		bindings := bindingsIn(beside, h.From)
		h.beside = append(h.beside, bindings...)
		note := fmt.Sprintf("%s binds %s on the same cluster as %s, which gets the bindings of %s",
			beside, engine.SubjectName(h.From), unit, engine.SubjectName(h.To))
		if len(bindings) > 0 && !slices.Contains(h.notes, note) {
			h.notes = append(h.notes, note)
		}
	}
}
