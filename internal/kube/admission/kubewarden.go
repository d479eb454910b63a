package admission

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/salint/salint/internal/kube/objects"
)

const kubewardenGroup = "policies.kubewarden.io"

// kubewardenKinds are the kinds of policies of Kubewarden. The API server also sends cluster-scoped objects to those of a namespace.
var kubewardenKinds = []string{"ClusterAdmissionPolicy", "ClusterAdmissionPolicyGroup", "AdmissionPolicy", "AdmissionPolicyGroup"}

// kubewardenPolicy is the part of a policy that decides which objects it rejects (kubewarden-controller, api/policies/v1).
type kubewardenPolicy struct {
	Mode           string                           `json:"mode"`
	Rules          []admissionv1.RuleWithOperations `json:"rules"`
	ObjectSelector *metav1.LabelSelector            `json:"objectSelector"`
	Policies       map[string]kubewardenModule      `json:"policies"` // of a group
	kubewardenModule
}

// kubewardenModule is a program with its settings.
type kubewardenModule struct {
	Module   string          `json:"module"`
	Settings json.RawMessage `json:"settings"`
}

// kubewardenRejects reports whether a policy that is enforced rejects the update. Expressions of the policy for CEL are evaluated. Another module
// is a program that is not known: it counts if its settings or its name have the field, or if its rules name the resource.
func kubewardenRejects(o *objects.Object, u Update) (certain, rejects bool) {
	var p kubewardenPolicy
	if !decode(o.JSON()["spec"], &p) {
		return false, mentions(o.JSON()["spec"], u)
	}
	selects := func(rule admissionv1.RuleWithOperations) bool {
		state, _ := ruleMatches(admissionv1.NamedRuleWithOperations{RuleWithOperations: rule}, Attempt{
			Operation: string(admissionv1.Update), Group: u.Group, Resource: u.Resource, Name: u.Name,
		})
		return state != Open
	}
	at := slices.IndexFunc(p.Rules, selects)
	if p.Mode == "monitor" || at < 0 || !selectsLabels(p.ObjectSelector, u.Labels) {
		return false, false
	}
	names := slices.Contains(p.Rules[at].Resources, u.Resource)
	if len(p.Policies) == 0 {
		return p.kubewardenModule.rejects(u, names)
	}
	for _, module := range p.Policies { // their expression can be anything
		_, one := module.rejects(u, names)
		rejects = rejects || one
	}
	return false, rejects
}

// rejects reports whether the module rejects the update. Names is set if the policy names the resource.
func (m kubewardenModule) rejects(u Update, names bool) (certain, rejects bool) {
	name, _, _ := strings.Cut(path.Base(m.Module), ":")
	if name != "cel-policy" {
		return false, names || mentions(m.Settings, u) || strings.Contains(strings.ReplaceAll(m.Module, "-", ""), strings.ToLower(u.Field[len(u.Field)-1]))
	}
	var spec admissionv1.ValidatingAdmissionPolicySpec
	if json.Unmarshal(m.Settings, &spec) != nil {
		return false, mentions(m.Settings, u)
	}
	return (&programs{spec: &spec}).rejects(u, params{declared: spec.ParamKind != nil})
}
