package prune

import (
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Binding removes the subjects of a binding that name unused synthetic identities: the subject of the request, or all of
// them. A binding without other subjects is removed.
func Binding(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	if err := subjects.CheckBinding(r.Object); err != nil {
		return nil, err
	}
	forms := c.Repo.AppliedForms(r.Object)
	if len(forms) == 0 {
		return nil, engine.RefuseUnapplied(r.Object, "remove it by hand")
	}
	if err := c.CheckRemovable(r.Object); err != nil {
		return nil, err
	}
	if err := c.CheckEditable(r.Object, manifest.Path{"subjects"}); err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object}
	indexes := syntheticSubjects(r)
	if err := subjects.CheckOthersActivated(r.Object, indexes...); err != nil {
		return nil, err
	}
	for _, i := range indexes {
		for _, form := range forms {
			if err := checkIdentityUnused(c, form.Unit, form.Object, i); err != nil {
				return nil, err
			}
			if b, ok := subjects.Grant(form.Unit, form.Object, i); ok {
				p.Losses = append(p.Losses, subjects.GrantChange(b, engine.Pruned))
			}
		}
	}
	switch len(indexes) {
	case 0:
		return nil, engine.Refuse("%s %s names no synthetic identity", r.Object.Kind, r.Object.Name)
	case subjects.Count(r.Object):
		p.Description = "Remove " + engine.NameOf(r.Object).String()
	default:
		p.Description = "Remove " + subjectList(r.Object, indexes) + " from " + engine.NameOf(r.Object).String()
	}
	subjects.Remove(p, r.Object, indexes, commit.OrderRemoval)
	c.DeclareBuiltChanges(p)
	return p, nil
}

// syntheticSubjects returns the subjects that the request is about.
func syntheticSubjects(r engine.Request) []int {
	if i := subjects.Index(r.Path); i >= 0 && isSynthetic(subjects.Read(r.Object, i)) {
		return []int{i}
	}
	var indexes []int
	for i := range subjects.Count(r.Object) {
		if isSynthetic(subjects.Read(r.Object, i)) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

func isSynthetic(s rbac.Subject) bool {
	return s == engine.GroupSubject() || s.Kind == rbac.KindUser && strings.HasPrefix(s.Name, olm.User(""))
}

// checkIdentityUnused refuses to remove the grant of an identity as which OLM acts or may act: that of an extension of the
// unit, if identities count for it.
func checkIdentityUnused(c *engine.Context, u *objects.Unit, binding *objects.Object, index int) error {
	subject := subjects.Read(binding, index)
	group := olm.APIGroup
	for _, o := range u.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
		if model := c.Lookups.Target(u, o).Model; model == olm.Ignored || model == olm.Removed {
			continue
		}
		if subject == engine.GroupSubject() || subject.Name == olm.User(o.Name) || rbac.Templated(o.Name) {
			return engine.Refuse("%s of %s may belong to ClusterExtension %s at %s, which %s applies: remove it by hand if "+
				"it does not",
				engine.SubjectName(subject), binding.Name, o.Name, o.Position(nil), u)
		}
	}
	return nil
}

func subjectList(binding *objects.Object, indexes []int) string {
	var names []string
	for _, i := range indexes {
		names = append(names, engine.SubjectName(subjects.Read(binding, i)))
	}
	return strings.Join(names, ", ")
}
