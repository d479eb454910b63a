package engine

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// UnreadPart returns which part of a unit is not in the repository or could not be read, so that uses and bindings of an
// account there are unknown; "" if all of the unit was read.
func (r *Repository) UnreadPart(u *objects.Unit) string {
	if why, known := r.unreadParts[u]; known {
		return why
	}
	if r.unreadParts == nil {
		r.unreadParts = map[*objects.Unit]string{}
	}
	r.unreadParts[u] = r.findUnreadPart(u)
	return r.unreadParts[u]
}

func (r *Repository) findUnreadPart(u *objects.Unit) string {
	if len(u.Remotes) > 0 {
		remote := u.Remotes[0]
		return fmt.Sprintf("%s fetches %s (%s)", u, remote.Value, remote.Position)
	}
	if len(u.Problems) > 0 {
		return fmt.Sprintf("not everything that %s applies was read (%s: %s)", u, u.Problems[0].Position, u.Problems[0].Message)
	}
	for _, k := range u.Kustomizations {
		for _, entry := range k.Resources {
			if why := r.invalidYAML(entry.Target); why != "" {
				return fmt.Sprintf("%s applies %s (%s), %s", u, entry.Target, entry.Position, why)
			}
		}
	}
	return ""
}

// invalidYAML returns why a listed file cannot be read as manifests; "" if it can, and for folders.
func (r *Repository) invalidYAML(target string) string {
	if !strings.Contains(target, ".") || strings.HasPrefix(target, "..") {
		return ""
	}
	r.indexed.Do(r.index)
	file := r.files[target]
	if file == nil {
		data, err := r.Read(target)
		if err != nil {
			return "" // a folder; a missing file is among the problems of the unit
		}
		file = manifest.Scan(target, data)
	}
	for _, doc := range file.Docs {
		if err := doc.Parse(); err != nil {
			return "which is not valid YAML: " + err.Error()
		}
	}
	return ""
}

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
	if c.Lookups.Unrenderable == nil {
		return nil
	}
	if place, why := c.Lookups.Unrenderable(o.File); place != "" {
		return Refuse("%s stays: it may also be applied in a form that salint cannot render (%s: %s)", NameOf(o), place, why)
	}
	return nil
}

// UnknownUsers returns why the users of a role are unknown; "" if they are known.
func (c *Context) UnknownUsers(role *objects.Object) string {
	if err := c.CheckEditable(role); err != nil {
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
	return c.Repo.PossibleRename(role)
}

// PossibleRename returns which kustomization may turn another name into the name of an object, by its prefix or suffix:
// references to the other name then mean this object. It is "" if there is none.
func (r *Repository) PossibleRename(o *objects.Object) string {
	for _, unit := range r.Units {
		prefix, suffix, place := affixes(unit)
		if prefix+suffix == "" || len(o.Name) <= len(prefix)+len(suffix) {
			continue
		}
		if strings.HasPrefix(o.Name, prefix) && strings.HasSuffix(o.Name, suffix) {
			return fmt.Sprintf("%s may give another object this name (%s)", unit, place)
		}
	}
	return ""
}

// affixes returns what the kustomizations of a unit put before and after names. The root comes first; the affixes of nested
// kustomizations are inside.
func affixes(u *objects.Unit) (prefix, suffix string, place objects.Transform) {
	for _, t := range u.Transforms {
		switch t.Field {
		case "namePrefix":
			prefix, place = prefix+t.Value, t
		case "nameSuffix":
			suffix, place = t.Value+suffix, t
		}
	}
	return prefix, suffix, place
}
