package fixers

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// alignApplyOrder gives a generated binding the sync wave and the hook of its extension, so that the grant is there when
// the extension comes. Objects of others are left alone.
func alignApplyOrder(c *Context, r Request) (*Plan, error) {
	o := r.Object
	if !isGenerated(o) || !isBinding(o) {
		return nil, refuse("%s was not made by salint: give it the sync wave and hook of its extension by hand", identityOf(o))
	}
	if err := c.checkEditable(o); err != nil {
		return nil, err
	}
	e, err := ownerOf(c, o)
	if err != nil {
		return nil, err
	}
	p := &Plan{Object: o, Description: "Apply " + identityOf(o).String() + " together with " + e.Kind + " " + e.Name}
	setOrder(p, o, generate.OrderAnnotations(e))
	if len(p.Changes) == 0 {
		return nil, refuse("%s has the sync wave and the hook of its extension already", identityOf(o))
	}
	c.Repo.declareBuiltChanges(p)
	return p, nil
}

// ownerOf finds the extension that a generated binding was made for, in all units that apply the binding.
func ownerOf(c *Context, binding *objects.Object) (*objects.Object, error) {
	subject := readSubject(binding, 0)
	var owner *objects.Object
	for _, unit := range c.Repo.unitsWith(binding) {
		for _, o := range actingExtensions(unit, binding, subject) {
			owned, tie := unit.Owns(o, unit.Namesakes(o), binding)
			if !owned {
				continue
			}
			if len(tie) > 0 || owner != nil && owner != o {
				return nil, refuse("%s may belong to more than one extension: give it its sync wave and hook by hand", identityOf(binding))
			}
			owner = o
		}
	}
	if owner == nil {
		return nil, refuse("no extension that %s could belong to is applied with it", identityOf(binding))
	}
	return owner, nil
}

// actingExtensions lists the extensions that act as the subject of a generated binding; where that is the group of all
// extensions, the one beside whose file the binding was put.
func actingExtensions(u *objects.Unit, binding *objects.Object, s rbac.Subject) []*objects.Object {
	group := extensionGroup
	var bound []*objects.Object
	for _, o := range u.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
		read, ok := olm.ReadExtension(o.Node)
		if !ok {
			continue
		}
		e := &variant{Extension: read, object: o}
		beside := s == groupSubject() && binding.File == generatedFile(e, syntheticFile)
		if beside || s == e.userSubject() || e.Account.State == olm.Named && s == e.accountSubject() {
			bound = append(bound, o)
		}
	}
	return bound
}

// setOrder makes the annotations that order the applying of an object those that are wanted.
func setOrder(p *Plan, o *objects.Object, want map[string]string) {
	annotations := manifest.Path{"metadata", "annotations"}
	have := o.Node.Lookup(annotations)
	if !have.IsMapping() {
		all := map[string]any{}
		for key, value := range want {
			all[key] = value
		}
		op := AddField
		if have != nil {
			op = ReplaceField
		}
		if len(all) > 0 {
			p.addChange(o, Change{Op: op, Path: o.At(annotations), Value: all, Order: repo.OrderOther})
		}
		return
	}
	for _, key := range generate.OrderKeys {
		path := o.At(annotations.Join(key))
		_, there := have.Field(manifest.Path{key})
		value, wanted := want[key]
		switch {
		case there && !wanted:
			p.addChange(o, Change{Op: RemoveValue, Path: path, Order: repo.OrderOther})
		case there && have.Get(key).String() != value:
			p.addChange(o, Change{Op: SetText, Path: path, Value: value, Order: repo.OrderOther})
		case !there && wanted:
			p.addChange(o, Change{Op: AddField, Path: path, Value: value, Order: repo.OrderOther})
		}
	}
}
