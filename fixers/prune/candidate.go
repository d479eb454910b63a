package prune

import (
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// candidate is an account that may be removed, with everything that is removed together with it.
type candidate struct {
	account objects.Account
	object  *objects.Object
	// plans remove the fields that named the account; there are none for an account that was not used before the run.
	plans    []*engine.Plan
	subjects []rbac.Binding
	secrets  []*objects.Object
	// refusal is why the account stays. appliedDifferently is set if the reason is that it is not applied as written.
	refusal            error
	appliedDifferently bool
	plan               *engine.Plan
}

// implicitAccounts are accounts that exist without a manifest, and that are used without being named.
var implicitAccounts = []string{"default", "builder", "deployer", "pipeline"}

// collect finds what is removed together with the account.
func collect(c *engine.Context, cand *candidate) error {
	switch {
	case cand.account.Namespace == "" || cand.object.Namespace == "":
		return engine.Refuse("the namespace of ServiceAccount %s at %s is unknown, so the account is not removed: set it",
			cand.account.Name, cand.object.Position(nil))
	case rbac.Templated(cand.account.Namespace), rbac.Templated(cand.account.Name):
		return engine.Refuse("the name of ServiceAccount %s contains a placeholder: remove the account by hand", cand.account.Name)
	case slices.Contains(implicitAccounts, cand.account.Name):
		return engine.Refuse("ServiceAccount %s/%s exists in every namespace and is used without being named: remove its "+
			"bindings by hand",
			cand.account.Namespace, cand.account.Name)
	}
	if cand.object.Embedding != nil {
		cand.appliedDifferently = true
		return refuseEmbedded(cand.object, withGrants(c, cand))
	}
	if !cand.object.InFile() {
		cand.appliedDifferently = true
		return refuseTemplateAccount(c, cand)
	}
	if err := c.CheckEditable(cand.object); err != nil {
		cand.appliedDifferently = true
		return err
	}
	if err := c.CheckFullyRead(cand.object); err != nil {
		return err
	}
	if why := c.Repo.PossibleRename(cand.object); why != "" {
		return engine.Refuse("%s stays: %s", engine.NameOf(cand.object), why)
	}
	for _, unit := range c.Repo.UnitsWith(cand.object) {
		if err := collectBindings(c, cand, unit); err != nil {
			return err
		}
		if err := collectSecrets(c, cand, unit); err != nil {
			return err
		}
	}
	return nil
}

// refuseTemplateAccount refuses to remove the account of a chart.
func refuseTemplateAccount(c *engine.Context, cand *candidate) error {
	what := "remove it there by hand once it is no longer used" + withGrants(c, cand)
	return &engine.Refusal{Reason: engine.RefuseTemplate(cand.object, nil, what).Error(), Alike: "template: remove the account by hand"}
}

// withGrants names the roles that the account is still granted, as a part of a sentence.
func withGrants(c *engine.Context, cand *candidate) string {
	roles := map[string]bool{}
	for _, unit := range c.Repo.UnitsWith(cand.object) {
		for _, b := range rbac.BindingsOf(unit, cand.object, rbac.Account(cand.account)) {
			if b.Via == "" {
				roles[b.Role.Kind+" "+b.Role.Name] = true
			}
		}
	}
	if len(roles) == 0 {
		return ""
	}
	return ", together with what grants it " + strings.Join(slices.Sorted(maps.Keys(roles)), ", ")
}

func collectBindings(c *engine.Context, cand *candidate, u *objects.Unit) error {
	for _, b := range rbac.BindingsOf(u, cand.object, rbac.Account(cand.account)) {
		switch {
		case b.Via != "":
			continue
		case len(b.Tie) > 0:
			return engine.Refuse("%s at %s may belong to any of the accounts at %s, so nothing is removed: list the objects "+
				"that are applied together in a kustomization", b.Object.Kind, b.Object.Position(nil), engine.Places(b.Tie))
		case b.Uncertain:
			return engine.Refuse("%s at %s names an account without its namespace, so nothing is removed: set it",
				b.Object.Kind, b.Object.Position(subjects.Path(b.SubjectIndex)))
		case strings.HasPrefix(b.Role.Name, platformRole):
			return engine.Refuse("%s stays: %s at %s binds it to %s, a role of the platform, so the account does more than "+
				"install",
				engine.NameOf(cand.object), b.Object.Kind, b.Object.Position(nil), b.Role.Name)
		}
		if err := subjects.CheckOthersActivated(b.Object, b.SubjectIndex); err != nil {
			return err
		}
		if err := c.CheckEditable(b.Object); err != nil {
			return err
		}
		cand.subjects = append(cand.subjects, b)
	}
	return nil
}

// collectSecrets finds the token Secrets of the account. A Secret with data stays, because the data was put there on purpose
// and no diff may show it.
func collectSecrets(c *engine.Context, cand *candidate, u *objects.Unit) error {
	for _, ref := range u.References(cand.account) {
		if ref.What != objects.TokenSecret {
			continue
		}
		o := ref.Object
		if owned, _ := u.Owns(cand.object, u.Namesakes(cand.object), o); !owned {
			continue
		}
		if o.Node.Get("data") != nil || o.Node.Get("stringData") != nil {
			return engine.Refuse("Secret %s at %s is a token of the account and contains data: remove it by hand first", o.Name, o.Position(nil))
		}
		if err := c.CheckEditable(o); err != nil {
			return err
		}
		if !slices.Contains(cand.secrets, o) {
			cand.secrets = append(cand.secrets, o)
		}
	}
	return nil
}

// build makes the plan that removes the account.
func (cand *candidate) build() *engine.Plan {
	p := &engine.Plan{
		Kind: finding.Prune, Object: cand.object, Needs: slices.Clone(cand.plans),
		Description: "Remove " + engine.NameOf(cand.object).String() + ", which is no longer used",
	}
	p.RemoveObject(cand.object, repo.OrderRemoval)
	for _, o := range cand.secrets {
		p.RemoveObject(o, repo.OrderRemoval)
	}
	indexes := map[*objects.Object][]int{}
	var bindings []*objects.Object
	for _, s := range cand.subjects {
		if indexes[s.Object] == nil {
			bindings = append(bindings, s.Object)
		}
		indexes[s.Object] = append(indexes[s.Object], s.SubjectIndex)
		p.Losses = append(p.Losses, subjects.GrantChange(s, engine.Pruned))
	}
	for _, binding := range bindings {
		subjects.Remove(p, binding, indexes[binding], repo.OrderRemoval)
	}
	cand.plan = p
	return p
}

// platformRole begins the names of the roles of the platform. An account that is bound to one, such as system:image-puller,
// does more than install an extension.
const platformRole = "system:"

// isPrunable reports whether a role can be removed at all: it is not one of the cluster's own.
func isPrunable(role *objects.Object) bool {
	ref := rbac.RoleRef{Kind: role.Kind, Name: role.Name, Namespace: role.Namespace}
	return !ref.Builtin() && !strings.HasPrefix(role.Name, platformRole)
}
