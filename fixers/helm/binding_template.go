package helm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

const bindByHand = "write the bindings into the chart by hand, or set --grant role=NAME"

// migrateInTemplate prepares the removal of lines if OLM then acts as the synthetic identity. All extensions whose accounts
// the lines write must get the same bindings, which one template can write.
func migrateInTemplate(c *engine.Context, p *engine.Plan, g *reachedExtensions) error {
	if c.Policy.Grant.Mode == engine.LeastPrivilege {
		return engine.Refuse("the permissions that a bundle needs cannot be written into templates: " + bindByHand)
	}
	var scopes []*bindingTemplate
	var descriptions []string
	for _, m := range g.members {
		h, err := templateMigration(c, p, m)
		if err != nil {
			return err
		}
		s, err := bindingTemplateFor(c, &scopes, m)
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
	p.Description = describeAll(c, g, scopes, descriptions)
	slices.Sort(p.Notes)
	p.Notes = slices.Compact(p.Notes)
	identity.NoteUnknownRole(c, p)
	return writeTemplates(c, p, scopes)
}

// describeAll describes in one sentence what becomes of all extensions that the lines render. If the template grants all of
// them the same, this is described once.
func describeAll(c *engine.Context, g *reachedExtensions, scopes []*bindingTemplate, descriptions []string) string {
	remove := "Remove " + g.members[0].Account.Path.String()
	var names, roles []string
	for _, m := range g.members {
		names = append(names, m.Name)
	}
	for _, s := range scopes {
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

// bindingTemplate is a template with bindings for all extensions whose names one place in a chart writes.
type bindingTemplate struct {
	name    templateValue
	members []*renderedExtension
	// grants are the grants of each of these extensions, in the words of the template.
	grants      []grantValue
	annotations map[string]templateValue
	migrations  []identity.Migration
}

// grantValue is a grant with its names as templates write them.
type grantValue struct {
	kind        string
	role, scope templateValue
	conditions  []condition
	grants      []rbac.Grant // the grants of the members, in their order
}

func (g grantValue) key() string {
	parts := []string{g.kind, g.role.key, g.scope.key}
	for _, c := range g.conditions {
		parts = append(parts, c.key())
	}
	return strings.Join(parts, "\x00")
}

// bindingTemplateFor returns the template for an extension: one of those that exist, or a new one.
func bindingTemplateFor(c *engine.Context, scopes *[]*bindingTemplate, m *renderedExtension) (*bindingTemplate, error) {
	name, err := valueOf(c, m.unit, m.Object, manifest.Path{"metadata", "name"})
	if err != nil {
		return nil, err
	}
	for _, s := range *scopes {
		if s.name.key == name.key {
			return s, nil
		}
	}
	if err := checkNameBlocks(c, m, name); err != nil {
		return nil, err
	}
	s := &bindingTemplate{name: name}
	*scopes = append(*scopes, s)
	return s, nil
}

// addMember adds an extension. Its grants and annotations must be written like those of the others.
func (s *bindingTemplate) addMember(c *engine.Context, m *renderedExtension, h identity.Migration) error {
	grants, err := grantValues(c, m, h, s.name)
	if err != nil {
		return err
	}
	annotations, err := annotationValues(c, m, s.name)
	if err != nil {
		return err
	}
	if len(s.members) == 0 {
		s.grants, s.annotations = grants, annotations
	} else if err := s.checkAlike(m, grants, annotations); err != nil {
		return err
	}
	s.members, s.migrations = append(s.members, m), append(s.migrations, h)
	return nil
}

func (s *bindingTemplate) checkAlike(m *renderedExtension, grants []grantValue, annotations map[string]templateValue) error {
	first := s.members[0]
	for i := range s.grants {
		if len(grants) != len(s.grants) || grants[i].key() != s.grants[i].key() {
			return engine.Refuse("one template renders %s for %s and %s for %s, but the bindings that they need are written "+
				"differently (%s, and %s): %s",
				engine.NameOf(first.Object), first.unit, engine.NameOf(m.Object), m.unit, grantValuesText(s.grants), grantValuesText(grants), bindByHand)
		}
		s.grants[i].grants = append(s.grants[i].grants, grants[i].grants...)
	}
	if len(s.grants) == 0 && len(grants) > 0 {
		return engine.Refuse("one template renders %s for %s, which needs no binding, and %s for %s, which needs %s: %s",
			engine.NameOf(first.Object), first.unit, engine.NameOf(m.Object), m.unit, grantValuesText(grants), bindByHand)
	}
	for _, key := range generate.OrderKeys {
		if annotations[key].key != s.annotations[key].key {
			return engine.Refuse("the annotation %s of %s is written differently from that of %s, so the annotations of the "+
				"bindings are uncertain: %s",
				key, engine.NameOf(m.Object), engine.NameOf(first.Object), bindByHand)
		}
	}
	return nil
}

func grantValuesText(grants []grantValue) string {
	var names []string
	for _, g := range grants {
		names = append(names, g.kind+" "+g.role.text)
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// grantValues returns how the missing grants are written, sorted.
func grantValues(c *engine.Context, m *renderedExtension, h identity.Migration, name templateValue) ([]grantValue, error) {
	held := identity.GrantsOf(m.unit, m.Variant, h.From)
	var all []grantValue
	for _, g := range h.Missing {
		w := grantValue{kind: g.Role.Kind, role: literal(g.Role.Name), grants: []rbac.Grant{g}}
		if g.Scope != "" {
			w.scope = literal(g.Scope)
		}
		if held.Has(g) {
			if err := fromBinding(c, m, &w, held.BindingOf(g), name); err != nil {
				return nil, err
			}
		}
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b grantValue) int { return strings.Compare(a.key(), b.key()) })
	return all, nil
}

// fromBinding writes a grant like the binding by which the account has it.
func fromBinding(c *engine.Context, m *renderedExtension, w *grantValue, b rbac.Binding, name templateValue) (err error) {
	if err := checkBinding(c, m, b, name); err != nil {
		return err
	}
	if w.role, err = valueOf(c, m.unit, b.Object, manifest.Path{"roleRef", "name"}); err != nil {
		return err
	}
	if w.conditions, err = conditionsOf(c, m, b, name); err != nil {
		return err
	}
	w.role = w.role.placeFree()
	if w.scope.text == "" {
		return nil
	}
	w.scope, err = valueOf(c, m.unit, b.Object, manifest.Path{"metadata", "namespace"})
	w.scope = w.scope.placeFree()
	return err
}

// annotationValues returns how the annotations are written by which Helm and Argo CD order what they apply.
func annotationValues(c *engine.Context, m *renderedExtension, name templateValue) (map[string]templateValue, error) {
	all := map[string]templateValue{}
	there := generate.OrderAnnotations(m.Object)
	for _, key := range generate.OrderKeys {
		if _, ok := there[key]; !ok {
			continue
		}
		w, err := valueOf(c, m.unit, m.Object, manifest.Path{"metadata", "annotations", key})
		if err != nil {
			return nil, err
		}
		conditions, err := w.conditionsAt(name)
		if err == nil && len(conditions) > 0 {
			err = w.refuseElsewhere()
		}
		if err == nil {
			w, err = w.at(name)
		}
		if err != nil {
			return nil, err
		}
		all[key] = w
	}
	return all, nil
}

// bindings returns the bindings that the unit of a member renders after the fix.
func (s *bindingTemplate) bindings(c *engine.Context, i int, unique bool) ([]identity.Generated, error) {
	m := s.members[i]
	var bindings []identity.Generated
	for _, w := range s.grants {
		g := w.grants[i]
		b := identity.NewBinding(m.Variant, g, identity.Grantee(c, s.migrations[i]))
		b.Metadata.Name = olm.BindingName(m.Name, g.Role.Name)
		if unique {
			b.Metadata.Name = uniqueName(m, g, b)
		}
		if plain := olm.BindingName(m.Name, g.Role.Name) == olm.PlainBindingName(m.Name, g.Role.Name); !plain && !s.isLiteral(w) {
			return nil, engine.Refuse("the binding of %s to %s would have the name %s, which a template cannot compute: %s",
				engine.NameOf(m.Object), engine.GrantName(g), b.Metadata.Name, bindByHand)
		}
		bindings = append(bindings, b)
	}
	return bindings, nil
}

// isLiteral reports whether the name of a binding is known without rendering.
func (s *bindingTemplate) isLiteral(w grantValue) bool {
	return s.name.isLiteral() && w.role.isLiteral()
}

func uniqueName(m *renderedExtension, g rbac.Grant, b identity.Generated) string {
	to := b.Subjects[0]
	return olm.UniqueBindingName(m.Name, g.Role.Name, g.Role.Kind, to.Kind, to.Namespace, to.Name)
}
