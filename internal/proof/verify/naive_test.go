package verify_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/proof/verify/verifytest"
)

// This file computes permissions a second time, independently of the program: it decodes all files into maps, iterates over
// all bindings for every identity, and tests every possible single permission. Of each kind of word there is one that no
// manifest contains and only wildcards allow.

var (
	verbsAsked      = []string{"get", "list", "unheard-of"}
	groupsAsked     = []string{"", "apps", "unheard.of"}
	resourcesAsked  = []string{"pods", "secrets", "unheard", "pods/scale", "unheard/scale"}
	namesAsked      = []string{"", "one", "two", "unheard-of"}
	urlsAsked       = []string{"/metrics", "/api/v1", "/api/unheard-of", "/unheard-of"}
	namespacesAsked = []string{"", "ops", "apps", "unheard-of"}
)

// permissions is a set of single permissions: the namespace, and what is allowed there.
type permissions map[[2]string]bool

func (p permissions) without(other permissions) permissions {
	left := permissions{}
	for key := range p {
		if !other[key] {
			left[key] = true
		}
	}
	return left
}

type object map[string]any

func (o object) text(path ...string) string {
	text, _ := o.value(path...).(string)
	return text
}

func (o object) value(path ...string) any {
	var value any = map[string]any(o)
	for _, key := range path {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	return value
}

func (o object) list(path ...string) []object {
	items, _ := o.value(path...).([]any)
	var list []object
	for _, item := range items {
		list = append(list, item.(map[string]any))
	}
	return list
}

func decode(t *testing.T, repo verifytest.Repo) []object {
	t.Helper()
	var all []object
	for _, file := range repo.Tree().Names() {
		for _, part := range strings.Split("\n"+repo[file], "\n---") {
			var o object
			if err := yaml.Unmarshal([]byte(part), &o); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if o != nil {
				all = append(all, o)
			}
		}
	}
	return all
}

// identities returns all subjects of bindings, and the identities as which OLM acts.
func identities(manifests []object) map[string][]string {
	found := map[string][]string{}
	add := func(kind, namespace, name string) {
		id := strings.TrimSpace(kind + " " + strings.TrimPrefix(namespace+"/"+name, "/"))
		found[id] = []string{id}
		switch {
		case kind == "ServiceAccount":
			found[id] = append(found[id], "Group system:serviceaccounts", "Group system:serviceaccounts:"+namespace, "Group system:authenticated")
		case kind == "User" && strings.HasPrefix(name, "olm:clusterextension:"):
			found[id] = append(found[id], "Group olm:clusterextensions", "Group system:authenticated")
		case kind == "User":
			found[id] = append(found[id], "Group system:authenticated")
		}
	}
	for _, o := range manifests {
		for _, s := range o.list("subjects") {
			add(s.text("kind"), s.text("namespace"), s.text("name"))
		}
		if o.text("kind") != "ClusterExtension" {
			continue
		}
		if account := o.text("spec", "serviceAccount", "name"); account != "" {
			add("ServiceAccount", o.text("spec", "namespace"), account)
		} else {
			add("User", "", "olm:clusterextension:"+o.text("metadata", "name"))
		}
	}
	return found
}

// grant is what a binding grants, and to which subjects.
type grant struct {
	names []string
	permissions
}

// grants returns the grants of all bindings.
func grants(manifests []object) []grant {
	var all []grant
	for _, o := range manifests {
		g := grant{permissions: permissions{}}
		for _, s := range o.list("subjects") {
			g.names = append(g.names, s.text("kind")+" "+strings.TrimPrefix(s.text("namespace")+"/"+s.text("name"), "/"))
		}
		namespaces := namespacesAsked
		if o.text("kind") == "RoleBinding" {
			namespaces = []string{o.text("metadata", "namespace")}
		}
		for _, namespace := range namespaces {
			for _, permission := range roleAllows(manifests, o, namespace == "") {
				g.permissions[[2]string{namespace, permission}] = true
			}
		}
		if len(g.names) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// granted returns every single permission of an identity with the given names.
func granted(all []grant, names []string) permissions {
	found := permissions{}
	for _, g := range all {
		if slices.ContainsFunc(g.names, func(name string) bool { return slices.Contains(names, name) }) {
			maps.Copy(found, g.permissions)
		}
	}
	return found
}

// roleAllows returns the permissions of a binding's role. A role that does not exist, or to which other roles outside can
// add rules, is a separate permission.
func roleAllows(manifests []object, binding object, urls bool) []string {
	var allowed []string
	kind, name := binding.text("roleRef", "kind"), binding.text("roleRef", "name")
	known := false
	for _, o := range manifests {
		if o.text("kind") != kind || o.text("metadata", "name") != name ||
			kind == "Role" && o.text("metadata", "namespace") != binding.text("metadata", "namespace") {
			continue
		}
		known = o.value("aggregationRule") == nil
		for _, rule := range rulesOf(manifests, o) {
			allowed = append(allowed, ruleAllows(rule, urls)...)
		}
	}
	if !known {
		allowed = append(allowed, "whatever "+kind+" "+name+" allows")
	}
	return allowed
}

// rulesOf returns the rules of a role. The rules in an aggregated role stay only if nothing replaces them.
func rulesOf(manifests []object, role object) []rbacv1.PolicyRule {
	if role.value("aggregationRule") == nil {
		return policyRules(role)
	}
	var rules []rbacv1.PolicyRule
	for _, other := range manifests {
		if other.text("kind") == "ClusterRole" && other.text("metadata", "labels", "part") == "yes" {
			rules = append(rules, policyRules(other)...)
		}
	}
	if len(rules) == 0 {
		return policyRules(role)
	}
	return rules
}

func policyRules(role object) []rbacv1.PolicyRule {
	var r rbacv1.Role
	text, err := json.Marshal(role)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		panic(err)
	}
	return r.Rules
}

func ruleAllows(rule rbacv1.PolicyRule, urls bool) []string {
	has := func(list []string, word string) bool {
		return slices.Contains(list, word) || slices.Contains(list, "*")
	}
	var allowed []string
	for _, verb := range verbsAsked {
		if !has(rule.Verbs, verb) {
			continue
		}
		for _, url := range urlsAsked {
			if urls && slices.ContainsFunc(rule.NonResourceURLs, func(pattern string) bool {
				prefix, open := strings.CutSuffix(pattern, "*")
				return url == pattern || open && strings.HasPrefix(url, prefix)
			}) {
				allowed = append(allowed, verb+" "+url)
			}
		}
		for _, group := range groupsAsked {
			for _, resource := range resourcesAsked {
				_, subresource, _ := strings.Cut(resource, "/")
				if !has(rule.APIGroups, group) ||
					!has(rule.Resources, resource) && !(subresource != "" && slices.Contains(rule.Resources, "*/"+subresource)) {
					continue
				}
				for _, name := range namesAsked {
					if len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, name) {
						allowed = append(allowed, fmt.Sprintf("%s %s.%s/%s", verb, resource, group, name))
					}
				}
			}
		}
	}
	return allowed
}
