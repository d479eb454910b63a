package admission

import (
	"encoding/json"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// constraint is the part of a constraint of Gatekeeper that decides which objects it rejects.
type constraint struct {
	EnforcementAction string `json:"enforcementAction"`
	Match             struct {
		Kinds []struct {
			APIGroups []string `json:"apiGroups"`
			Kinds     []string `json:"kinds"`
		} `json:"kinds"`
		Name          string                `json:"name"`
		Scope         string                `json:"scope"`
		Namespaces    []string              `json:"namespaces"`
		LabelSelector *metav1.LabelSelector `json:"labelSelector"`
	} `json:"match"`
	Parameters any `json:"parameters"`
}

// Template is the Rego of a ConstraintTemplate.
type Template struct {
	Rego      string
	Libraries []string
	// V1 is set for the current version of Rego; otherwise it is the first one.
	V1 bool
}

// templateSpec is the part of a ConstraintTemplate that says what it evaluates (open-policy-agent/frameworks, apis/templates).
type templateSpec struct {
	CRD struct {
		Spec struct {
			Names struct {
				Kind string `json:"kind"`
			} `json:"names"`
			Validation any `json:"validation"`
		} `json:"spec"`
	} `json:"crd"`
	Targets []struct {
		Rego      string   `json:"rego"`
		Libraries []string `json:"libs"`
		Code      []struct {
			Engine string `json:"engine"`
			Source struct {
				Rego      string   `json:"rego"`
				Libraries []string `json:"libs"`
				Version   string   `json:"version"`
			} `json:"source"`
		} `json:"code"`
	} `json:"targets"`
}

// template returns the Rego. ok is false if the template has other code, or fills in parameters.
func (s templateSpec) template() (t Template, ok bool) {
	validation, err := json.Marshal(s.CRD.Spec.Validation)
	if err != nil || strings.Contains(string(validation), `"default":`) || len(s.Targets) != 1 {
		return t, false
	}
	target := s.Targets[0]
	switch len(target.Code) {
	case 0:
		t = Template{Rego: target.Rego, Libraries: target.Libraries}
	case 1:
		source := target.Code[0].Source
		t = Template{Rego: source.Rego, Libraries: source.Libraries, V1: source.Version == "v1"}
		if target.Code[0].Engine != "Rego" {
			return t, false
		}
	}
	return t, t.Rego != ""
}

// constraintRejects reports whether a constraint that denies selects the object, and its template rejects the update. If that cannot be evaluated,
// it counts if the parameters or the template name the field. A template that is not among the policies can name it if the constraint is about
// objects of this kind, and not about those of any kind.
func constraintRejects(o *objects.Object, policies []*objects.Object, u Update) (certain, rejects bool) {
	var c constraint
	if !decode(o.JSON()["spec"], &c) {
		return false, mentions(o.JSON()["spec"], u)
	}
	selected, named := c.selects(u)
	if !selected {
		return false, false
	}
	var templates []*objects.Object
	for _, template := range policies {
		if template.Group == templateGroup && defines(template, o.Kind) {
			templates = append(templates, template)
		}
	}
	if len(templates) == 1 {
		if rejects, known := u.violates(templates[0], c.Parameters); known {
			return true, rejects
		}
	}
	decides := []any{c.Parameters}
	for _, template := range templates {
		decides = append(decides, template.JSON()["spec"])
	}
	return false, mentions(decides, u) || named && len(templates) == 0
}

// selects reports whether a constraint denies updates of the object, and whether it names the kind.
func (c constraint) selects(u Update) (selected, named bool) {
	switch strings.ToLower(c.EnforcementAction) {
	case "", "deny", "scoped":
	default:
		return false, false
	}
	m := c.Match
	selected = len(m.Kinds) == 0
	for _, k := range m.Kinds {
		if has(k.APIGroups, u.Group) && has(k.Kinds, u.Kind) {
			selected, named = true, named || slices.Contains(k.Kinds, u.Kind)
		}
	}
	if m.Scope == "Namespaced" || m.Name != "" && !globMatches(m.Name, u.Name) || len(m.Namespaces) > 0 || !selectsLabels(m.LabelSelector, u.Labels) {
		return false, named
	}
	return selected, named
}

// violates evaluates the Rego of a template for the object with the field, and for the one without it. The old object is in both cases the one with
// it.
func (u Update) violates(template *objects.Object, parameters any) (rejects, known bool) {
	var spec templateSpec
	if u.Violations == nil || !decode(template.JSON()["spec"], &spec) {
		return false, false
	}
	rego, ok := spec.template()
	if !ok {
		return false, false
	}
	if parameters == nil {
		parameters = map[string]any{}
	}
	var inputs []string
	for _, object := range []map[string]any{u.Before, u.After} {
		input, err := json.Marshal(map[string]any{"parameters": parameters, "review": map[string]any{
			"kind":     map[string]any{"group": u.Group, "version": "v1", "kind": u.Kind},
			"resource": map[string]any{"group": u.Group, "version": "v1", "resource": u.Resource},
			"name":     u.Name, "operation": string(admissionv1.Update), "object": object, "oldObject": u.Before,
		}})
		if err != nil {
			return false, false
		}
		inputs = append(inputs, string(input))
	}
	violated, err := u.Violations(rego, inputs)
	if err != nil {
		return false, false
	}
	return violated[1] && !violated[0], true
}

// defines reports whether a ConstraintTemplate defines a kind of constraints.
func defines(template *objects.Object, kind string) bool {
	var spec templateSpec
	return decode(template.JSON()["spec"], &spec) && spec.CRD.Spec.Names.Kind == kind
}
