package bundlediff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/preflight"
)

// Intercepted is what webhooks intercept.
type Intercepted struct {
	// Mutating webhooks change objects, others only reject them; conversion webhooks change every object of their kind.
	Mutating, Conversion bool
	// Closed is set if requests fail while the webhook does not answer (failurePolicy: Fail).
	Closed bool
	// Selected is set if selectors or conditions limit the webhook.
	Selected bool
	// Operations are in lower case, sorted; Resources are written pods, deployments.apps, */*.
	Operations, Resources []string
}

// interception is one operation on one resource.
type interception struct {
	mutating, conversion, closed bool
	// exact is set if other versions of the resource are not intercepted, and again if the webhook is called a second time
	// after others have changed the object.
	exact, again bool
	// limits are the selectors and conditions as text; "" without any.
	limits                     string
	operation, group, resource string
	// scope is Cluster, Namespaced or *; version is * unless the webhook is exact.
	scope, version string
}

// webhook are the common fields of both kinds of webhooks.
type webhook struct {
	Rules              []admissionv1.RuleWithOperations    `json:"rules"`
	FailurePolicy      *admissionv1.FailurePolicyType      `json:"failurePolicy"`
	MatchPolicy        *admissionv1.MatchPolicyType        `json:"matchPolicy"`
	ReinvocationPolicy *admissionv1.ReinvocationPolicyType `json:"reinvocationPolicy"`
	NamespaceSelector  *metav1.LabelSelector               `json:"namespaceSelector"`
	ObjectSelector     *metav1.LabelSelector               `json:"objectSelector"`
	MatchConditions    []admissionv1.MatchCondition        `json:"matchConditions"`
}

// limits returns the selectors and conditions as text. Selectors are not compared with each other: a different one counts
// as growth.
func (w webhook) limits() string {
	var parts []any
	for _, s := range []*metav1.LabelSelector{w.NamespaceSelector, w.ObjectSelector} {
		if s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
			s = nil
		}
		parts = append(parts, s)
	}
	if parts[0] == (*metav1.LabelSelector)(nil) && parts[1] == (*metav1.LabelSelector)(nil) && len(w.MatchConditions) == 0 {
		return ""
	}
	text, err := json.Marshal(append(parts, w.MatchConditions))
	if err != nil {
		return fmt.Sprintf("%+v", parts) // strings and lists can always be formatted
	}
	return string(text)
}

// maxInterceptions limits the operations on resources, because lists multiply.
const maxInterceptions = 100_000

// interceptionsOf returns what the webhooks of a version intercept, each once.
func interceptionsOf(objects []rendered.Object) ([]interception, error) {
	seen := map[interception]bool{}
	for i := range objects {
		o := &objects[i]
		if isDefinition(*o) {
			if c, ok := conversion(*o); ok {
				seen[c] = true
			}
			continue
		}
		if !isWebhook(*o) {
			continue
		}
		webhooks, err := readWebhooks(o)
		if err != nil {
			return nil, err
		}
		for _, w := range webhooks {
			if !w.intercepts(o.Kind() == mutatingKind, seen) {
				return nil, fmt.Errorf("%s: the rules of %s %s include too many operations on resources", preflight.Place(o), o.Kind(), o.Name())
			}
		}
	}
	list := make([]interception, 0, len(seen))
	for c := range seen {
		list = append(list, c)
	}
	slices.SortFunc(list, compareInterceptions)
	return list, nil
}

func compareInterceptions(a, b interception) int {
	return cmp.Or(strings.Compare(a.group, b.group), strings.Compare(a.resource, b.resource), strings.Compare(a.operation, b.operation),
		strings.Compare(a.scope, b.scope), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
}

func readWebhooks(o *rendered.Object) ([]webhook, error) {
	data, err := json.Marshal(o.JSON["webhooks"])
	var webhooks []webhook
	if err == nil {
		err = json.Unmarshal(data, &webhooks)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s %s is invalid: %w", preflight.Place(o), o.Kind(), o.Name(), err)
	}
	return webhooks, nil
}

// intercepts adds what a webhook intercepts; false if there is too much. Versions count only if matchPolicy is Exact:
// otherwise the API server calls the webhook for all versions of a resource.
func (w webhook) intercepts(mutating bool, into map[interception]bool) bool {
	c := interception{
		mutating: mutating, limits: w.limits(), closed: w.FailurePolicy == nil || *w.FailurePolicy == admissionv1.Fail,
		exact: w.MatchPolicy != nil && *w.MatchPolicy == admissionv1.Exact,
		again: w.ReinvocationPolicy != nil && *w.ReinvocationPolicy == admissionv1.IfNeededReinvocationPolicy,
	}
	for _, rule := range w.Rules {
		versions := []string{"*"}
		if c.exact {
			versions = rule.APIVersions
		}
		if len(into)+len(rule.Operations)*len(rule.APIGroups)*len(rule.Resources)*len(versions) > maxInterceptions {
			return false
		}
		c.scope = "*"
		if rule.Scope != nil {
			c.scope = string(*rule.Scope)
		}
		for _, operation := range rule.Operations {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					for _, version := range versions {
						c.operation, c.group, c.resource, c.version = strings.ToLower(string(operation)), group, resource, version
						into[c] = true
					}
				}
			}
		}
	}
	return true
}

// conversion returns the webhook that converts the objects of a definition.
func conversion(o rendered.Object) (interception, bool) {
	spec, _ := o.JSON["spec"].(map[string]any)
	settings, _ := spec["conversion"].(map[string]any)
	if strategy, _ := settings["strategy"].(string); strategy != "Webhook" {
		return interception{}, false
	}
	plural, group, _ := strings.Cut(o.Name(), ".")
	return interception{conversion: true, mutating: true, closed: true, operation: "convert", group: group, resource: plural, scope: "*", version: "*"}, true
}

// request is a request that webhooks intercept.
type request struct{ operation, group, resource, scope, version string }

func (c interception) question() request {
	return request{c.operation, c.group, c.resource, c.scope, c.version}
}

// wider returns the rules that include the request, itself first. In resources, `*` has no subresources, `*/*` is
// everything, `pods/*` the subresources of pods and `*/scale` those with that name.
func (q request) wider() []request {
	resources := []string{q.resource, "*/*"}
	if name, sub, found := strings.Cut(q.resource, "/"); found {
		resources = append(resources, name+"/*", "*/"+sub)
	} else {
		resources = append(resources, "*")
	}
	var list []request
	for _, operation := range []string{q.operation, "*"} {
		for _, group := range []string{q.group, "*"} {
			for _, scope := range []string{q.scope, "*"} {
				for _, resource := range resources {
					for _, version := range []string{q.version, "*"} {
						list = append(list, request{operation, group, resource, scope, version})
					}
				}
			}
		}
	}
	return list
}

// canDo reports whether the webhook can do at least as much as another.
func (c interception) canDo(d interception) bool {
	return c.conversion == d.conversion && (c.mutating || !d.mutating) && (c.closed || !d.closed) &&
		(c.again || !d.again) && (!c.exact || d.exact) && (c.limits == "" || c.limits == d.limits)
}

// uncovered returns the elements of a that no element of b includes.
func uncovered(a, b []interception) []interception {
	asked := make(map[request][]interception, len(b))
	for _, c := range b {
		asked[c.question()] = append(asked[c.question()], c)
	}
	return slices.DeleteFunc(slices.Clone(a), func(c interception) bool {
		return slices.ContainsFunc(c.question().wider(), func(q request) bool {
			return slices.ContainsFunc(asked[q], func(other interception) bool { return other.canDo(c) })
		})
	})
}

// moreIntercepted returns what the webhooks of version a intercept and those of version b do not.
func moreIntercepted(a, b *version) []Change {
	type key struct {
		mutating, conversion, closed, core bool
		limits, operations                 string
	}
	operations := map[interception][]string{}
	var order []interception
	for _, c := range uncovered(a.interceptions, b.interceptions) {
		subject := c
		subject.operation = ""
		if operations[subject] == nil {
			order = append(order, subject)
		}
		operations[subject] = append(operations[subject], c.operation)
	}
	groups := map[key]*Change{}
	var changes []*Change
	for _, c := range order {
		k := key{c.mutating, c.conversion, c.closed, c.core(), c.limits, strings.Join(operations[c], ",")}
		if groups[k] == nil {
			groups[k] = &Change{Part: Webhook, rank: danger.NotDangerous, Intercepted: &Intercepted{
				Mutating: c.mutating, Conversion: c.conversion, Closed: c.closed, Selected: c.limits != "", Operations: operations[c],
			}}
			if c.core() {
				groups[k].Dangers, groups[k].rank = []string{danger.CoreWebhook.Text}, danger.CoreWebhook.Rank
			}
			changes = append(changes, groups[k])
		}
		caught := groups[k].Intercepted
		caught.Resources = append(caught.Resources, c.name())
	}
	list := make([]Change, len(changes))
	for i, c := range changes {
		list[i] = *c
	}
	return list
}

// coreGroups are the groups of Kubernetes that contain a dot.
var coreGroups = []string{
	"rbac.authorization.k8s.io", "networking.k8s.io", "storage.k8s.io", "admissionregistration.k8s.io", "apiextensions.k8s.io",
	"authentication.k8s.io", "authorization.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io",
	"events.k8s.io", "node.k8s.io", "scheduling.k8s.io", "flowcontrol.apiserver.k8s.io", "apiregistration.k8s.io", "resource.k8s.io",
}

// core reports whether it intercepts types of Kubernetes: all groups without a dot are its own.
func (c interception) core() bool { return ofKubernetes(c.group) }

func ofKubernetes(group string) bool {
	return !strings.Contains(group, ".") || slices.Contains(coreGroups, group)
}

func (c interception) name() string {
	name := c.resource
	if c.group != "" {
		resource, sub, found := strings.Cut(c.resource, "/")
		name = resource + "." + c.group
		if found {
			name += "/" + sub
		}
	}
	if c.scope == "Cluster" || c.scope == "Namespaced" {
		name += " (" + strings.ToLower(c.scope) + ")"
	}
	if c.version != "*" {
		name += " (only " + c.version + ")"
	}
	return name
}
