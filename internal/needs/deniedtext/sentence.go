package deniedtext

import (
	"fmt"
	"regexp"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

// anchor is how a sentence begins that can be read: with a user, or with the namespace of a rule that is listed.
var anchor = regexp.MustCompile(`[Uu]ser\s+\\*"|Namespace:\\*"`)

// outcome is what came of trying to read a sentence.
type outcome int

const (
	other   outcome = iota // it is about something else
	broken                 // it is about permissions, and could not be read
	partial                // its beginning was read, and what follows could not be
	read
)

// refused reads the API server's refusal, from the user on (k8s.io/apiserver, endpoints/handlers/responsewriters):
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
// Rules about URLs have NonResourceURLs behind the verbs.
func listed(c *cursor) (Missing, outcome) {
	c.literal("Namespace:")
	namespace, ok := c.quoted()
	if !ok || !isWords(namespace) {
		return Missing{}, other
	}
	m := Missing{Namespace: namespace, Why: "the pre-authorization lists it"}
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

// complete is false of a rule of which a part is missing: it would allow nothing.
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

// escalation reads the error about granting more than one has, from behind the user on (k8s.io/kubernetes,
// pkg/registry/rbac/validation, ConfirmNoEscalation):
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

// compactRule reads a rule as Kubernetes' CompactString writes it; other means that there is none.
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

// gap is a blank in a pattern: line ends may be escaped.
const gap = `(?:\s|\\+[nrt])+`

// refusedObject is what stands before the user: `roles.rbac.authorization.k8s.io "x" is forbidden: `.
var refusedObject = regexp.MustCompile(`([a-z0-9][a-z0-9./-]*)(?:` + gap + `\\*"([^"\\]*)\\*")?` + gap + `is` + gap +
	`forbidden:` + gap + `(?:must have cluster-admin privileges to use an aggregationRule:` + gap + `)?$`)

// object is the object that a request was about.
type object struct {
	resource, group, name string
	start                 int
}

// maxObject is how far before the user the object may begin.
const maxObject = 1024

// objectBefore finds the object in the text between two places.
func objectBefore(text string, from, to int) (object, bool) {
	from = max(from, to-maxObject)
	match := refusedObject.FindStringSubmatchIndex(text[from:to])
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

// nameFor is the name that a permission can be limited to: the object's, if that is what the request was about, and if it
// had a name when it was authorized. One that is to be created has none, and a collection neither; a subresource that is
// created belongs to an object that has one.
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

// namespaceOfGrant is where rules must be held for a role or binding: in its namespace, which the error does not tell.
func (o object) namespaceOfGrant() string {
	if o.resource == "clusterroles" || o.resource == "clusterrolebindings" {
		return ""
	}
	return rbac.UnknownNamespace
}
