package prune

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/helm"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// candidate is the manifest of an account that may be removed, with everything that is removed together with it.
type candidate struct {
	// object is the account in the unit from which it was found; forms are the account in every unit.
	object *objects.Object
	forms  []accountForm
	// plans remove the fields that named the account; there are none for an account that was not used before the run.
	plans    []*engine.Plan
	subjects []boundSubject
	secrets  []*objects.Object
	// refusal is why the account stays. appliedDifferently is set if the reason is that its removal cannot be proven, or another
	// unit that applies its manifest: no later run may find it.
	refusal            error
	appliedDifferently bool
	// removals are the units from which patches remove the account although it stays as a whole.
	removals []unitRemoval
	plan     *engine.Plan
}

// accountForm is an account as a unit applies it.
type accountForm struct {
	applied.Form
	account objects.Account
}

// boundSubject is the account in a binding of a unit.
type boundSubject struct {
	rbac.Binding
	unit *objects.Unit
}

// implicitAccounts are accounts that exist without a manifest, and that are used without being named.
var implicitAccounts = []string{"default", "builder", "deployer", "pipeline"}

// newCandidate returns the candidate for the manifest of an account. A manifest can be removed only from all units that apply it,
// so all forms of the account count, whatever their names.
func newCandidate(c *engine.Context, account objects.Account, o *objects.Object) *candidate {
	cand := &candidate{object: o}
	for _, made := range formsOfManifest(c, o) {
		form := accountForm{made, objects.Account{Namespace: made.Object.Namespace, Name: made.Object.Name}}
		if made.Object == o {
			form.account = account
		}
		cand.forms = append(cand.forms, form)
	}
	cand.refusal = collect(c, cand)
	return cand
}

// collect finds what is removed together with the account.
func collect(c *engine.Context, cand *candidate) error {
	for _, form := range cand.forms {
		if err := checkKnown(form); err != nil {
			return err
		}
	}
	if cand.object.Embedding != nil {
		cand.appliedDifferently = true
		return refuseEmbedded(cand.object, grantsOf(cand))
	}
	if !cand.object.InFile() && !isRendered(cand.object) {
		cand.appliedDifferently = true
		return refuseTemplateAccount(cand)
	}
	if err := checkRemovable(c, cand.object); err != nil {
		cand.appliedDifferently = true
		return err
	}
	if isRendered(cand.object) {
		if err := helm.CheckUnrenderedUses(c, cand.unitObjects(), ""); err != nil {
			cand.appliedDifferently = true
			return err
		}
		if err := helm.CheckOtherNames(c, cand.unitObjects()); err != nil {
			cand.appliedDifferently = true
			return err
		}
	}
	if err := c.CheckFullyRead(cand.object); err != nil {
		return err
	}
	for _, form := range cand.forms {
		if err := collectBindings(c, cand, form); err != nil {
			return err
		}
		if err := collectSecrets(c, cand, form); err != nil {
			return err
		}
	}
	return nil
}

func (cand *candidate) unitObjects() []applied.Form {
	var all []applied.Form
	for _, form := range cand.forms {
		all = append(all, form.Form)
	}
	return all
}

// checkKnown refuses an account whose name or namespace is unknown, or that is used without being named.
func checkKnown(form accountForm) error {
	switch account := form.account; {
	case account.Namespace == "" || form.Object.Namespace == "":
		return engine.Refuse("the namespace of ServiceAccount %s at %s is unknown, so the account is not removed: set it",
			account.Name, form.Object.Position(nil))
	case rbac.Templated(account.Namespace), rbac.Templated(account.Name):
		return engine.Refuse("the name of ServiceAccount %s contains a placeholder: remove the account by hand", account.Name)
	case slices.Contains(implicitAccounts, account.Name):
		return engine.Refuse("ServiceAccount %s/%s exists in every namespace and is used without being named: remove its "+
			"bindings by hand",
			account.Namespace, account.Name)
	}
	return nil
}

// refuseTemplateAccount refuses to remove the account of a chart.
func refuseTemplateAccount(cand *candidate) error {
	what := "remove it there by hand once it is no longer used"
	if granted := grantsOf(cand); granted != "" {
		what += ", together with what grants it " + granted
	}
	return &engine.Refusal{Reason: engine.RefuseTemplate(cand.object, nil, what).Error(), Alike: "template: remove the account by hand"}
}

// grantsOf lists the roles that the account is still granted, "" for none.
func grantsOf(cand *candidate) string {
	roles := map[string]bool{}
	for _, form := range cand.forms {
		for _, b := range rbac.BindingsOf(form.Unit, form.Object, rbac.Account(form.account)) {
			if b.Via == "" {
				roles[b.Role.Kind+" "+b.Role.Name] = true
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(roles)), ", ")
}

func collectBindings(c *engine.Context, cand *candidate, form accountForm) error {
	for _, b := range rbac.BindingsOf(form.Unit, form.Object, rbac.Account(form.account)) {
		if b.Via != "" {
			continue
		}
		if err := checkBinding(form, b); err != nil {
			return err
		}
		if err := checkRemovable(c, b.Object); err != nil {
			return err
		}
		if err := checkSameSubjects(c, b.Object); err != nil {
			return err
		}
		cand.subjects = append(cand.subjects, boundSubject{b, form.Unit})
	}
	return nil
}

// checkBinding refuses a binding of which it is unknown whether it is the account's alone, or with which the account does more than
// install.
func checkBinding(form accountForm, b rbac.Binding) error {
	switch {
	case len(b.Tie) > 0:
		return engine.Refuse("%s at %s may belong to any of the accounts at %s, so nothing is removed: list the objects "+
			"that are applied together in a kustomization", b.Object.Kind, b.Object.Position(nil), engine.Places(b.Tie))
	case b.Uncertain:
		return engine.Refuse("%s at %s names an account without its namespace, so nothing is removed: set it",
			b.Object.Kind, b.Object.Position(subjects.Path(b.SubjectIndex)))
	case strings.HasPrefix(b.Role.Name, platformRole):
		return engine.Refuse("%s stays: %s at %s binds it to %s, a role of the platform, so the account does more than "+
			"install",
			engine.NameOf(form.Object), b.Object.Kind, b.Object.Position(nil), b.Role.Name)
	}
	return subjects.CheckOthersActivated(b.Object, b.SubjectIndex)
}

// checkSameSubjects refuses a binding to which a unit adds subjects, or from which it removes some: the subjects of its manifest
// are then not those that are applied.
func checkSameSubjects(c *engine.Context, binding *objects.Object) error {
	if isRendered(binding) {
		return nil
	}
	for _, form := range c.Repo.AppliedForms(binding) {
		if err := checkSubjectsOf(form); err != nil {
			return err
		}
	}
	return nil
}

func checkSubjectsOf(binding applied.Form) error {
	o := binding.Object
	if source := o.Source(); source != nil && subjects.Count(source) != subjects.Count(o) {
		return engine.Refuse("%s applies %s with other subjects than %s has: change the file and %s together by hand"+engine.CompareBuilds,
			binding.Unit, engine.NameOf(o), o.File, engine.ChangedAt(o, manifest.Path{"subjects"}))
	}
	return nil
}

// collectSecrets finds the token Secrets of the account. A Secret with data stays, because the data was put there on purpose
// and no diff may show it.
func collectSecrets(c *engine.Context, cand *candidate, form accountForm) error {
	secrets, err := tokenSecrets(form)
	if err != nil {
		return err
	}
	for _, o := range secrets {
		if err := checkRemovable(c, o); err != nil {
			return err
		}
		if !slices.Contains(cand.secrets, o) {
			cand.secrets = append(cand.secrets, o)
		}
	}
	return nil
}

func tokenSecrets(form accountForm) ([]*objects.Object, error) {
	var secrets []*objects.Object
	u := form.Unit
	for _, ref := range u.References(form.account) {
		if ref.What != objects.TokenSecret {
			continue
		}
		o := ref.Object
		if owned, _ := u.Owns(form.Object, u.Namesakes(form.Object), o); !owned {
			continue
		}
		if o.Node.Get("data") != nil || o.Node.Get("stringData") != nil {
			return nil, engine.Refuse("Secret %s at %s is a token of the account and contains data: remove it by hand first", o.Name, o.Position(nil))
		}
		if !slices.Contains(secrets, o) {
			secrets = append(secrets, o)
		}
	}
	return secrets, nil
}

// names returns the account with its namespace, and the other names under which units apply it. A chart's own values make names
// that are applied nowhere if kustomizations or applications render it.
func (cand *candidate) names() string {
	first := engine.NameOf(cand.object)
	inChartUnit := slices.ContainsFunc(cand.forms, func(form accountForm) bool {
		return form.Object == cand.object && form.Unit.Kind == objects.ChartUnit
	})
	var others []string
	for _, form := range cand.forms {
		if form.Unit.Kind == objects.ChartUnit && !inChartUnit {
			continue
		}
		other := engine.NameOf(form.Object)
		name := other.Name
		if other.Namespace != "" && other.Namespace != first.Namespace {
			name = other.Namespace + "/" + name
		}
		if (other.Name != first.Name || other.Namespace != first.Namespace) && !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		return first.String()
	}
	slices.Sort(others)
	if more := len(others) - engine.MaxListed; more > 0 {
		others = append(others[:engine.MaxListed:engine.MaxListed], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s (also applied as %s)", first, strings.Join(others, ", "))
}

// build makes the plan that removes the account.
func (p *Pruner) build(cand *candidate) *engine.Plan {
	plan := &engine.Plan{
		Kind: finding.Prune, Object: cand.object, Needs: slices.Clone(cand.plans),
		Description: "Remove " + cand.names() + ", which is no longer used",
	}
	p.removeObject(plan, cand.object)
	removed := map[string]bool{}
	for _, o := range cand.secrets {
		if ref := refOf(p.c, o); !removed[ref] {
			removed[ref] = true
			p.removeObject(plan, o)
		}
	}
	indexes := map[string][]int{}
	var bindings []*objects.Object
	for _, s := range cand.subjects {
		ref := refOf(p.c, s.Object)
		if indexes[ref] == nil {
			bindings = append(bindings, s.Object)
		}
		indexes[ref] = append(indexes[ref], s.SubjectIndex)
		loss := subjects.GrantChange(s.Binding, engine.Pruned)
		loss.Unit = s.unit
		plan.Losses = append(plan.Losses, loss)
	}
	for _, binding := range bindings {
		p.removeSubjects(plan, binding, indexes[refOf(p.c, binding)])
	}
	cand.plan = plan
	return plan
}

// platformRole begins the names of the roles of the platform. An account that is bound to one, such as system:image-puller,
// does more than install an extension.
const platformRole = "system:"

// isPrunable reports whether a role can be removed at all: it is not one of the cluster's own.
func isPrunable(role *objects.Object) bool {
	ref := rbac.RoleRef{Kind: role.Kind, Name: role.Name, Namespace: role.Namespace}
	return !ref.Builtin() && !strings.HasPrefix(role.Name, platformRole)
}
