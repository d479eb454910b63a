package fixers

import "github.com/salint/salint/internal/kube/olm"

// templateFixers are the fixes of objects that a template of a chart was rendered to. One edit of a template reaches all
// that comes of it: other elements of a range, other sets of values, other charts. Those fixes that are not here are left
// to the user.
var templateFixers = map[string]fixer{
	RemoveServiceAccount:  removeFromTemplate,
	BindSyntheticIdentity: bindInTemplate,
	RenameAccountAlias:    replaceAliasInTemplate,
	DropAccountAlias:      replaceAliasInTemplate,
}

// byHand says what to do about an object of a chart where salint does not.
var byHand = map[string]string{
	AddServiceAccount:   "write the account, its bindings and the field into the chart by hand",
	CorrectSubject:      "correct the subject in the template by hand",
	PruneBinding:        "remove it from the template by hand",
	PruneInstaller:      "remove it from the template by hand",
	GrantFinalizers:     "write the rule into the chart by hand",
	GrantBundle:         "write the rules into the chart by hand",
	ReplaceClusterAdmin: "write the role and its binding into the chart by hand",
	AlignApplyOrder:     "give it the sync wave and hook of its extension in the template by hand",
	ProjectToken:        "write the projected volume into the template by hand",
	CompleteSubject:     "complete the subject in the template by hand",
	UnmountToken:        "write automountServiceAccountToken into the template by hand",
	SetTokenExpiry:      "set the date in the template, or in the values that it takes it from, by hand",
}

// fixTemplate is Fix for an object that has no file of its own.
func fixTemplate(c *Context, r Request) (*Plan, error) {
	if fix := templateFixers[r.Fixer]; fix != nil {
		return fix(c, r)
	}
	return nil, refuseTemplate(r.Object, r.Path, byHand[r.Fixer])
}

// removeFromTemplate deletes the field from the lines of a template that write it, and where OLM goes on as the synthetic
// identity, first grants that what the account held, by a template of the same chart.
func removeFromTemplate(c *Context, r Request) (*Plan, error) {
	return stateOf(c).removed.get(c, r.Object, extensionsWrittenWith, templateRemoval)
}

// templateRemoval makes the plan for the extensions that come of some lines.
func templateRemoval(c *Context, g *reachedExtensions) (*Plan, error) {
	if g.removals == nil {
		return nil, refuse("the extension names no account")
	}
	if err := checkLines(c, g); err != nil {
		return nil, err
	}
	first := g.members[0]
	p := &Plan{Object: first.object, Description: "Remove " + first.Account.Path.String() + ": OLM acts as its own account"}
	switch g.strictestModel(c) {
	case olm.Required:
		return nil, keepInTemplate(c, g)
	case olm.Synthetic:
		if err := migrateInTemplate(c, p, g); err != nil {
			return nil, err
		}
	}
	for _, lines := range g.lines {
		change, err := withoutLines(c, lines)
		if err != nil {
			return nil, err
		}
		p.Texts = append(p.Texts, change)
		if err := editOriginalChart(c, p, change); err != nil {
			return nil, err
		}
	}
	for _, r := range g.removals {
		p.Applied = append(p.Applied, AppliedChange{Unit: r.member.unit, Object: r.member.object, Op: RemoveValue, Path: r.path})
	}
	noteUnused(c, p, g)
	return p, nil
}

// strictestModel is the strictest of all units that render the lines: the template is one for all of them.
func (g *reachedExtensions) strictestModel(c *Context) olm.Model {
	for _, model := range []olm.Model{olm.Required, olm.Synthetic, olm.Ignored} {
		if g.memberWithModel(c, model) != nil {
			return model
		}
	}
	return olm.Removed
}

func (g *reachedExtensions) memberWithModel(c *Context, model olm.Model) *renderedExtension {
	for _, m := range g.members {
		if c.Lookups.Target(m.unit, m.object).Model == model {
			return m
		}
	}
	return nil
}

func keepInTemplate(c *Context, g *reachedExtensions) error {
	m := g.memberWithModel(c, olm.Required)
	at := m.object.Position(m.Account.Path)
	switch m.Account.State {
	case olm.Null, olm.Empty, olm.EmptyName:
		return refuse("%s (target %s) requires an account, and the template writes none at %s: name one there or in the values by hand",
			m.unit, c.Lookups.Target(m.unit, m.object).Name, at)
	}
	return refuse("%s (target %s) requires the field, and the template writes it at %s for all sets of values: keep it, "+
		"or put it there into an `if` of a value that tells the releases apart", m.unit, c.Lookups.Target(m.unit, m.object).Name, at)
}
