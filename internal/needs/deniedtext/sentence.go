package deniedtext

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/rbac"
)

// anchor matches the start of a readable sentence: a user, or the namespace of a listed rule.
var anchor = lazyregexp.New(`[Uu]ser\s+\\*"|Namespace:\\*"`)

// outcome is the result of reading a sentence.
type outcome int

const (
	other   outcome = iota // not about permissions
	broken                 // about permissions, and not readable
	partial                // only the beginning could be read
	read
)

// refused reads the API server's refusal, starting at the user (k8s.io/apiserver, endpoints/handlers/responsewriters):
//
//	User "u" cannot get resource "pods/log" in API group "" in the namespace "n"
//	User "u" cannot get path "/metrics"
//
// and that of servers before Kubernetes 1.12, which wrote `cannot list deployments.apps at the cluster scope`.
func refused(c *cursor, user string) (Missing, outcome) {
	if !c.words("cannot") {
		return Missing{}, other
	}
	c.space()
	verb := c.word()
	if verb == "" || !c.space() {
		return Missing{}, broken
	}
	m := Missing{User: user, Rule: rbacv1.PolicyRule{Verbs: []string{verb}}}
	if c.words("path") {
		c.space()
		path, ok := c.quoted()
		if !ok || !strings.HasPrefix(path, "/") {
			return Missing{}, broken
		}
		m.Rule.NonResourceURLs = []string{path}
		return m, read
	}
	group, resource, ok := c.resource()
	if !ok {
		return Missing{}, broken
	}
	m.Rule.APIGroups, m.Rule.Resources = []string{group}, []string{resource}
	if m.Namespace, ok = c.scope(); !ok {
		return Missing{}, broken
	}
	return m, read
}

// resource reads `resource "pods" in API group ""`, or `pods.group` without quotes.
func (c *cursor) resource() (group, resource string, ok bool) {
	if !c.words("resource") {
		resource, group, _ = strings.Cut(c.word(), ".")
		return group, resource, resource != ""
	}
	c.space()
	if resource, ok = c.quoted(); !ok || !isWords(resource) || resource == "" {
		return "", "", false
	}
	c.space()
	if !c.words("in API group") {
		return "", "", false
	}
	c.space()
	group, ok = c.quoted()
	return group, resource, ok && isWords(group)
}

func (c *cursor) scope() (namespace string, ok bool) {
	c.space()
	if c.words("at the cluster scope") {
		return "", true
	}
	if !c.words("in the namespace") {
		return "", false
	}
	c.space()
	namespace, ok = c.quoted()
	return namespace, ok && namespace != "" && isWords(namespace)
}

func isWords(s string) bool {
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return true
}

// listed reads a line of the pre-authorizer (operator-controller v1.3 to v1.10, applier/helm.go, ruleDescription):
//
//	Namespace:"n" APIGroups:[] Resources:[pods] ResourceNames:[a,b] Verbs:[get,list]
//
// Rules for URLs have NonResourceURLs after the verbs.
func listed(c *cursor) (Missing, outcome) {
	c.literal("Namespace:")
	namespace, ok := c.quoted()
	if !ok || !isWords(namespace) {
		return Missing{}, other
	}
	m := Missing{Namespace: namespace, Listed: true, Why: "the pre-authorization lists it"}
	state := other
	for {
		before := c.at
		c.space()
		field := fieldOf(&m.Rule, c.word())
		if field == nil || !c.literal(":") {
			c.at = before
			break
		}
		state = broken
		if *field, ok = c.plainList(); !ok {
			return Missing{}, broken
		}
	}
	if state == other || !complete(m.Rule) {
		c.short = c.short || c.at == len(c.text)
		return Missing{}, state
	}
	return m, read
}

func fieldOf(rule *rbacv1.PolicyRule, name string) *[]string {
	switch name {
	case "APIGroups":
		return &rule.APIGroups
	case "Resources":
		return &rule.Resources
	case "ResourceNames":
		return &rule.ResourceNames
	case "NonResourceURLs":
		return &rule.NonResourceURLs
	case "Verbs":
		return &rule.Verbs
	}
	return nil
}

// complete reports whether a rule has all parts. An incomplete rule would allow nothing.
func complete(rule rbacv1.PolicyRule) bool {
	for _, list := range [][]string{rule.Verbs, rule.Resources, rule.NonResourceURLs} {
		for _, value := range list {
			if value == "" {
				return false
			}
		}
	}
	resources := len(rule.Resources) > 0 && len(rule.APIGroups) > 0
	return len(rule.Verbs) > 0 && resources != (len(rule.NonResourceURLs) > 0)
}

// escalation reads the error about granting permissions that the user does not have, starting after the user
// (k8s.io/kubernetes, pkg/registry/rbac/validation, ConfirmNoEscalation):
//
//	user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held:
//	{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}
func escalation(c *cursor) (groups []string, rules []rbacv1.PolicyRule, state outcome) {
	if !c.literal("(groups=") {
		return nil, nil, other
	}
	groups, ok := c.quotedList()
	if !ok || !c.literal(")") || !c.space() {
		return nil, nil, broken
	}
	if !c.words("is attempting to grant RBAC permissions not currently held:") {
		return nil, nil, broken
	}
	for {
		before := c.at
		c.space()
		rule, state := c.compactRule()
		switch {
		case state == read:
			rules = append(rules, rule)
			continue
		case len(rules) == 0:
			return nil, nil, broken
		case state == other:
			c.at = before
			return groups, rules, read
		}
		c.at = before
		return groups, rules, partial
	}
}

// compactRule reads a rule as Kubernetes' CompactString writes it; the outcome is other if there is none.
func (c *cursor) compactRule() (rbacv1.PolicyRule, outcome) {
	var rule rbacv1.PolicyRule
	if !c.literal("{") {
		return rule, other
	}
	for {
		c.space()
		field := fieldOf(&rule, c.word())
		if field == nil || !c.literal(":") {
			return rule, broken
		}
		values, ok := c.quotedList()
		if !ok {
			return rule, broken
		}
		*field = values
		c.space()
		if c.literal("}") {
			break
		}
		if !c.literal(",") {
			return rule, broken
		}
	}
	if !complete(rule) {
		return rule, broken
	}
	return rule, read
}

// gap is a blank in a pattern: line ends can be escaped.
const gap = `(?:\s|\\+[nrt])+`

// refusedObject matches what precedes the user: `roles.rbac.authorization.k8s.io "x" is forbidden: `.
var refusedObject = lazyregexp.New(`([a-z0-9][a-z0-9./-]*)(?:` + gap + `\\*"([^"\\]*)\\*")?` + gap + `is` + gap +
	`forbidden:` + gap + `(?:must have cluster-admin privileges to use an aggregationRule:` + gap + `)?$`)

// object is the object of a request.
type object struct {
	resource, group, name string
	start                 int
}

// maxObject is the maximum distance of the object before the user.
const maxObject = 1024

// objectBefore returns the object between two positions in the text.
func objectBefore(text string, from, to int) (object, bool) {
	from = max(from, to-maxObject)
	match := refusedObject().FindStringSubmatchIndex(text[from:to])
	if match == nil {
		return object{}, false
	}
	found := object{start: from + match[0]}
	found.resource, found.group, _ = strings.Cut(text[from+match[2]:from+match[3]], ".")
	if match[4] >= 0 {
		found.name = text[from+match[4] : from+match[5]]
	}
	return found, true
}

func (o object) String() string {
	resource := o.resource
	if o.group != "" {
		resource += "." + o.group
	}
	if o.name == "" {
		return resource
	}
	return fmt.Sprintf("%s %q", resource, o.name)
}

// nameFor returns the name to which a permission can be limited: the object's, if the request was about that object and it
// had a name during authorization. An object that is to be created has none, and neither has a collection; a created
// subresource belongs to an object that has one.
func (o object) nameFor(rule rbacv1.PolicyRule) []string {
	if o.name == "" || !printable(o.name) || len(rule.Resources) == 0 {
		return nil
	}
	resource, _, sub := strings.Cut(rule.Resources[0], "/")
	verb := rule.Verbs[0]
	if o.resource != resource || o.group != rule.APIGroups[0] || verb == "deletecollection" || verb == "create" && !sub {
		return nil
	}
	return []string{o.name}
}

// namespaceOfGrant returns where the rules of a role or binding must be granted: in its namespace, which is not in the
// error.
func (o object) namespaceOfGrant() string {
	if o.resource == "clusterroles" || o.resource == "clusterrolebindings" {
		return ""
	}
	return rbac.UnknownNamespace
}
