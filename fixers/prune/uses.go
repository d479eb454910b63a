package prune

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// usedObject is an object as a unit applies it whose uses are looked for. The account is set if the object is one.
type usedObject struct {
	object  *objects.Object
	account objects.Account
}

// namedAt is a mention of one of the names of an object.
type namedAt struct {
	uses.Place
	name string
}

// mayBeNamed reports whether a mention may refer to the object, judging by the place of the mention.
func (u usedObject) mayBeNamed(m namedAt) bool {
	if u.account == (objects.Account{}) {
		return m.CanNameOther()
	}
	return m.CanName(objects.Account{Namespace: u.account.Namespace, Name: m.name})
}

// mentionsOf returns the mentions of an object, by every name that can stand for it in files.
func (p *Pruner) mentionsOf(o *objects.Object) []namedAt {
	if found, known := p.named[o]; known {
		return found
	}
	var all []namedAt
	source := o.Source()
	for _, name := range p.c.Repo.NamesInFiles(o) {
		own := name == o.Name || source != nil && name == source.Name
		for _, m := range p.mentions[name] {
			// Another name becomes this one only in what a kustomization applies, and never in a script.
			if own || m.Kind != "" {
				all = append(all, namedAt{m, name})
			}
		}
	}
	p.named[o] = all
	return all
}

func (p *Pruner) firstUse(u usedObject) (uses.Place, bool) {
	for _, m := range p.mentionsOf(u.object) {
		if !p.isNoUse(u, m) && !p.c.Repo.MeansNamesake(u.object, m.File) {
			return m.Place, true
		}
	}
	return p.renderedUse(u)
}

// isNoUse reports whether a mention is no reason to keep an object: the mention is removed too, or refers to something else.
func (p *Pruner) isNoUse(u usedObject, m namedAt) bool {
	if p.removed.covers(m.Place) || p.isChartValue(u, m.Place) {
		return true
	}
	if p.removed.object(m.Ref) || p.removed.patch(m.Place) || !u.mayBeNamed(m) ||
		uses.IsPatchedAway(m.Place, p.c.Repo.UnitsOf(m.File), m.name) {
		return true
	}
	if _, gone := p.removed.subject(m.Ref, m.Path); gone {
		return true
	}
	if plan := p.fieldRemovals[m.Ref]; plan != nil && removesMention(plan, m.Place) || p.removerOf(m.name, m.Place) != nil {
		return true
	}
	forms, asWritten := uses.FormsOf(p.c.Repo, m.Place)
	if len(forms) == 0 {
		return uses.IsListed(p.c.Repo, m.Place) || subjects.IsBinding(u.object) && m.Ref == ""
	}
	if asWritten {
		return p.meansSomethingElse(u, forms[0], m, p.c.Repo.IsTransformed(m.File))
	}
	return !slices.ContainsFunc(forms, func(form *objects.Object) bool {
		if p.isBrokenReference(u, form, m) {
			return true
		}
		return !p.namesAnother(u, form, m.Path) && !p.meansSomethingElse(u, form, m, false)
	})
}

// namesAnother reports whether the field of an applied object that names something does not name this object: a kustomization that
// changes a name changes the references to it as well.
func (p *Pruner) namesAnother(u usedObject, o *objects.Object, path manifest.Path) bool {
	value := o.Node.Lookup(path)
	text := value.String()
	return value.IsScalar() && text != "" && !rbac.Templated(text) && !strings.Contains(text, u.object.Name) &&
		!strings.Contains(path[len(path)-1], u.object.Name)
}

// isBrokenReference reports whether an extension names an account as its manifest has it, although the unit applies the account with
// another name: kustomize does not change that field. The account is what was meant.
func (p *Pruner) isBrokenReference(u usedObject, o *objects.Object, m namedAt) bool {
	named, state := extensionAccount(o)
	source := u.object.Source()
	if o.Kind != olm.ClusterExtensionKind || state != olm.Named || source == nil || source.Name == u.object.Name ||
		named.Name != source.Name || named.Name != m.name || !objects.SameNamespace(named.Namespace, u.account.Namespace) {
		return false
	}
	unit := p.c.Repo.UnitThatHas(u.object)
	return unit != nil && unit.Object(o.Ref()) == o && u.account != (objects.Account{})
}

// removesMention reports whether a plan removes the place of a mention.
func removesMention(p *engine.Plan, m uses.Place) bool {
	at := p.Object.At(m.Path)
	return slices.ContainsFunc(p.Changes, func(c engine.Change) bool {
		return c.Op == engine.RemoveValue && c.File == m.File && len(c.Path) <= len(at) && slices.Equal(c.Path, at[:len(c.Path)])
	})
}

// meansSomethingElse reports whether a field with the name of an object cannot refer to that object. A field that is not
// known to refer to something else counts as a use. With anyNamespace, the object is as written and a unit may apply it with
// another name and namespace.
func (p *Pruner) meansSomethingElse(u usedObject, o *objects.Object, m namedAt, anyNamespace bool) bool {
	path := m.Path
	if subjects.IsBinding(u.object) {
		return !refersByKind(o, path, u.object.Kind)
	}
	for _, ref := range o.References() {
		if slices.Equal(ref.Path, path) {
			return u.account == (objects.Account{}) || !mayMean(ref.Account, u.account, m.name, anyNamespace)
		}
	}
	switch last := path[len(path)-1]; {
	case path.String() == "metadata.name", last == "namespace", last == "packageName":
		return true
	case slices.Contains(path, "labels") || slices.Contains(path, "matchLabels"):
		return true
	case path[0] == "roleRef":
		return u.object.Group != rbac.Group || o.Node.Lookup(manifest.Path{"roleRef", "kind"}).String() != u.object.Kind
	}
	return false
}

// mayMean reports whether a reference may mean an account that has a name in files.
func mayMean(written, account objects.Account, name string, anyNamespace bool) bool {
	if anyNamespace {
		written.Namespace = ""
		if written.Name == name {
			written.Name = account.Name
		}
	}
	return engine.MayMatch(written, account)
}

// refersByKind reports whether a field is the name in a reference to an object of a kind, as in Flux's healthChecks.
func refersByKind(o *objects.Object, path manifest.Path, kind string) bool {
	return len(path) > 1 && path[len(path)-1] == "name" &&
		o.Node.Lookup(path[:len(path)-1]).Get("kind").String() == kind
}
