package fixers

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/olm"
	"github.com/salint/salint/internal/rbac"
	"github.com/salint/salint/internal/repo"
)

// removeServiceAccount deletes the field from an extension, and where OLM goes on as the synthetic identity, first grants
// that what the account held.
func removeServiceAccount(c *Context, r Request) (*Plan, error) {
	e, err := c.extension(r.Object)
	if err != nil {
		return nil, err
	}
	if e.Account.State == olm.Absent {
		return nil, refuse("the extension names no account")
	}
	p := &Plan{Object: r.Object}
	switch c.model(e) {
	case olm.Required:
		return c.keepAccount(e, r)
	case olm.Synthetic:
		err = c.switchToUser(p, e)
	default:
		p.Description = "Remove " + e.Account.Path.String() + ": OLM acts as its own account"
	}
	if err != nil {
		return nil, err
	}
	for _, account := range append([]olm.Account{e.Account}, e.Others...) {
		if account.State != olm.Absent {
			p.remove(r.Object, account.Path, repo.OrderOther)
		}
	}
	return p, nil
}

// keepAccount answers for an extension that some unit requires an account of. An empty field is filled in there.
func (c *Context) keepAccount(e *extension, r Request) (*Plan, error) {
	unit := c.with(e, olm.Required)
	target := c.Target(unit, e.object).Name
	switch {
	case e.Account.Name == olm.Placeholder:
		return nil, refuse("%s (target %s) requires an account, and its name cannot be changed on a live object: "+
			"the extension would have to be created anew, and deleting it deletes its CRDs and with them every custom resource. "+
			"Keep the field until %s follows another release", unitName(unit), target, unitName(unit))
	case e.Account.State == olm.Null, e.Account.State == olm.Empty, e.Account.State == olm.EmptyName:
		return addServiceAccount(c, r)
	}
	return nil, refuse("%s (target %s) requires the field, and %s is applied there: "+
		"keep it in the shared file, and remove it by a patch where it is no longer wanted", unitName(unit), target, e.object.File)
}

// switchToUser prepares the removal of the field where OLM impersonates the synthetic identity without it.
func (c *Context) switchToUser(p *Plan, e *extension) error {
	if err := c.checkGate(e); err != nil {
		return err
	}
	switch e.Account.State {
	case olm.Null, olm.Empty, olm.EmptyName:
		p.Description = "Remove the empty " + e.Account.Path.String()
		return nil
	case olm.Malformed:
		return refuse("what stands in %s is no account, so it is not known what the extension could do: correct it first", e.Account.Path)
	}
	if err := e.checkName(); err != nil {
		return err
	}
	if e.Account.Name == olm.Placeholder {
		return c.dropPlaceholder(p, e)
	}
	h, err := c.fromAccount(e)
	if err != nil {
		return err
	}
	return c.grant(p, e, h)
}

// dropPlaceholder removes the name that meant the synthetic identity all along: the same bindings go on holding.
func (c *Context) dropPlaceholder(p *Plan, e *extension) error {
	for _, unit := range c.honouring(e) {
		if len(holds(unit, e, e.user()).certain().grants) == 0 {
			return refuse("nothing in %s is bound to %s or %s, so it is not known what the extension can do: "+
				"bind its roles first", unitName(unit), subjectName(e.user()), subjectName(groupSubject()))
		}
	}
	p.Description = "Remove " + e.Account.Path.String() + ", which names the synthetic identity: OLM goes on as that"
	return nil
}

// fromAccount hands over from the account to the synthetic user.
func (c *Context) fromAccount(e *extension) (handover, error) {
	if err := c.checkOnly(e); err != nil {
		return handover{}, err
	}
	if c.Grant.chosen() {
		return c.handOver(e, e.account(), e.user())
	}
	switch {
	case e.Account.State == olm.Templated, templated(e.Namespace):
		return handover{}, refuse("%s is only known when names are filled in, so what it holds is not known here: "+
			"say what to grant by --grant role=NAME, or bind it by hand", subjectName(e.account()))
	case e.Namespace == "":
		return handover{}, refuse("the extension does not say which namespace it is installed in, so %s may be any of that name: "+
			"write the namespace down", subjectName(e.account()))
	}
	h, err := c.handOver(e, e.account(), e.user())
	if err != nil {
		return h, err
	}
	for _, unit := range c.honouring(e) {
		if len(holds(unit, e, e.account()).grants) == 0 {
			return h, refuse("no binding of %s is applied by %s, so what it holds is not known%s: add its bindings there, "+
				"or say what to grant by --grant role=NAME", subjectName(e.account()), unitName(unit), c.boundElsewhere(e))
		}
	}
	return h, nil
}

// boundElsewhere points at a binding of the account that another unit applies. Nothing says that the units go to the
// same cluster.
func (c *Context) boundElsewhere(e *extension) string {
	for _, unit := range c.Units {
		if slices.Contains(e.units, unit) {
			continue
		}
		for _, b := range rbac.BindingsOf(unit, nil, e.account()) {
			if b.Via == "" && !b.Uncertain {
				return fmt.Sprintf(" (the one at %s is applied by %s)", b.Object.Position(nil), unitName(unit))
			}
		}
	}
	return ""
}

// grant generates the bindings of a handover to the synthetic user, and declares what changes.
func (c *Context) grant(p *Plan, e *extension, h handover) error {
	subject := h.to
	if c.Grant.Mode == GroupGrant {
		subject = groupSubject()
		p.note("every extension without a service account is granted the same")
	}
	p.Switches = append(p.Switches, Switch{Extension: e.object, From: h.from, To: h.to, Lost: h.lost, Gained: h.gained})
	for _, g := range h.missing {
		p.Gains = append(p.Gains, GrantChange{Subject: subject, Grant: g})
	}
	p.Description = "Remove " + e.Account.Path.String() + c.grantedFirst(h, subject)
	if len(h.lost) > 0 {
		p.note("%s held %s as well, which --grant %s does not carry over", subjectName(h.from), grantNames(h.lost), c.Grant)
	}
	p.Notes = append(p.Notes, h.notes...)
	c.checkRole(p)
	return c.emit(p, e, c.bindings(e, h, subject), syntheticFile)
}

func (c *Context) grantedFirst(h handover, to rbac.Subject) string {
	switch {
	case len(h.missing) == 0 && c.Grant.Mode == RoleGrant:
		return "; " + subjectName(to) + " already holds ClusterRole " + c.Grant.Role
	case len(h.missing) == 0 && c.Grant.Mode == LeastPrivilege:
		return "; " + subjectName(to) + " already holds what the bundle needs"
	case len(h.missing) == 0:
		return "; the synthetic identity already holds what the account does"
	case c.Grant.Mode == RoleGrant:
		return ", and first grant " + subjectName(to) + " " + grantNames(h.missing)
	case c.Grant.Mode == LeastPrivilege:
		return ", and first grant " + subjectName(to) + " " + scopesText(h.roles)
	}
	return ", and first grant " + subjectName(to) + " what the account holds: " + grantNames(h.missing)
}
