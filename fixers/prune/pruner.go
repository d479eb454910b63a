package prune

import (
	"errors"
	"maps"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Pruner decides about all accounts and roles of a run together: a role may be used only by two accounts that are both
// removed, and an account only by two extensions.
//
// It begins with the assumption that everything is removed. It then keeps what is named by something that stays, until
// nothing changes.
type Pruner struct {
	c          *engine.Context
	candidates []*candidate
	bySource   map[string]*candidate // by the reference of the manifest
	// roles are those that may be removed, each in one of its forms; roleOf has the candidates whose bindings refer to them.
	roles          []*objects.Object
	roleOf         map[*objects.Object][]*candidate
	keptRoles      map[*objects.Object]string  // the reason, by the role
	fieldRemovals  map[string]*engine.Plan     // by the ref of the extension
	removalsByFile map[string][]plannedRemoval // what the plans of fieldRemovals remove, by file
	// textRemovalsByFile are the parts of templates that these plans remove.
	textRemovalsByFile map[string][]plannedTextRemoval
	gains              map[roleKey][]newGain // what the run grants
	mentions           map[string][]uses.Place
	named              map[*objects.Object][]namedAt              // the mentions of an object by all its names
	lostFields         map[*objects.Object][]engine.AppliedChange // what these plans remove from applied objects
	leftovers          []*leftover
	refused            []engine.Outcome
	removed            removedSet
}

// New returns a pruner without any accounts or roles.
func New(c *engine.Context) *Pruner {
	return &Pruner{
		c: c, bySource: map[string]*candidate{}, fieldRemovals: map[string]*engine.Plan{},
		roleOf: map[*objects.Object][]*candidate{}, keptRoles: map[*objects.Object]string{},
		gains: map[roleKey][]newGain{}, removalsByFile: map[string][]plannedRemoval{},
		textRemovalsByFile: map[string][]plannedTextRemoval{}, named: map[*objects.Object][]namedAt{},
		lostFields: map[*objects.Object][]engine.AppliedChange{},
	}
}

// addRequest adds the objects that a request points at.
func (p *Pruner) addRequest(r engine.Request) error {
	switch o := r.Object; {
	case o.Embedding != nil && o.Kind != rbac.KindServiceAccount:
		return refuseEmbedded(o, "")
	case o.Kind == rbac.KindServiceAccount && o.Group == "":
		p.addAccount(objects.Account{Namespace: o.Namespace, Name: o.Name}, o, nil)
	case subjects.IsBinding(o):
		return p.addBinding(r)
	case o.Group == rbac.Group && (o.Kind == "Role" || o.Kind == "ClusterRole"):
		p.addRole(o, nil)
	default:
		return engine.Refuse("%s is not an account, binding, or role", engine.NameOf(o))
	}
	return nil
}

// addLeftovers adds the objects that an interrupted run was about to remove.
func (p *Pruner) addLeftovers() {
	if !p.c.Policy.Prune {
		return
	}
	for _, o := range p.c.Policy.Leftovers {
		if err := p.addRequest(engine.Request{Object: o}); err != nil {
			p.refused = append(p.refused, engine.Outcome{Object: o, Refusal: engine.AsRefusal(err)})
		}
	}
}

func (p *Pruner) addBinding(r engine.Request) error {
	pointed := subjects.Index(r.Path)
	found := false
	for i := range subjects.Count(r.Object) {
		s := subjects.Read(r.Object, i)
		if s.Kind != rbac.KindServiceAccount || pointed >= 0 && pointed != i {
			continue
		}
		found = true
		for _, unit := range p.c.Repo.UnitsWith(r.Object) {
			if err := p.addAccounts(unit, r.Object, objects.Account{Namespace: s.Namespace, Name: s.Name}, nil); err != nil {
				return err
			}
		}
	}
	if !found {
		return engine.Refuse("%s binds no account", engine.NameOf(r.Object))
	}
	return nil
}

// AddRemovedField adds the account whose field a plan removes.
func (p *Pruner) AddRemovedField(plan *engine.Plan) {
	account, state := extensionAccount(plan.Object)
	p.fieldRemovals[plan.Object.Ref()] = plan
	p.recordRemovals(plan)
	if !plan.Object.InFile() {
		p.addRenderedAccounts(plan)
		return
	}
	if state != olm.Named && state != olm.Templated {
		return
	}
	for _, form := range p.c.Repo.AppliedForms(plan.Object) {
		named, _ := extensionAccount(form.Object)
		if named != account && !changesIn(plan, form) {
			continue
		}
		if err := p.addAccounts(form.Unit, form.Object, named, plan); err != nil {
			p.refused = append(p.refused, engine.Outcome{Object: plan.Object, Refusal: engine.AsRefusal(err)})
			return
		}
	}
}

// addRenderedAccounts adds the accounts of all extensions that lose the field because a plan changes their template.
func (p *Pruner) addRenderedAccounts(plan *engine.Plan) {
	for _, a := range plan.Applied {
		named, state := extensionAccount(a.Object)
		if a.Op != engine.RemoveValue || a.Object.Kind != olm.ClusterExtensionKind || state != olm.Named && state != olm.Templated {
			continue
		}
		if err := p.addAccounts(a.Unit, a.Object, named, plan); err != nil {
			p.refused = append(p.refused, engine.Outcome{Object: plan.Object, Refusal: engine.AsRefusal(err)})
			return
		}
	}
}

// changesIn reports whether a plan changes an object as a unit applies it.
func changesIn(plan *engine.Plan, form applied.Form) bool {
	return slices.ContainsFunc(plan.Applied, func(a engine.AppliedChange) bool { return a.Unit == form.Unit && a.Object == form.Object })
}

// addAccounts adds the account that an object of a unit refers to.
func (p *Pruner) addAccounts(u *objects.Unit, from *objects.Object, account objects.Account, plan *engine.Plan) error {
	group := ""
	query := objects.Query{Group: &group, Kind: rbac.KindServiceAccount, Namespace: account.Namespace, Name: account.Name}
	owned, tie := u.Near(from, u.Find(query))
	switch {
	case len(tie) > 0:
		return engine.Refuse("ServiceAccount %s is defined at %s, which are equally near, so neither is removed: list the "+
			"objects that are applied together in a kustomization", account.Name, engine.Places(tie))
	case len(owned) == 0 && !bindsDirectly(u, from, account):
		p.addAccountsBeside(u, account, query, plan)
		return nil
	case len(owned) == 0:
		return engine.Refuse("ServiceAccount %s is not in %s, so its other uses are unknown and its bindings stay: remove "+
			"them by hand if it is not used", account.Name, u)
	}
	for _, o := range owned {
		p.addAccount(objects.Account{Namespace: account.Namespace, Name: account.Name}, o, plan)
	}
	return nil
}

// addAccountsBeside adds the account whose field a plan removes from a unit, if another unit applies the account to the same cluster
// before. No rule finds it later if its roles are not those of an installer.
func (p *Pruner) addAccountsBeside(u *objects.Unit, account objects.Account, query objects.Query, plan *engine.Plan) {
	if plan == nil {
		return
	}
	for _, earlier := range p.c.Lookups.Beside(u, rbac.Account(account)) {
		for _, o := range earlier.Find(query) {
			p.addAccount(account, o, plan)
		}
	}
}

// refuseEmbedded refuses to remove an object from the one that holds it. Whether that removes it from the cluster depends on the
// controller that applies it. Granted are the roles that it still has, "" for none.
func refuseEmbedded(o *objects.Object, granted string) error {
	also := ""
	if granted != "" {
		also = "; also remove what grants it " + granted
	}
	return engine.Refuse("%s is inside %s: once it is no longer used, %s%s", engine.NameOf(o), o.Embedding.Title(), o.Embedding.Removal(false), also)
}

// bindsDirectly reports whether a binding names an account.
func bindsDirectly(u *objects.Unit, from *objects.Object, account objects.Account) bool {
	return slices.ContainsFunc(rbac.BindingsOf(u, from, rbac.Account(account)), func(b rbac.Binding) bool { return b.Via == "" })
}

func (p *Pruner) addAccount(account objects.Account, o *objects.Object, plan *engine.Plan) {
	key := refOf(p.c, o)
	cand := p.bySource[key]
	if cand == nil {
		cand = newCandidate(p.c, account, o)
		p.bySource[key] = cand
		p.candidates = append(p.candidates, cand)
	}
	if plan != nil && !slices.Contains(cand.plans, plan) {
		cand.plans = append(cand.plans, plan)
	}
}

func (p *Pruner) addRole(role *objects.Object, cand *candidate) {
	if !isPrunable(role) {
		return
	}
	role = p.firstForm(role)
	if _, known := p.roleOf[role]; !known {
		p.roles = append(p.roles, role)
		p.roleOf[role] = nil
		if why := unknownUsers(p.c, role); why != "" {
			p.keptRoles[role] = why
		}
	}
	if cand != nil && !slices.Contains(p.roleOf[role], cand) {
		p.roleOf[role] = append(p.roleOf[role], cand)
	}
}

// run returns an outcome for every account, and for every role that several accounts use or a request names.
func (p *Pruner) run() ([]engine.Outcome, error) {
	for _, cand := range p.candidates {
		for _, s := range cand.subjects {
			if s.RoleObject != nil {
				p.addRole(s.RoleObject, cand)
			}
		}
	}
	p.findLeftovers()
	if err := p.findMentions(); err != nil {
		return nil, err
	}
	p.keepAllUsed()
	if p.limitToScope() {
		p.keepAllUsed()
	}
	p.decideLeftovers()
	return p.outcomes(), nil
}

// keepAllUsed keeps what is named by something that stays, until nothing changes.
func (p *Pruner) keepAllUsed() {
	for again := true; again; {
		p.removed = p.removedTogether()
		again = p.keepUsed()
	}
}

// limitToScope keeps what could be removed everywhere, if the run must not change all units that apply it. It reports whether there
// was anything. The refusal names the command that removes it, which is why it comes after everything else that can keep it.
func (p *Pruner) limitToScope() bool {
	limited := false
	for _, cand := range p.candidates {
		var outside []*objects.Unit
		for _, form := range cand.forms {
			if !p.c.Scope.Allows(form.Unit, form.Object) {
				outside = append(outside, form.Unit)
			}
		}
		if len(outside) > 0 && cand.refusal == nil {
			cand.refusal = &engine.Refusal{Reason: p.c.Scope.Reason(engine.FileOf(cand.object), finding.Prune, outside)}
			limited = true
		}
	}
	return limited
}

// findMentions finds all mentions of the candidates and roles, in one pass over the files.
func (p *Pruner) findMentions() error {
	names := map[string]bool{}
	add := func(o *objects.Object) {
		for _, form := range p.formsOf(o) {
			for _, name := range p.c.Repo.NamesInFiles(form) {
				names[name] = true
			}
		}
	}
	for _, cand := range p.candidates {
		add(cand.object)
		for _, s := range cand.secrets {
			add(s)
		}
		for _, s := range cand.subjects {
			add(s.Object)
		}
	}
	for _, role := range p.roles {
		add(role)
	}
	for _, l := range p.leftovers {
		for _, o := range l.secrets {
			add(o)
		}
		for _, b := range l.grants {
			add(b.Object)
			if b.RoleObject != nil {
				add(b.RoleObject)
			}
		}
	}
	delete(names, "")
	if len(names) == 0 {
		return nil
	}
	found, err := p.c.Lookups.References(slices.Sorted(maps.Keys(names)))
	p.mentions = found
	return err
}

// keepUsed keeps what is still in use. It reports whether there was anything.
func (p *Pruner) keepUsed() bool {
	again := false
	for _, cand := range p.candidates {
		if cand.refusal != nil {
			continue
		}
		if cand.refusal = p.inUse(cand); cand.refusal != nil {
			again = true
		}
	}
	for _, role := range p.roles {
		if _, kept := p.keptRoles[role]; kept {
			continue
		}
		if why := p.roleInUse(role); why != "" {
			p.keptRoles[role] = why
			again = true
		}
	}
	return again
}

// extensionAccount returns the account that an extension names.
func extensionAccount(o *objects.Object) (objects.Account, olm.AccountState) {
	e, _ := o.Extension()
	return objects.Account{Namespace: e.Namespace, Name: e.Account.Name}, e.Account.State
}

// Decide decides what is pruned. It adds all decisions to the prunes of a run, and gives the requests at some indexes the
// outcomes of their objects. The error is about a file that could not be read.
func (p *Pruner) Decide(w *engine.Work, requests []engine.Request, asked []int) error {
	for _, i := range asked {
		w.Outcomes[i].Object = requests[i].Object
		if err := p.addRequest(requests[i]); err != nil {
			w.Outcomes[i].Refusal = engine.AsRefusal(err)
		}
	}
	p.addLeftovers()
	outcomes, err := p.run()
	if err != nil {
		var refusal *engine.Refusal
		if !errors.As(err, &refusal) {
			return err
		}
		outcomes = []engine.Outcome{{Refusal: refusal}}
	}
	w.Prunes = outcomes
	indexed := p.indexOutcomes(outcomes)
	for _, i := range asked {
		if w.Outcomes[i].Refusal == nil {
			w.Outcomes[i] = p.outcomeFor(requests[i], indexed)
		}
	}
	return nil
}
