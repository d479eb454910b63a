package prune

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/helm"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// namedAt is a place with one of the names of an object.
type namedAt struct {
	uses.Place
	name string
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

func (p *Pruner) firstUse(u uses.Used) (uses.Place, bool) {
	for _, m := range p.mentionsOf(u.Object) {
		if !p.isNoUse(u, m) && !p.c.Repo.MeansNamesake(u.Object, m.File) {
			return m.Place, true
		}
	}
	return p.renderedUse(u, func(uses.Place) bool { return true })
}

// isOnlyFormer reports whether the file of an extension that is gone is the only one that uses an account, beside the bindings that would go with it.
func (p *Pruner) isOnlyFormer(cand *candidate) bool {
	file := p.c.Policy.FormerFiles[cand.object]
	if file == "" || p.c.CheckFullyRead(cand.object) != nil {
		return false
	}
	for _, form := range cand.forms {
		u := uses.Used{Object: form.Object, Account: form.account}
		counts := func(m uses.Place) bool {
			return m.File != file && m.Kind != rbac.KindServiceAccount && !strings.HasSuffix(m.Kind, "RoleBinding")
		}
		isOther := func(m namedAt) bool {
			return counts(m.Place) && !p.isNoUse(u, m) && !p.c.Repo.MeansNamesake(u.Object, m.File)
		}
		if _, used := p.renderedUse(u, counts); used || p.isNamedByExtension(form) || slices.ContainsFunc(p.mentionsOf(u.Object), isOther) {
			return false
		}
	}
	return !isRendered(cand.object) || helm.CheckUnrenderedUses(p.c, cand.unitObjects(), file) == nil
}

// isNamedByExtension reports whether a unit applies an extension that names an account. Among plain files, that is only one beside the account: nothing
// lists the file of an extension that a kustomization no longer does.
func (p *Pruner) isNamedByExtension(form accountForm) bool {
	group := olm.APIGroup
	return slices.ContainsFunc(p.c.Repo.Units, func(unit *objects.Unit) bool {
		if unit.Kind == objects.PlainUnit && unit != form.Unit {
			return false
		}
		return slices.ContainsFunc(unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}), func(o *objects.Object) bool {
			named, _ := extensionAccount(o)
			return named == form.account
		})
	})
}

// isNoUse reports whether a mention is no reason to keep an object: the mention is removed too, or refers to something else.
func (p *Pruner) isNoUse(u uses.Used, m namedAt) bool {
	if p.removed.covers(m.Place) || p.isChartValue(u, m.Place) {
		return true
	}
	if p.removed.object(m.Ref) || p.removed.patch(m.Place) || !u.MayBeAt(m.Place, m.name) ||
		m.IsPatchedAway(p.c.Repo.UnitsOf(m.File), m.name) {
		return true
	}
	if _, gone := p.removed.subject(m.Ref, m.Path); gone {
		return true
	}
	if plan := p.fieldRemovals[m.Ref]; plan != nil && removesMention(plan, m.Place) || p.removerOf(m.name, m.Place) != nil {
		return true
	}
	forms, asWritten := m.FormsIn(p.c.Repo)
	if len(forms) == 0 {
		return m.IsEntryIn(p.c.Repo) || u.IsBinding() && m.Ref == ""
	}
	if p.isApart(u, forms) {
		return true
	}
	if asWritten {
		return u.IsOtherAt(forms[0], m.Path, m.name, p.c.Repo.IsTransformed(m.File))
	}
	return !slices.ContainsFunc(forms, func(form *objects.Object) bool { return p.isUsedIn(form, u, m) })
}

// isApart reports whether what mentions an account are bindings that other clusters get: they bind the account of the name there. A unit of which
// the cluster is not known is not apart.
func (p *Pruner) isApart(u uses.Used, forms []*objects.Object) bool {
	if !u.IsAccount() {
		return false
	}
	own := p.c.Repo.UnitThatHas(u.Object)
	return own != nil && !slices.ContainsFunc(forms, func(form *objects.Object) bool {
		of := p.c.Repo.UnitThatHas(form)
		return form.Group != rbac.Group || of == nil || !p.c.Lookups.Apart(own, of)
	})
}

// isUsedIn reports whether a place in the applied form of an object can mean another object.
func (p *Pruner) isUsedIn(form *objects.Object, u uses.Used, m namedAt) bool {
	return p.isBrokenReference(u, form, m) || !uses.IsRenamedAt(form, m.Path, u.Object.Name) && !u.IsOtherAt(form, m.Path, m.name, false)
}

// isBrokenReference reports whether an extension names an account as its manifest has it, although the unit applies the account with
// another name: kustomize does not change that field. The account is what was meant.
func (p *Pruner) isBrokenReference(u uses.Used, o *objects.Object, m namedAt) bool {
	named, state := extensionAccount(o)
	source := u.Object.Source()
	if o.Kind != olm.ClusterExtensionKind || state != olm.Named || source == nil || source.Name == u.Object.Name ||
		named.Name != source.Name || named.Name != m.name || !objects.SameNamespace(named.Namespace, u.Account.Namespace) {
		return false
	}
	unit := p.c.Repo.UnitThatHas(u.Object)
	return unit != nil && unit.Object(o.Ref()) == o && u.IsAccount()
}

// removesMention reports whether a plan removes the place of a mention.
func removesMention(p *engine.Plan, m uses.Place) bool {
	at := p.Object.At(m.Path)
	return slices.ContainsFunc(p.Changes, func(c engine.Change) bool {
		return c.Op == engine.RemoveValue && c.File == m.File && len(c.Path) <= len(at) && slices.Equal(c.Path, at[:len(c.Path)])
	})
}
