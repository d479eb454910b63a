package policies

import (
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/kube/objects"
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
		if !Is(o) && !slices.Contains(mutating[o.Group], o.Kind) && !strings.HasPrefix(o.Kind, "MutatingAdmissionPolicy") {
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
