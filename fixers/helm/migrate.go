package helm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// migrateInTemplate prepares the removal of lines if OLM then acts as the synthetic identity. All extensions whose accounts
// the lines write must get the same bindings, which one template can write.
func migrateInTemplate(c *engine.Context, p *engine.Plan, g *reachedExtensions) error {
	if c.Policy.Grant.Mode == engine.LeastPrivilege {
		return engine.Refuse("the permissions that a bundle needs cannot be written into templates: " + bindByHand)
	}
	var templates []*bindingTemplate
	var descriptions []string
	for _, m := range g.members {
		h, err := templateMigration(c, p, m)
		if err != nil {
			return err
		}
		s, err := bindingTemplateFor(c, &templates, m)
		if err != nil {
			return err
		}
		if err := checkField(c, m, s.name); err != nil {
			return err
		}
		if err := s.addMember(c, m, h); err != nil {
			return err
		}
		if !slices.Contains(descriptions, p.Description) {
			descriptions = append(descriptions, p.Description)
		}
	}
	if c.Policy.Grant.Mode != engine.RoleGrant {
		if err := checkUnrenderedBindings(c, g); err != nil {
			return err
		}
	}
	p.Description = describeAll(c, g, templates, descriptions)
	slices.Sort(p.Notes)
	p.Notes = slices.Compact(p.Notes)
	identity.NoteUnknownRole(c, p)
	return writeTemplates(c, p, templates)
}

// describeAll describes in one sentence what becomes of all extensions that the lines render. If the template grants all of
// them the same, this is described once.
func describeAll(c *engine.Context, g *reachedExtensions, templates []*bindingTemplate, descriptions []string) string {
	remove := "Remove " + g.members[0].Account.Path.String()
	var names, roles []string
	for _, m := range g.members {
		names = append(names, m.Name)
	}
	for _, s := range templates {
		roles = append(roles, grantValuesText(s.grants))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	granted := func(d string) bool { return strings.Contains(d, ", and first grant User ") }
	if len(names) < 2 || len(descriptions) < 2 || len(roles) > 1 || !slices.ContainsFunc(descriptions, granted) {
		return engine.ShortList(descriptions, remove)
	}
	what := "what its account holds: " + roles[0]
	if c.Policy.Grant.Mode == engine.RoleGrant {
		what = roles[0]
	}
	if len(names) > engine.MaxListed {
		names = append(names[:engine.MaxListed:engine.MaxListed], fmt.Sprintf("%d more", len(names)-engine.MaxListed))
	}
	return fmt.Sprintf("%s, and first grant User %s of each extension that the template renders (%s) %s",
		remove, olm.User("<name>"), strings.Join(names, ", "), what)
}

// templateMigration works out the migration of one extension, and declares it. If its identity does not count, the bindings
// are declared too, because all extensions share one template.
func templateMigration(c *engine.Context, p *engine.Plan, m *renderedExtension) (identity.Migration, error) {
	if len(identity.UnitsUsingIdentity(c, m.Variant)) > 0 {
		h, switches, err := identity.MigrateToUser(c, p, m.Variant)
		if err == nil && switches {
			identity.DeclareMigration(c, p, m.Variant, h)
		}
		return h, err
	}
	h := identity.Migration{From: m.AccountSubject(), To: m.UserSubject()}
	switch {
	case m.Account.State != olm.Named || m.Account.Name == olm.Placeholder:
	case c.Policy.Grant.Mode == engine.RoleGrant:
		h.Missing = roleGrants(c)
	default:
		h.Missing = identity.GrantsOf(m.unit, m.Variant, h.From).NotHeldBy(identity.GrantsOf(m.unit, m.Variant, h.To).CertainOnly())
	}
	identity.DeclareGains(p, m.Variant, identity.Grantee(c, h), h.Missing...)
	return h, nil
}

// roleGrants returns the grant of the role that the user names.
func roleGrants(c *engine.Context) []rbac.Grant {
	return []rbac.Grant{{Role: rbac.RoleRef{Kind: "ClusterRole", Name: c.Policy.Grant.Role}}}
}
