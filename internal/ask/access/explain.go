package access

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Views returns the views of the selected units in which anything is granted, for questions about all identities.
func (s Scene) Views() []View { return s.views(s.units(), rbac.Identity{}) }

// DoubtsAbout returns the doubts of a view about bindings that could add to an answer, because it is unknown whether they apply, or
// what their roles allow. Those with a role that only another unit has are left out.
func DoubtsAbout(view View, bindings []rbac.Binding) []Doubt {
	unknown := slices.DeleteFunc(slices.Clone(bindings), func(b rbac.Binding) bool {
		_, known, _ := rbac.RoleRulesOf(view.Unit, b.Role, b.Object)
		return !known && len(view.notFound([]rbac.RoleRef{b.Role}, []rbac.Binding{b})) == 0
	})
	return in(view.Unit, unknownHolders(view.Unit, unknown))
}

// Possible returns the unit with the roles of others that the bindings of the view grant, if one cluster gets both, which is unknown; nil if there are
// none.
func (v View) Possible() *objects.Unit { return v.possible }

// PossibleBinding returns a doubt about a binding of the view to a role of another unit; ok is false for other bindings.
func (v View) PossibleBinding(g Grant, does string) (d Doubt, ok bool) {
	if g.Binding.Object == nil || !v.isOther(g.Binding, g.Giver) {
		return Doubt{}, false
	}
	d = possibleDoubt(g.Binding, does)
	d.unit = v.Unit
	return d, true
}

// JoinedWithUnread merges lists of doubts, and adds those about files that were not read, and about API servers that ignore roles.
func (s Scene) JoinedWithUnread(lists ...[]Doubt) []Doubt {
	return joined(append(lists, s.NotRead(s.units()), s.general())...)
}

// GrantText returns which binding grants which role to which subject, with its place.
func (p Printer) GrantText(g Grant) string { return p.grant(g) }

// RuleText returns a rule with its place.
func (p Printer) RuleText(g Grant) string { return p.rule(g) }

// GrantJSON returns a grant in the form that all answers in JSON have.
func (p Printer) GrantJSON(g Grant) *GrantAsJSON { return p.grantJSON(g) }

// GrantAsJSON and DoubtAsJSON are the forms of a grant and of a doubt in all answers.
type (
	GrantAsJSON = jsonGrant
	DoubtAsJSON = jsonDoubt
)

// DoubtsJSON returns doubts in the form that all answers in JSON have.
func (p Printer) DoubtsJSON(doubts []Doubt) []DoubtAsJSON { return p.doubtsJSON(doubts) }

// Doubts returns doubts as lines under a title; "" if there are none.
func (p Printer) Doubts(doubts []Doubt, title string) string {
	var b strings.Builder
	p.doubts(&b, doubts, title)
	return b.String()
}

// ViewName returns View.Name with paths relative to the working directory.
func (p Printer) ViewName(v View) string { return p.viewName(v) }
