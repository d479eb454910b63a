package access

import (
	"slices"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/rbac"
)

// Holders is the answer to `who-can`.
type Holders struct {
	Request  rbac.Request
	Views    []ViewHolders
	Doubts   []Doubt
	Warnings []string
}

// ViewHolders are those of one unit, sorted by subject.
type ViewHolders struct {
	View    View
	Holders []Grant
}

// Any tells whether somebody may.
func (h Holders) Any() bool {
	return slices.ContainsFunc(h.Views, func(v ViewHolders) bool { return len(v.Holders) > 0 })
}

// Who lists the subjects that may do something, in each unit.
func (s Scene) Who(r rbac.Request) Holders {
	h := Holders{Request: r}
	views := Views(s.World, rbac.Identity{}, s.Selected)
	for _, view := range views {
		holders, unknown := rbac.Who(view.Unit, r)
		v := ViewHolders{View: view}
		for _, holder := range holders {
			v.Holders = append(v.Holders, newGrant(holder.Binding, holder.Rule))
		}
		h.Views = append(h.Views, v)
		h.Doubts = append(h.Doubts, unknownHolders(view.Unit, unknown)...)
	}
	h.Doubts = append(h.Doubts, s.NotRead(unitsIn(views))...)
	return h
}

// unknownHolders says once for each role, or binding, why it is not known who holds it.
func unknownHolders(unit *inventory.Unit, unknown []rbac.Binding) []Doubt {
	var doubts []Doubt
	granted := map[rbac.RoleRef][]rbac.Binding{}
	var roles []rbac.RoleRef
	for _, b := range unknown {
		if _, known, partial := rbac.RoleRulesOf(unit, b.Role, b.Object); known && !partial {
			doubts = append(doubts, Doubt{Position: b.Object.Position(nil), Message: BindingName(b) + " would allow it, and " + uncertainty(b)})
			continue
		}
		if granted[b.Role] == nil {
			roles = append(roles, b.Role)
		}
		granted[b.Role] = append(granted[b.Role], b)
	}
	for _, ref := range roles {
		bindings := granted[ref]
		message := "roles outside of the repository may add to " + RoleName(ref)
		if _, known, _ := rbac.RoleRulesOf(unit, ref, bindings[0].Object); !known {
			message = unknownRole(ref, bindings)
		}
		doubt, malformed := malformedRole(ref, bindings)
		if !malformed {
			doubt = aboutRole(ref, bindings, message)
		}
		if more := len(distinctObjects(bindings)) - 1; more > 0 {
			doubt.Message += ", as " + count(more, "more binding does", "more bindings do")
		}
		doubts = append(doubts, doubt)
	}
	return doubts
}

func distinctObjects(bindings []rbac.Binding) map[*inventory.Object]bool {
	objects := map[*inventory.Object]bool{}
	for _, b := range bindings {
		objects[b.Object] = true
	}
	return objects
}
