package bundlediff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/preflight"
)

// Catches is what webhooks are asked about.
type Catches struct {
	// Mutating webhooks change objects, others only refuse them; conversion webhooks change every object of their kind.
	Mutating, Conversion bool
	// Closed is true when nothing of it is possible while the webhook does not answer (failurePolicy: Fail).
	Closed bool
	// Selected is true when selectors or conditions limit it.
	Selected bool
	// Operations are in lower case, sorted; Resources are written pods, deployments.apps, */*.
	Operations, Resources []string
}

// catch is one operation on one resource.
type catch struct {
	mutating, conversion, closed bool
	// exact is true when other versions of the resource pass by, and again when the webhook is asked a second time where
	// others have changed the object.
	exact, again bool
	// limits are the selectors and conditions, as text; "" without any.
	limits                     string
	operation, group, resource string
	// scope is Cluster, Namespaced or *.
	scope string
}

// webhook is what both kinds of webhooks have in common.
type webhook struct {
	Rules              []admissionv1.RuleWithOperations    `json:"rules"`
	FailurePolicy      *admissionv1.FailurePolicyType      `json:"failurePolicy"`
	MatchPolicy        *admissionv1.MatchPolicyType        `json:"matchPolicy"`
	ReinvocationPolicy *admissionv1.ReinvocationPolicyType `json:"reinvocationPolicy"`
	NamespaceSelector  *metav1.LabelSelector               `json:"namespaceSelector"`
	ObjectSelector     *metav1.LabelSelector               `json:"objectSelector"`
	MatchConditions    []admissionv1.MatchCondition        `json:"matchConditions"`
}

// limits writes down what narrows the webhook. Whether one selector lets more through than another is not worked out: any
// other is more.
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
		return fmt.Sprintf("%+v", parts) // strings and lists always can be written
	}
	return string(text)
}

// maxCatches is how many operations on resources are told apart; lists multiply.
const maxCatches = 100_000

// catchesOf lists what the webhooks of a version are asked about, each once.
func catchesOf(objects []rendered.Object) ([]catch, error) {
	seen := map[catch]bool{}
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
			if !w.catches(o.Kind() == mutatingKind, seen) {
				return nil, fmt.Errorf("%s: the rules of %s %s stand for too many operations on resources", preflight.Place(o), o.Kind(), o.Name())
			}
		}
	}
	list := make([]catch, 0, len(seen))
	for c := range seen {
		list = append(list, c)
	}
	slices.SortFunc(list, compareCatches)
	return list, nil
}

func compareCatches(a, b catch) int {
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
		return nil, fmt.Errorf("%s: %s %s is not what the API server takes: %w", preflight.Place(o), o.Kind(), o.Name(), err)
	}
	return webhooks, nil
}

// catches enters what a webhook is asked about; false when that is too much. Versions do not count: unless a webhook asks
// for exact ones, the API server asks it about all versions of a resource.
func (w webhook) catches(mutating bool, into map[catch]bool) bool {
	c := catch{
		mutating: mutating, limits: w.limits(), closed: w.FailurePolicy == nil || *w.FailurePolicy == admissionv1.Fail,
		exact: w.MatchPolicy != nil && *w.MatchPolicy == admissionv1.Exact,
		again: w.ReinvocationPolicy != nil && *w.ReinvocationPolicy == admissionv1.IfNeededReinvocationPolicy,
	}
	for _, rule := range w.Rules {
		if len(into)+len(rule.Operations)*len(rule.APIGroups)*len(rule.Resources) > maxCatches {
			return false
		}
		c.scope = "*"
		if rule.Scope != nil {
			c.scope = string(*rule.Scope)
		}
		for _, operation := range rule.Operations {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					c.operation, c.group, c.resource = strings.ToLower(string(operation)), group, resource
					into[c] = true
				}
			}
		}
	}
	return true
}

// conversion is the webhook that converts the objects of a definition.
func conversion(o rendered.Object) (catch, bool) {
	spec, _ := o.JSON["spec"].(map[string]any)
	settings, _ := spec["conversion"].(map[string]any)
	if strategy, _ := settings["strategy"].(string); strategy != "Webhook" {
		return catch{}, false
	}
	plural, group, _ := strings.Cut(o.Name(), ".")
	return catch{conversion: true, mutating: true, closed: true, operation: "convert", group: group, resource: plural, scope: "*"}, true
}

// question is what a webhook is asked, whoever it is.
type question struct{ operation, group, resource, scope string }

func (c catch) question() question { return question{c.operation, c.group, c.resource, c.scope} }

// wider lists the questions whose answers hold for this one too, itself first. In resources, `*` has no subresources, `*/*` is
// everything, `pods/*` the subresources of pods and `*/scale` those of that name.
func (q question) wider() []question {
	resources := []string{q.resource, "*/*"}
	if name, sub, found := strings.Cut(q.resource, "/"); found {
		resources = append(resources, name+"/*", "*/"+sub)
	} else {
		resources = append(resources, "*")
	}
	var list []question
	for _, operation := range []string{q.operation, "*"} {
		for _, group := range []string{q.group, "*"} {
			for _, scope := range []string{q.scope, "*"} {
				for _, resource := range resources {
					list = append(list, question{operation, group, resource, scope})
				}
			}
		}
	}
	return list
}

// canDo tells whether the webhook can do as much as another with what it is asked.
func (c catch) canDo(d catch) bool {
	return c.conversion == d.conversion && (c.mutating || !d.mutating) && (c.closed || !d.closed) &&
		(c.again || !d.again) && (!c.exact || d.exact) && (c.limits == "" || c.limits == d.limits)
}

// uncovered leaves out what the webhooks of another version are asked about as well.
func uncovered(a, b []catch) []catch {
	asked := make(map[question][]catch, len(b))
	for _, c := range b {
		asked[c.question()] = append(asked[c.question()], c)
	}
	return slices.DeleteFunc(slices.Clone(a), func(c catch) bool {
		return slices.ContainsFunc(c.question().wider(), func(q question) bool {
			return slices.ContainsFunc(asked[q], func(other catch) bool { return other.canDo(c) })
		})
	})
}

// moreCaught lists what the webhooks of a version are asked about and those of another are not.
func moreCaught(a, b *version) []Change {
	type key struct {
		mutating, conversion, closed, core bool
		limits, operations                 string
	}
	operations := map[catch][]string{}
	var order []catch
	for _, c := range uncovered(a.catches, b.catches) {
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
			groups[k] = &Change{Part: Webhook, rank: notDangerous, Catches: &Catches{
				Mutating: c.mutating, Conversion: c.conversion, Closed: c.closed, Selected: c.limits != "", Operations: operations[c],
			}}
			if c.core() {
				groups[k].Dangers, groups[k].rank = []string{"a webhook on core types"}, coreWebhook
			}
			changes = append(changes, groups[k])
		}
		caught := groups[k].Catches
		caught.Resources = append(caught.Resources, c.name())
	}
	list := make([]Change, len(changes))
	for i, c := range changes {
		list[i] = *c
	}
	return list
}

// coreWebhook is the rank of a webhook on core types: it sees and changes every Pod or Secret on its way.
const coreWebhook = 20

// coreGroups are those of Kubernetes itself that have a dot.
var coreGroups = []string{
	"rbac.authorization.k8s.io", "networking.k8s.io", "storage.k8s.io", "admissionregistration.k8s.io", "apiextensions.k8s.io",
	"authentication.k8s.io", "authorization.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io",
	"events.k8s.io", "node.k8s.io", "scheduling.k8s.io", "flowcontrol.apiserver.k8s.io", "apiregistration.k8s.io", "resource.k8s.io",
}

// core tells whether it is about types of Kubernetes itself: groups without a dot are all its own.
func (c catch) core() bool {
	return !strings.Contains(c.group, ".") || slices.Contains(coreGroups, c.group)
}

func (c catch) name() string {
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
	return name
}
