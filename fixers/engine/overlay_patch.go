package engine

import (
	"strconv"

	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/objects"
)

// RootKustomization returns the kustomization at the root of a unit, for a change of an object in this unit only. It refuses if
// other units are built from it too.
func (c *Context) RootKustomization(o applied.Form) (*objects.Kustomization, error) {
	u := o.Unit
	if len(u.Kustomizations) == 0 {
		return nil, Refuse("%s applies %s under another name or differently from other units, and has no "+
			"kustomization in the repository for a separate change: add one to its folder, or change it by hand", u, o.Object.Position(nil))
	}
	root := u.Kustomizations[0]
	for _, other := range c.Repo.UnitsBuiltFrom(root) {
		if other != u {
			return nil, Refuse("%s is built from %s, and so is %s, so a change for only one of them cannot be written "+
				"there: give each a separate kustomization", u, root.Path, other)
		}
	}
	return root, nil
}

// AppendPatch adds a strategic merge patch of an object to a kustomization. A JSON patch that removes a field, and a patch without a
// target, fail once the base no longer has the field or the object. The target has the name in the file: kustomize finds an object
// under each of its former names.
func (p *Plan) AppendPatch(root *objects.Kustomization, source *objects.Object, patch string) {
	if fields, legacy := root.Doc.Root, "patchesStrategicMerge"; fields.Get("patches") == nil && fields.Get(legacy) != nil {
		p.AppendToKustomization(root, legacy, patch, commit.OrderOther)
		return
	}
	target := map[string]any{"kind": source.Kind, "name": source.Name}
	if source.Group != "" {
		target["group"] = source.Group
	}
	if source.Namespace != "" {
		target["namespace"] = source.Namespace
	}
	p.AppendToKustomization(root, "patches", map[string]any{"target": target, "patch": patch}, commit.OrderOther)
}

// RemoveByPatch adds a patch that removes an object from what a unit applies. The file of the object stays as it is for other units.
func (c *Context) RemoveByPatch(p *Plan, o applied.Form) error {
	root, err := c.RootKustomization(o)
	if err != nil {
		return err
	}
	source := o.Object.Source()
	text := "$patch: delete\napiVersion: " + source.APIVersion + "\nkind: " + source.Kind + "\nmetadata:\n  name: " + plainOrQuoted(source.Name)
	if source.Namespace != "" {
		text += "\n  namespace: " + plainOrQuoted(source.Namespace)
	}
	p.AppendPatch(root, source, text)
	if MayBeBuilt(o.Unit) {
		p.Applied = append(p.Applied, AppliedChange{Unit: o.Unit, Object: o.Object, Op: RemoveDocument})
	}
	return nil
}

// plainName matches names that YAML reads as text without quotes.
var plainName = lazyregexp.New(`^[a-z][a-z0-9.:-]*[a-z0-9]$`)

// plainOrQuoted returns a name as YAML.
func plainOrQuoted(name string) string {
	switch name {
	case "true", "false", "null", "yes", "no", "on", "off":
	default:
		if plainName().MatchString(name) {
			return name
		}
	}
	return strconv.Quote(name)
}
