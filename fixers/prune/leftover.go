package prune

import (
	"path"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// leftover is an account that is removed from one unit by patches, because other units need its manifest or must not change.
type leftover struct {
	*candidate
	form    accountForm
	secrets []*objects.Object
	grants  []rbac.Binding
	// refusal is why the account stays in the unit.
	refusal error
}

// findLeftovers finds what could be removed from single units: the accounts of the units that the run can change.
func (p *Pruner) findLeftovers() {
	for _, cand := range p.candidates {
		if !cand.object.InFile() || cand.object.Embedding != nil || len(cand.forms) < 2 {
			continue
		}
		for _, form := range cand.forms {
			if p.c.Scope.AllowsUnit(form.Unit) {
				l := &leftover{candidate: cand, form: form}
				l.refusal = p.collectLeftover(l)
				p.leftovers = append(p.leftovers, l)
			}
		}
	}
}

// collectLeftover finds what is removed together with the account of a unit.
func (p *Pruner) collectLeftover(l *leftover) error {
	u := l.form.Unit
	if err := checkKnown(l.form); err != nil {
		return err
	}
	if err := p.checkPatchable(l.form.Form); err != nil {
		return err
	}
	if why := p.c.Repo.UnreadPart(u); why != "" {
		return engine.Refuse("%s stays: %s, so other uses of it are unknown", engine.NameOf(l.form.Object), why)
	}
	for _, b := range rbac.BindingsOf(u, l.form.Object, rbac.Account(l.form.account)) {
		if b.Via != "" {
			continue
		}
		if err := checkBinding(l.form, b); err != nil {
			return err
		}
		binding := applied.Form{Unit: u, Object: b.Object}
		if err := p.checkPatchable(binding); err != nil {
			return err
		}
		if err := checkSubjectsOf(binding); err != nil {
			return err
		}
		l.grants = append(l.grants, b)
	}
	secrets, err := tokenSecrets(l.form)
	if err != nil {
		return err
	}
	for _, o := range secrets {
		if err := p.checkPatchable(applied.Form{Unit: u, Object: o}); err != nil {
			return err
		}
	}
	l.secrets = secrets
	return nil
}

// checkPatchable refuses to remove an object from a unit if the unit cannot be built, or has no separate kustomization.
func (p *Pruner) checkPatchable(o applied.Form) error {
	if err := engine.CheckInFile(o.Object); err != nil {
		return err
	}
	if o.Object.Embedding != nil {
		return engine.RefuseRemoval(o.Object)
	}
	if err := p.c.CheckBuild(o.Unit, o.Object); err != nil {
		return err
	}
	_, err := p.c.RootKustomization(o)
	return err
}

// unitRemovals are the objects that are removed from one unit, with the leftovers that they belong to. Objects are identified by the
// references of their manifests.
type unitRemovals struct {
	unit *objects.Unit
	by   map[string][]*leftover
	// roles are those that no binding of the unit refers to any longer.
	roles []*objects.Object
}

// decideLeftovers decides which accounts are removed from single units: those that stay as a whole, and that nothing uses in the unit.
func (p *Pruner) decideLeftovers() {
	byUnit := map[*objects.Unit][]*leftover{}
	var units []*objects.Unit
	for _, l := range p.leftovers {
		if l.candidate.refusal == nil {
			continue
		}
		if byUnit[l.form.Unit] == nil {
			units = append(units, l.form.Unit)
		}
		byUnit[l.form.Unit] = append(byUnit[l.form.Unit], l)
	}
	for _, u := range units {
		all := byUnit[u]
		kept := map[*objects.Object]bool{}
		var gone unitRemovals
		for again := true; again; {
			gone = removalsIn(u, all, kept)
			again = p.keepUsedIn(gone, all, kept)
		}
		for _, l := range all {
			if l.refusal == nil {
				l.candidate.removals = append(l.candidate.removals, unitRemoval{l, gone})
			}
		}
	}
	for _, cand := range p.candidates {
		if len(cand.removals) == len(cand.forms) {
			cand.removals = nil // patches of all units would leave the manifest without any use
		}
	}
	p.reportLeftoversThatStay()
}

// reportLeftoversThatStay gives an account that units outside of the paths apply the reason for which it stays inside of them, and the
// command that removes it from all: that others apply it does not prevent patches.
func (p *Pruner) reportLeftoversThatStay() {
	for _, l := range p.leftovers {
		var outside []*objects.Unit
		for _, form := range l.forms {
			if !p.c.Scope.AllowsUnit(form.Unit) {
				outside = append(outside, form.Unit)
			}
		}
		if l.candidate.refusal != nil && l.refusal != nil && len(l.candidate.removals) == 0 && len(outside) > 0 {
			folder := path.Dir(engine.FileOf(l.candidate.object))
			l.candidate.refusal = engine.Refuse("%v, or run `%s` to change %s as well", l.refusal,
				p.c.Scope.Command(folder, finding.Prune), engine.UnitList(outside))
		}
	}
}

// removalsIn returns what is removed from a unit if all leftovers that are not refused are, without the roles that are kept.
func removalsIn(u *objects.Unit, all []*leftover, kept map[*objects.Object]bool) unitRemovals {
	gone := unitRemovals{unit: u, by: map[string][]*leftover{}}
	add := func(o *objects.Object, l *leftover) {
		ref := applied.SourceRef(o)
		if !slices.Contains(gone.by[ref], l) {
			gone.by[ref] = append(gone.by[ref], l)
		}
	}
	for _, l := range all {
		if l.refusal != nil {
			continue
		}
		add(l.form.Object, l)
		for _, o := range l.secrets {
			add(o, l)
		}
		for _, b := range l.grants {
			add(b.Object, l)
			if role := b.RoleObject; role != nil && isPrunable(role) && !kept[role] {
				add(role, l)
				if !slices.Contains(gone.roles, role) {
					gone.roles = append(gone.roles, role)
				}
			}
		}
	}
	return gone
}

// keepUsedIn keeps what is still in use in a unit. It reports whether there was anything.
func (p *Pruner) keepUsedIn(gone unitRemovals, all []*leftover, kept map[*objects.Object]bool) bool {
	again := false
	for _, l := range all {
		if l.refusal == nil {
			l.refusal = p.usedInUnit(l, gone)
			again = again || l.refusal != nil
		}
	}
	for _, role := range gone.roles {
		if !kept[role] && p.roleUsedIn(role, gone) {
			kept[role], again = true, true
		}
	}
	return again
}

// usedInUnit returns a refusal that names what still uses the account of a unit, or what is removed with it; nil if nothing does.
func (p *Pruner) usedInUnit(l *leftover, gone unitRemovals) error {
	if m, ok := p.firstUseIn(uses.Used{Object: l.form.Object, Account: l.form.account}, l.candidate, gone); ok {
		return refuseMentioned(l.form.Object, m)
	}
	if err := p.refuseVariableName(l.form); err != nil {
		return err
	}
	if err := p.refuseSameCluster(l); err != nil {
		return err
	}
	for _, o := range l.secrets {
		if m, ok := p.firstUseIn(uses.Used{Object: o}, l.candidate, gone); ok {
			return refuseMentioned(o, m)
		}
	}
	for _, b := range l.grants {
		for i := range subjects.Count(b.Object) {
			s := subjects.Read(b.Object, i)
			bound := func(other *leftover) bool { return rbac.Account(other.form.account) == s }
			if !slices.ContainsFunc(gone.by[applied.SourceRef(b.Object)], bound) {
				return engine.Refuse("%s stays: %s at %s also binds %s, and a patch of %s would have to repeat its other subjects: "+
					"remove the subject by hand", engine.NameOf(l.form.Object), engine.NameOf(b.Object), b.Object.Position(subjects.Path(i)),
					engine.SubjectName(s), gone.unit)
			}
		}
		if m, ok := p.firstUseIn(uses.Used{Object: b.Object}, l.candidate, gone); ok {
			return refuseMentioned(b.Object, m)
		}
	}
	return nil
}

// refuseSameCluster refuses to remove an account from a unit if another unit applies it to the same cluster, where it is used.
func (p *Pruner) refuseSameCluster(l *leftover) error {
	account := rbac.Account(l.form.account)
	u := l.form.Unit
	for _, other := range l.forms {
		if other.Unit == u || other.account != l.form.account {
			continue
		}
		if slices.Contains(p.c.Lookups.Beside(u, account), other.Unit) || slices.Contains(p.c.Lookups.Beside(other.Unit, account), u) {
			return engine.Refuse("%s stays: %s and %s apply it to the same cluster", engine.NameOf(l.form.Object), u, other.Unit)
		}
	}
	return nil
}

// roleUsedIn reports whether something uses a role of a unit that stays, or if that is unknown.
func (p *Pruner) roleUsedIn(role *objects.Object, gone unitRemovals) bool {
	if p.checkPatchable(applied.Form{Unit: gone.unit, Object: role}) != nil || p.c.UnknownUsers(role) != "" || p.c.AggregatedBy(role) != "" {
		return true
	}
	if _, granted := p.grantedInRun(role); granted {
		return true
	}
	_, used := p.firstUseIn(uses.Used{Object: role}, nil, gone)
	return used
}

// firstUseIn returns what uses an object of a unit. Places that only other units apply are none if these units apply the object too:
// they use their own.
func (p *Pruner) firstUseIn(u uses.Used, cand *candidate, gone unitRemovals) (uses.Place, bool) {
	for _, m := range p.mentionsOf(u.Object) {
		if !p.isNoUseIn(u, m, gone) && !p.c.Repo.MeansNamesake(u.Object, m.File) {
			return m.Place, true
		}
	}
	if cand == nil {
		return uses.Place{}, false
	}
	for _, ref := range gone.unit.References(u.Account) {
		used := ref.What != objects.Definition && len(gone.by[applied.SourceRef(ref.Object)]) == 0 && !p.losesField(gone.unit, ref.Object, ref.Path)
		if used && u.IsAccount() {
			return uses.Place{File: ref.Object.File, Line: ref.Object.Position(ref.Path).Line, Kind: ref.Object.Kind, Path: ref.Path}, true
		}
	}
	return uses.Place{}, false
}

// isNoUseIn reports whether a mention is no use of an object in a unit.
func (p *Pruner) isNoUseIn(u uses.Used, m namedAt, gone unitRemovals) bool {
	if !u.MayBeAt(m.Place, m.name) || len(gone.by[m.Ref]) > 0 {
		return true
	}
	reading := slices.DeleteFunc(slices.Clone(p.c.Repo.Units), func(other *objects.Unit) bool { return !other.Reads(m.File) })
	if !slices.Contains(reading, gone.unit) {
		isOwn := func(other *objects.Unit) bool { return p.appliesOwn(other, u.Object) }
		return len(reading) > 0 && !slices.ContainsFunc(reading, func(other *objects.Unit) bool { return !isOwn(other) }) || p.isNoUse(u, m)
	}
	o := m.ObjectIn(p.c.Repo)
	if o == nil || len(p.c.Repo.AppliedForms(o)) == 0 {
		isPatch := m.Kind == olm.ClusterExtensionKind // the references in the built unit show whether it has an effect there
		return isPatch || p.isNoUse(u, m)
	}
	for _, form := range p.c.Repo.AppliedForms(o) {
		if form.Unit != gone.unit || p.losesField(form.Unit, form.Object, m.Path) || form.Object.Node.Lookup(m.Path) == nil {
			continue
		}
		if p.isUsedIn(form.Object, u, m) {
			return false
		}
	}
	return true
}

// appliesOwn reports whether a unit applies the manifest of an object.
func (p *Pruner) appliesOwn(unit *objects.Unit, o *objects.Object) bool {
	return slices.ContainsFunc(p.c.Repo.AppliedForms(o), func(form applied.Form) bool { return form.Unit == unit })
}

// losesField reports whether the run removes a field of an object as a unit applies it.
func (p *Pruner) losesField(unit *objects.Unit, o *objects.Object, path manifest.Path) bool {
	return slices.ContainsFunc(p.lostFields[o], func(lost engine.AppliedChange) bool { return lost.Unit == unit && engine.IsWithin(lost.Path, path) })
}

// keptLeftovers returns why an account stays in units that do not use it, if it is removed from others.
func (p *Pruner) keptLeftovers(cand *candidate) []engine.Outcome {
	var out []engine.Outcome
	for _, l := range p.leftovers {
		if l.candidate == cand && l.refusal != nil && !p.acts(l) {
			out = append(out, engine.Outcome{Object: l.form.Object, Refusal: engine.AsRefusal(l.refusal)})
		}
	}
	return out
}

// acts reports whether an object of the unit still acts as the account.
func (p *Pruner) acts(l *leftover) bool {
	return slices.ContainsFunc(l.form.Unit.References(l.form.account), func(ref objects.Reference) bool {
		switch ref.What {
		case objects.Definition, objects.Subject, objects.TokenSecret:
			return false
		}
		return !p.losesField(l.form.Unit, ref.Object, ref.Path)
	})
}
