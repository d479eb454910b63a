package policies

import (
	"encoding/json"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/restmap"
)

// ignored is the label of namespaces that Gatekeeper leaves out, where its own flags allow that.
//
// Source: https://open-policy-agent.github.io/gatekeeper/website/docs/exempt-namespaces/.
const ignored = "admission.gatekeeper.sh/ignore"

// Exemption is a policy that no longer applies to what an object labels.
type Exemption struct {
	// Policy is nil for Gatekeeper, if no object of the repository shows it.
	Policy *objects.Object
	// Denies is true if the policy can reject requests.
	Denies bool
}

// Exemptions returns the policies among objects that the labels of the later state of a namespace leave out, and those of the earlier one did not;
// nil is a namespace that did not exist.
func Exemptions(all []*objects.Object, then, now *objects.Object) []Exemption {
	before, after := labelsOf(then, now), labelsOf(now, now)
	var found []Exemption
	if _, was := before[ignored]; !was && after.Has(ignored) {
		found = append(found, Exemption{Denies: true})
	}
	for _, o := range all {
		if !Is(o) && !Mutates(o) {
			continue
		}
		leaves := false
		walkSelectors(o.JSON(), false, func(selector labels.Selector, excludes bool) {
			leaves = leaves || selector.Matches(before) != excludes && selector.Matches(after) == excludes
		})
		if leaves {
			found = append(found, Exemption{o, Denies(o) && o.Kind != "MutatingWebhookConfiguration" && Is(o)})
		}
	}
	return found
}

// labelsOf returns the labels of a namespace with the one that the API server adds. A namespace that did not exist counts as one without others.
func labelsOf(o, named *objects.Object) labels.Set {
	set := labels.Set{corev1.LabelMetadataName: named.Name}
	if o == nil {
		return set
	}
	fields, _ := jsonfield.At(o, "metadata", "labels").(map[string]any)
	for key, value := range fields {
		set[key] = jsonfield.Text(value)
	}
	return set
}

// walkSelectors calls a function for each selector of namespaces inside a value. Those in an exclusion of Kyverno leave out what they match.
func walkSelectors(value any, excludes bool, visit func(selector labels.Selector, excludes bool)) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			walkSelectors(item, excludes, visit)
		}
	case map[string]any:
		for key, item := range v {
			if key == "namespaceSelector" {
				if selector, ok := selectorOf(item); ok {
					visit(selector, excludes)
				}
				continue
			}
			walkSelectors(item, excludes || key == "exclude", visit)
		}
	}
}

func selectorOf(value any) (labels.Selector, bool) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, false
	}
	var written metav1.LabelSelector
	if json.Unmarshal(text, &written) != nil {
		return nil, false
	}
	selector, err := metav1.LabelSelectorAsSelector(&written)
	return selector, err == nil
}

// ObjectExemptions returns the policies among objects that the labels of the later state of an object, or of its pods, leave out, and those of the
// earlier one did not; nil is an object that did not exist, and counts as one without labels. A selector that only leaves objects in is none.
func ObjectExemptions(all []*objects.Object, then, now *objects.Object) []Exemption {
	changed := changedLabels(then, now)
	if len(changed) == 0 {
		return nil
	}
	var found []Exemption
	for _, o := range all {
		if o.Group != Group && o.Group != kyvernoNewGroup {
			continue
		}
		if slices.ContainsFunc(objectSelectors(o), func(s objectSelector) bool { return slices.ContainsFunc(changed, s.leaves) }) {
			found = append(found, Exemption{o, Denies(o) && o.Kind != "MutatingWebhookConfiguration" && Is(o)})
		}
	}
	return found
}

// labeled are the labels of objects of a resource before and after a change.
type labeled struct {
	resource      string
	before, after labels.Set
}

// builtin are the resources of Kubernetes.
var builtin = sync.OnceValue(restmap.New)

// templates are where the labels of pods are.
var templates = [][]string{{"spec", "template", "metadata", "labels"}, {"spec", "jobTemplate", "spec", "template", "metadata", "labels"}}

func changedLabels(then, now *objects.Object) []labeled {
	resource, _ := builtin().Kind(now.Group, now.Kind)
	own := labeled{resource.Plural, labelsAt(then, "metadata", "labels"), labelsAt(now, "metadata", "labels")}
	all := []labeled{own}
	for _, path := range templates {
		all = append(all, labeled{"pods", labelsAt(then, path...), labelsAt(now, path...)})
	}
	return slices.DeleteFunc(all, func(l labeled) bool { return l.resource == "" || labels.Equals(l.before, l.after) })
}

func labelsAt(o *objects.Object, path ...string) labels.Set {
	set := labels.Set{}
	if o == nil {
		return set
	}
	fields, _ := jsonfield.At(o, path...).(map[string]any)
	for key, value := range fields {
		set[key] = jsonfield.Text(value)
	}
	return set
}

// objectSelector is a selector of a policy or webhook, with the resources that it is about.
type objectSelector struct {
	labels.Selector

	resources []string
}

func (s objectSelector) leaves(l labeled) bool {
	about := func(resource string) bool { return resource == "*" || resource == "*/*" || resource == l.resource }
	return (len(s.resources) == 0 || slices.ContainsFunc(s.resources, about)) && s.Matches(l.before) && !s.Matches(l.after)
}

// objectSelectors returns the selectors of objects: of webhooks, of policies, and of bindings, which can be about all resources of their policy.
func objectSelectors(o *objects.Object) []objectSelector {
	matches := append(jsonfield.List(jsonfield.At(o, "webhooks")), jsonfield.At(o, "spec", "matchConstraints"), jsonfield.At(o, "spec", "matchResources"))
	var found []objectSelector
	for _, match := range matches {
		fields, _ := match.(map[string]any)
		selector, ok := selectorOf(fields["objectSelector"])
		if !ok || fields["objectSelector"] == nil {
			continue
		}
		s := objectSelector{Selector: selector}
		for _, rule := range slices.Concat(jsonfield.List(fields["rules"]), jsonfield.List(fields["resourceRules"])) {
			of, _ := rule.(map[string]any)
			for _, resource := range jsonfield.List(of["resources"]) {
				s.resources = append(s.resources, jsonfield.Text(resource))
			}
		}
		found = append(found, s)
	}
	return found
}
