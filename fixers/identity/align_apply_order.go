package identity

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// AlignApplyOrder gives a generated binding the sync wave and the hook of its extension, so that the grant exists when the
// extension is applied. It leaves alone what salint did not generate.
func AlignApplyOrder(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	o := r.Object
	if !isGenerated(o) || !subjects.IsBinding(o) {
		return nil, engine.Refuse("salint did not generate %s: give it the sync wave and the hook of its extension by hand", engine.NameOf(o))
	}
	if err := c.CheckEditable(o); err != nil {
		return nil, err
	}
	e, err := ownerOf(c, o)
	if err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: o, Description: "Apply " + engine.NameOf(o).String() + " together with " + e.Kind + " " + e.Name}
	setOrder(p, o, generate.OrderAnnotations(e))
	if len(p.Changes) == 0 {
		return nil, engine.Refuse("%s already has the sync wave and the hook of its extension", engine.NameOf(o))
	}
	c.DeclareBuiltChanges(p)
	return p, nil
}

// ownerOf finds the extension that a generated binding was made for, in all units that apply the binding.
func ownerOf(c *engine.Context, binding *objects.Object) (*objects.Object, error) {
	subject := subjects.Read(binding, 0)
	var owner *objects.Object
	for _, unit := range c.Repo.UnitsWith(binding) {
		for _, o := range actingExtensions(unit, binding, subject) {
			owned, tie := unit.Owns(o, unit.Namesakes(o), binding)
			if !owned {
				continue
			}
			if len(tie) > 0 || owner != nil && owner != o {
				return nil, engine.Refuse("%s may belong to more than one extension: give it the sync wave and the hook of "+
					"its extension by hand", engine.NameOf(binding))
			}
			owner = o
		}
	}
	if owner == nil {
		return nil, engine.Refuse("no extension that %s could belong to is applied with it", engine.NameOf(binding))
	}
	return owner, nil
}

// actingExtensions returns the extensions that act as the subject of a generated binding. If the subject is the group of all
// extensions, it returns the extension whose file the binding was put beside.
func actingExtensions(u *objects.Unit, binding *objects.Object, s rbac.Subject) []*objects.Object {
	index := u.Cached(actingKey{}, func() any { return indexActing(u) }).(actingIndex)
	if s == engine.GroupSubject() {
		return index.byFile[binding.File]
	}
	return index.bySubject[s]
}

type actingKey struct{}

// actingIndex are the extensions of a unit by the users and accounts that they act as, and by the file beside them in which bindings of
// their users are generated.
type actingIndex struct {
	bySubject map[rbac.Subject][]*objects.Object
	byFile    map[string][]*objects.Object
}

func indexActing(u *objects.Unit) actingIndex {
	index := actingIndex{map[rbac.Subject][]*objects.Object{}, map[string][]*objects.Object{}}
	group := olm.APIGroup
	for _, o := range u.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
		read, ok := olm.ReadExtension(o.Node)
		if !ok {
			continue
		}
		e := &Variant{Extension: read, Object: o}
		index.bySubject[e.UserSubject()] = append(index.bySubject[e.UserSubject()], o)
		if e.Account.State == olm.Named {
			index.bySubject[e.AccountSubject()] = append(index.bySubject[e.AccountSubject()], o)
		}
		file := GeneratedFile(e, SyntheticFile)
		index.byFile[file] = append(index.byFile[file], o)
	}
	return index
}

// setOrder sets the annotations that order the objects while they are applied.
func setOrder(p *engine.Plan, o *objects.Object, want map[string]string) {
	annotations := manifest.Path{"metadata", "annotations"}
	have := o.Node.Lookup(annotations)
	if !have.IsMapping() {
		all := map[string]any{}
		for key, value := range want {
			all[key] = value
		}
		op := engine.AddField
		if have != nil {
			op = engine.ReplaceField
		}
		if len(all) > 0 {
			p.AddChange(o, engine.Change{Op: op, Path: o.At(annotations), Value: all, Order: commit.OrderOther})
		}
		return
	}
	for _, key := range generate.OrderKeys {
		path := o.At(annotations.Join(key))
		_, there := have.Field(manifest.Path{key})
		value, wanted := want[key]
		switch {
		case there && !wanted:
			p.AddChange(o, engine.Change{Op: engine.RemoveValue, Path: path, Order: commit.OrderOther})
		case there && have.Get(key).String() != value:
			p.AddChange(o, engine.Change{Op: engine.SetText, Path: path, Value: value, Order: commit.OrderOther})
		case !there && wanted:
			p.AddChange(o, engine.Change{Op: engine.AddField, Path: path, Value: value, Order: commit.OrderOther})
		}
	}
}
