package bundlediff

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/preflight"
)

type effect = permission.Effect

// granted are the permissions of a subject: from bindings that name it, and from all bindings that apply to it, including
// those of its groups.
type granted struct{ own, all effect }

// emptyUnit returns a repository without roles: the content is compared only with itself, and with the default roles.
func (o Options) emptyUnit() *objects.Unit {
	return &objects.Unit{Kubernetes: func() kubeversion.Range { return o.Kubernetes }}
}

// readGrants computes the effect of the roles and bindings of a version.
func (v *version) readGrants(o Options) error {
	unit, err := unitOf(v.objects, o)
	if err != nil {
		return err
	}
	if problems := rbac.Problems(unit); len(problems) > 0 {
		return problems[0]
	}
	v.grants = map[rbac.Subject]granted{}
	for _, subject := range subjectsOf(unit) {
		var g granted
		for _, b := range rbac.BindingsOf(unit, nil, subject) {
			role := roleEffect(unit, rbac.Grant{Role: b.Role, Scope: b.Scope}, b.Object)
			g.all.Include(role)
			if b.Via == "" {
				g.own.Include(role)
			}
		}
		v.grants[subject] = g
	}
	v.roles, v.defaults = aggregatedRoles(unit), o.emptyUnit()
	return nil
}

// unitOf returns a deployment unit of the roles and bindings among rendered objects. Namespaced ones without a namespace
// get the one in which the content is installed.
func unitOf(objs []rendered.Object, options Options) (*objects.Unit, error) {
	var text bytes.Buffer
	seen := map[[3]string]bool{}
	for i := range objs {
		o := &objs[i]
		key := [3]string{o.Kind(), o.Namespace(), o.Name()}
		if o.Group() != rbac.Group || seen[key] {
			continue
		}
		seen[key] = true
		data, err := json.Marshal(withKnownFields(placed(o, options.Namespace)))
		if err != nil {
			return nil, fmt.Errorf("%s: %s %s: %w", preflight.Place(o), o.Kind(), o.Name(), err)
		}
		text.WriteString("---\n")
		text.Write(data)
		text.WriteByte('\n')
	}
	var all []*objects.Object
	for _, doc := range manifest.Scan("content", text.Bytes()).Docs {
		if err := doc.Parse(); err != nil {
			return nil, err
		}
		all = append(all, objects.Objects(doc)...)
	}
	if units := assembly.Units(all, nil); len(units) > 0 {
		units[0].Kubernetes = func() kubeversion.Range { return options.Kubernetes }
		return units[0], nil
	}
	return options.emptyUnit(), nil
}

// withKnownFields returns a role or binding in the version that the API server has, without the fields that rules do not have, which it
// drops. preflight.Needs notes both.
func withKnownFields(role map[string]any) map[string]any {
	role = maps.Clone(role)
	role["apiVersion"] = rbac.Group + "/v1"
	rules, _ := role["rules"].([]any)
	if len(rules) == 0 {
		return role
	}
	rules = slices.Clone(rules)
	for i, rule := range rules {
		if fields, ok := rule.(map[string]any); ok {
			fields = maps.Clone(fields)
			maps.DeleteFunc(fields, func(name string, _ any) bool { return !preflight.IsRuleField(name) })
			rules[i] = fields
		}
	}
	role["rules"] = rules
	return role
}

// placed returns a role or binding with its namespace.
func placed(o *rendered.Object, namespace string) map[string]any {
	clusterWide := strings.HasPrefix(o.Kind(), "Cluster")
	if o.Namespace() != "" && !clusterWide || o.Namespace() == "" && clusterWide {
		return o.JSON
	}
	if clusterWide {
		namespace = ""
	}
	object := maps.Clone(o.JSON)
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["namespace"] = namespace
	if namespace == "" {
		delete(metadata, "namespace")
	}
	object["metadata"] = metadata
	return object
}

// subjectsOf returns the subjects of all bindings, sorted. A user name of an account is replaced by the account.
func subjectsOf(unit *objects.Unit) []rbac.Subject {
	seen := map[rbac.Subject]bool{}
	for _, o := range unit.Objects {
		var binding struct {
			Subjects []rbacv1.Subject `json:"subjects"`
		}
		data, err := json.Marshal(o.JSON())
		if err != nil || json.Unmarshal(data, &binding) != nil {
			continue
		}
		for _, s := range binding.Subjects {
			subject := rbac.Subject{Kind: s.Kind, Name: s.Name}
			if s.Kind == rbac.KindServiceAccount {
				subject.Namespace = cmp.Or(s.Namespace, o.Namespace)
			}
			if account, ok := objects.ParseUser(s.Name); ok && s.Kind == rbac.KindUser {
				subject = rbac.Account(account)
			}
			seen[subject] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), compareSubjects)
}

func compareSubjects(a, b rbac.Subject) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// roleEffect returns the permissions of a role in a scope. A role whose rules are not all in the content also counts by its
// name.
func roleEffect(unit *objects.Unit, g rbac.Grant, near *objects.Object) effect {
	var e effect
	rules, known, partial := rbac.RoleRulesOf(unit, g.Role, near)
	e.Add(g.Scope, rules)
	if !known || partial {
		e.AddRole(g)
	}
	return e
}

func (c *comparison) moreGranted() []Change {
	var changes []Change
	for _, subject := range slices.SortedFunc(maps.Keys(c.a.grants), compareSubjects) {
		other, known := c.b.grants[subject]
		if !known {
			other.all = c.b.groups(subject)
		}
		changes = append(changes, c.permissions(c.a.grants[subject].own, Change{Part: Grants, Subject: subject, NewSubject: !known}, other.all)...)
	}
	return changes
}

// groups returns what a version grants the groups of a subject.
func (v *version) groups(subject rbac.Subject) effect {
	var e effect
	for _, group := range subject.Groups() {
		e.Include(v.grants[rbac.Subject{Kind: rbac.KindGroup, Name: group}].own)
	}
	return e
}

// moreInstaller leaves out permissions that were reported for other subjects, because the creator of their roles needs them
// as well.
func (c *comparison) moreInstaller(reported []Change) []Change {
	var gained effect
	for _, change := range reported {
		gained.Add(change.Namespace, change.Rules)
	}
	return c.permissions(c.a.needs, Change{Part: Installer}, c.b.needs, gained)
}

// needsEffect combines needs. Names of roles and bindings are ignored, because those that OLM generates contain the version
// of the operator and would change with every update.
func needsEffect(needs []preflight.Need) effect {
	var e effect
	for _, need := range needs {
		rules := need.Rules
		if need.Purpose == preflight.Manage {
			rules = slices.Clone(rules)
			for i := range rules {
				if slices.Contains(rules[i].APIGroups, rbac.Group) {
					rules[i].ResourceNames = nil
				}
			}
		}
		e.Add(need.Namespace, rules)
	}
	return e
}
