package impersonation

import (
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/kube/restmap"
	"github.com/salint/salint/internal/needs/preflight"
)

// Input is an application, the account as which it is applied, and what the repository grants to the account.
type Input struct {
	Application *gitops.Application
	Account     objects.Account
	// Units are what the application applies, with all objects.
	Units []*objects.Unit
	// Near are the units on the cluster of the application that may grant something to the account. Others are further units that
	// may: what they grant is not missing.
	Near, Others []*objects.Unit
}

// Result is what the account lacks.
type Result struct {
	// Missing are the permissions that no unit grants to the account, by namespace: those that are certainly missing, and if there
	// are none, those that can be granted by what is not known.
	Missing []preflight.Scoped
	// Doubtful are the roles whose rules are not all known and that can contain the missing permissions, sorted. Uncertain is set if
	// bindings can grant them whose subject or namespace is filled in later. Both are zero for what is certainly missing.
	Doubtful  []rbac.RoleRef
	Uncertain bool
	// Purposes are what the tool needs some of them for, in addition to applying the objects.
	Purposes []Purpose
}

// Check returns what the account lacks to apply the objects of the application. It is nil if nothing near binds the account: then its
// permissions are not in the repository. Objects of unknown kinds, names, and namespaces are not checked.
func Check(in Input) *Result {
	c := &checker{Input: in, identity: rbac.Account(in.Account).Identity(), found: map[rbac.RoleRef]bool{}}
	c.grants = slices.Concat([]*objects.Unit{c.acrossUnits()}, in.Near, in.Others)
	if !c.isBound() {
		return nil
	}
	effective := c.effective()
	for _, group := range c.groups() {
		checked, err := preflight.Check(preflight.Input{
			Objects: group.objects, Identity: c.identity, Unit: c.grants[min(1, len(c.grants)-1)], Resources: c.resources(),
			Escalation: preflight.Hold, Effective: &effective, Managed: group.verbs,
		})
		if err != nil {
			continue // a role that the API server rejects; another rule reports it
		}
		for _, gap := range checked.Gaps {
			switch {
			case gap.Unknown: // the account can hold what the role grants
			case gap.Partial: // other roles can add to what is missing, so that only bind is certain to be enough
				c.ask(gap.Namespace, []rbacv1.PolicyRule{*gap.Instead})
			default:
				c.ask(gap.Namespace, gap.Chosen)
			}
		}
	}
	c.askNamespaces()
	c.askOwn()
	return c.result()
}

// askNamespaces asks for what the account needs on Namespace objects. The API server takes the name of a Namespace for the namespace of a request
// on it, so what is granted in this namespace is enough. Only the creation of an object in another way than by an apply on the server has no name.
//
// Source: k8s.io/apiserver/pkg/endpoints/request (NewRequestInfo), handlers/patch.go.
func (c *checker) askNamespaces() {
	seen := map[string]bool{}
	for _, unit := range c.Units {
		for _, o := range unit.Objects {
			verbs := verbsFor(c.Application, o)
			if unit.NotBuilt || !isNamespace(o) || len(verbs) == 0 || seen[o.Name] || !c.isKnown(o) {
				continue
			}
			seen[o.Name] = true
			if appliesOnServer(c.Application, o) {
				verbs = append(verbs, "create")
			} else {
				c.ask("", []rbacv1.PolicyRule{{Verbs: []string{"create"}, APIGroups: []string{""}, Resources: []string{"namespaces"}}})
			}
			c.ask(o.Name, []rbacv1.PolicyRule{{Verbs: verbs, APIGroups: []string{""}, Resources: []string{"namespaces"}, ResourceNames: []string{o.Name}}})
		}
	}
}

func isNamespace(o *objects.Object) bool { return o.Group == "" && o.Kind == "Namespace" }

// result returns what is certainly missing, and if there is nothing, what may be.
func (c *checker) result() *Result {
	if len(c.certain) > 0 {
		return &Result{Missing: preflight.Grant(preflight.Compact(c.certain)), Purposes: c.purposes}
	}
	c.doubts.Purposes = c.doubtful
	slices.SortFunc(c.doubts.Doubtful, compareRoles)
	c.doubts.Doubtful = slices.Compact(c.doubts.Doubtful)
	c.doubts.Missing = preflight.Grant(preflight.Compact(c.doubts.Missing))
	return &c.doubts
}

// Summary returns the missing permissions without the names of objects, in fewer rules.
func (r *Result) Summary() []preflight.Scoped {
	var all []preflight.Scoped
	for _, scope := range r.Missing {
		rules := slices.Clone(scope.Rules)
		for i := range rules {
			if !slices.Contains(rules[i].Verbs, "bind") { // without names, it is the permission to become an administrator
				rules[i].ResourceNames = nil
			}
		}
		all = append(all, preflight.Scoped{Namespace: scope.Namespace, Rules: rules})
	}
	return preflight.Grant(preflight.Compact(all))
}

func compareRoles(a, b rbac.RoleRef) int {
	return strings.Compare(a.Kind+"\x00"+a.Namespace+"\x00"+a.Name, b.Kind+"\x00"+b.Namespace+"\x00"+b.Name)
}

type checker struct {
	Input
	identity rbac.Identity
	// grants are the units whose bindings count; names are resolved separately in each.
	grants []*objects.Unit
	// found are the roles that are in another unit than a binding of the account.
	found map[rbac.RoleRef]bool
	kinds *restmap.Map
	// certain are missing permissions, and doubts those that a role or binding can grant which is not known.
	certain []preflight.Scoped
	doubts  Result
	// purposes are those of certain, and doubtful ones those of doubts.
	purposes, doubtful []Purpose
}

// acrossUnits returns a unit with the bindings of the account whose roles are in another unit of the cluster, and with these roles.
func (c *checker) acrossUnits() *objects.Unit {
	across := &objects.Unit{Name: "grants", Kind: objects.KustomizationUnit}
	for _, unit := range c.Near {
		across.Kubernetes = unit.Kubernetes
		for _, b := range rbac.BindingsFor(unit, nil, c.identity) {
			if b.Object == nil || b.RoleObject != nil || len(b.RoleTie) > 0 || b.Role.Builtin() {
				continue
			}
			if roles := c.rolesIn(b.Role, unit); len(roles) > 0 {
				c.found[b.Role] = true
				across.Objects = append(append(across.Objects, b.Object), roles...)
			}
		}
	}
	slices.SortStableFunc(across.Objects, objects.Compare)
	across.Objects = slices.Compact(across.Objects)
	return across
}

// rolesIn returns the manifests of a role in the units of the cluster apart from one.
func (c *checker) rolesIn(role rbac.RoleRef, apart *objects.Unit) []*objects.Object {
	group := rbac.Group
	var roles []*objects.Object
	for _, unit := range c.Near {
		if unit != apart {
			roles = append(roles, unit.Find(objects.Query{Group: &group, Kind: role.Kind, Namespace: role.Namespace, Name: role.Name})...)
		}
	}
	return roles
}

// isBound reports whether a binding on the cluster names the account itself.
func (c *checker) isBound() bool {
	return slices.ContainsFunc(c.Near, func(unit *objects.Unit) bool {
		return slices.ContainsFunc(rbac.BindingsFor(unit, nil, c.identity), func(b rbac.Binding) bool { return b.Via == "" && !b.Default })
	})
}

// effective returns what all units together grant.
func (c *checker) effective() rbac.Effective {
	all := rbac.Effective{Namespaces: map[string][]rbacv1.PolicyRule{}}
	for _, unit := range c.grants {
		granted := rbac.EffectiveFor(unit, nil, c.identity)
		all.Cluster = append(all.Cluster, granted.Cluster...)
		for namespace, rules := range granted.Namespaces {
			all.Namespaces[namespace] = append(all.Namespaces[namespace], rules...)
		}
	}
	return all
}

// resources returns the known kinds, with those of the definitions among the objects.
func (c *checker) resources() *restmap.Map {
	if c.kinds == nil {
		c.kinds = restmap.New()
		for _, unit := range c.Units {
			for _, o := range unit.Find(objects.Query{Kind: "CustomResourceDefinition"}) {
				c.kinds.AddCRD(o.JSON())
			}
		}
	}
	return c.kinds
}

// ask divides the missing permissions of a gap into those that are certainly missing and those that may be granted.
func (c *checker) ask(namespace string, rules []rbacv1.PolicyRule) {
	for _, rule := range policyrules.Breakdown(rules) {
		missing := preflight.Scoped{Namespace: namespace, Rules: []rbacv1.PolicyRule{rule}}
		allowed, doubts := c.held(rule, namespace)
		switch {
		case allowed:
		case len(doubts.Doubtful) > 0 || doubts.Uncertain:
			c.doubts.Missing = append(c.doubts.Missing, missing)
			c.doubts.Doubtful = append(c.doubts.Doubtful, doubts.Doubtful...)
			c.doubts.Uncertain = c.doubts.Uncertain || doubts.Uncertain
		default:
			c.certain = append(c.certain, missing)
		}
	}
}

// held reports whether a unit grants a single permission that is missing in the effective ones, and otherwise what can grant it. For a
// URL in a namespace there is no request: only a role that is granted there needs it.
func (c *checker) held(rule rbacv1.PolicyRule, namespace string) (ok bool, doubts Result) {
	if request, ok := requestOf(rule, namespace); ok {
		return c.allowed(request)
	}
	for _, unit := range c.grants {
		for _, b := range rbac.BindingsFor(unit, nil, c.identity) {
			if b.Scope != "" && b.Scope != namespace {
				doubts.Uncertain = doubts.Uncertain || !isPlain(b.Scope) || b.Scope == rbac.UnknownNamespace
				continue
			}
			if _, known, partial := rbac.RoleRulesOf(unit, b.Role, b.Object); partial || !known && !c.found[b.Role] {
				doubts.Doubtful = append(doubts.Doubtful, b.Role)
			}
		}
	}
	return false, doubts
}

// requestOf returns the request that a single permission allows.
func requestOf(rule rbacv1.PolicyRule, namespace string) (rbac.Request, bool) {
	if len(rule.Verbs) == 1 && len(rule.NonResourceURLs) == 1 && namespace == "" {
		return rbac.Request{Verb: rule.Verbs[0], Path: rule.NonResourceURLs[0]}, true
	}
	if len(rule.Verbs) != 1 || len(rule.APIGroups) != 1 || len(rule.Resources) != 1 || len(rule.ResourceNames) > 1 {
		return rbac.Request{}, false
	}
	resource, subresource, _ := strings.Cut(rule.Resources[0], "/")
	request := rbac.Request{Verb: rule.Verbs[0], Group: rule.APIGroups[0], Resource: resource, Subresource: subresource, Namespace: namespace}
	if len(rule.ResourceNames) == 1 {
		request.Name = rule.ResourceNames[0]
	}
	return request, true
}

// allowed reports whether a unit allows a request, and otherwise what can allow it.
func (c *checker) allowed(request rbac.Request) (ok bool, doubts Result) {
	for _, unit := range c.grants {
		answer := rbac.Ask(unit, nil, c.identity, request)
		if answer.Allowed {
			return true, Result{}
		}
		unknown := slices.DeleteFunc(answer.Unknown, func(role rbac.RoleRef) bool { return c.found[role] })
		doubts.Doubtful = append(append(doubts.Doubtful, unknown...), answer.Partial...)
		for _, newer := range answer.Newer {
			doubts.Doubtful = append(doubts.Doubtful, newer.Binding.Role)
		}
		doubts.Uncertain = doubts.Uncertain || len(answer.Uncertain) > 0
	}
	return false, doubts
}

// group are objects on which the same verbs are required.
type group struct {
	verbs   []string
	objects []rendered.Object
}

// groups returns the objects of the application that can be checked.
func (c *checker) groups() []group {
	byVerbs := map[string]*group{}
	seen := map[*objects.Object]bool{}
	for _, unit := range c.Units {
		if unit.NotBuilt {
			continue
		}
		for _, o := range unit.Objects {
			verbs := verbsFor(c.Application, o)
			if seen[o] || len(verbs) == 0 || isNamespace(o) || !c.isKnown(o) {
				continue
			}
			seen[o] = true
			key := strings.Join(verbs, ",")
			if byVerbs[key] == nil {
				byVerbs[key] = &group{verbs: verbs}
			}
			byVerbs[key].objects = append(byVerbs[key].objects, c.rendered(o))
		}
	}
	var groups []group
	for _, key := range slices.Sorted(maps.Keys(byVerbs)) {
		groups = append(groups, *byVerbs[key])
	}
	return groups
}

// isKnown reports whether the resource, the name, and the namespace of an object are known.
func (c *checker) isKnown(o *objects.Object) bool {
	resource, known := c.resources().Kind(o.Group, o.Kind)
	if !known || !isPlain(o.Name) || o.Embedding != nil {
		return false
	}
	return !resource.Namespaced || isPlain(c.namespace(o))
}

// isPlain reports whether a name is complete: no tool fills in a part of it.
func isPlain(name string) bool {
	return name != "" && name != "release-namespace" && !strings.ContainsAny(name, "${}<> ")
}

// namespace returns the namespace in which an object is applied. Flux does not apply an object without one, unless a chart renders
// it.
func (c *checker) namespace(o *objects.Object) string {
	switch {
	case c.Application.Tool == gitops.FluxKustomize && c.Application.Target.Value != "":
		return c.Application.Target.Value
	case o.Namespace == "" && c.Application.Tool != gitops.FluxKustomize:
		return c.Application.Target.Value
	}
	return o.Namespace
}

// rendered returns an object with the namespace in which it is applied.
func (c *checker) rendered(o *objects.Object) rendered.Object {
	object := maps.Clone(o.JSON())
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["namespace"] = c.namespace(o)
	object["metadata"] = metadata
	return rendered.Object{JSON: object, Origin: rendered.Origin{File: o.File}}
}
