package engine

import (
	"github.com/salint/salint/internal/kube/objects"
)

// CheckFullyRead refuses to remove an object from a unit that was not fully read: the rest may use the object.
func (c *Context) CheckFullyRead(o *objects.Object) error {
	if err := c.checkRenderable(o); err != nil {
		return err
	}
	for _, unit := range c.Repo.UnitsWith(o) {
		if why := c.Repo.UnreadPart(unit); why != "" {
			return Refuse("%s stays: %s, so other uses of it are unknown", NameOf(o), why)
		}
	}
	return nil
}

// checkRenderable refuses to remove an object that may be applied in a form that salint cannot render.
func (c *Context) checkRenderable(o *objects.Object) error {
	if place, why := c.Lookups.Unrenderable(o.File); place != "" {
		return Refuse("%s stays: it may also be applied in a form that salint cannot render (%s: %s)", NameOf(o), place, why)
	}
	return nil
}

// UnknownUsers returns why the users of a role are unknown; "" if they are known.
func (c *Context) UnknownUsers(role *objects.Object) string {
	if err := c.CheckRemovable(role); err != nil {
		return err.Error()
	}
	if err := c.checkRenderable(role); err != nil {
		return err.Error()
	}
	for _, unit := range c.Repo.UnitsWith(role) {
		if why := c.Repo.UnreadPart(unit); why != "" {
			return why + ", so other subjects of it are unknown"
		}
	}
	return ""
}
