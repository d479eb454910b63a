package generate

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// The label that marks generated objects.
const (
	ManagedByLabel = "app.kubernetes.io/managed-by"
	ManagedBy      = "salint"
)

// Object is an object to be written, with its fields in the usual order.
type Object struct {
	APIVersion string      `yaml:"apiVersion"`
	Kind       string      `yaml:"kind"`
	Metadata   Metadata    `yaml:"metadata"`
	Rules      []Rule      `yaml:"rules,omitempty"`
	RoleRef    *Reference  `yaml:"roleRef,omitempty"`
	Subjects   []Reference `yaml:"subjects,omitempty"`
}

// Metadata is the metadata of an object.
type Metadata struct {
	Name        string            `yaml:"name"`
	Namespace   string            `yaml:"namespace,omitempty"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations,omitempty"`
}

// Rule is a rule of a role. Its lists are written on one line, because roles are read from top to bottom.
type Rule struct {
	NonResourceURLs []string `yaml:"nonResourceURLs,omitempty,flow"`
	APIGroups       []string `yaml:"apiGroups,omitempty,flow"`
	Resources       []string `yaml:"resources,omitempty,flow"`
	ResourceNames   []string `yaml:"resourceNames,omitempty,flow"`
	Verbs           []string `yaml:"verbs,flow"`
}

// RuleOf returns a rule of a role in the form to be written.
func RuleOf(r rbacv1.PolicyRule) Rule {
	return Rule{
		NonResourceURLs: r.NonResourceURLs, APIGroups: r.APIGroups, Resources: r.Resources,
		ResourceNames: r.ResourceNames, Verbs: r.Verbs,
	}
}

// Reference names a role or a subject.
type Reference struct {
	APIGroup  string `yaml:"apiGroup,omitempty"`
	Kind      string `yaml:"kind"`
	Name      string `yaml:"name"`
	Namespace string `yaml:"namespace,omitempty"`
}

// OrderKeys are the annotations that determine when Argo CD and Helm apply an object: a grant is applied together with its
// extension.
var OrderKeys = []string{
	"argocd.argoproj.io/sync-wave", "argocd.argoproj.io/hook",
	"helm.sh/hook", "helm.sh/hook-weight",
}

// OrderAnnotations returns the annotations of an object that determine when it is applied; none for nil.
func OrderAnnotations(o *objects.Object) map[string]string {
	found := map[string]string{}
	if o == nil {
		return found
	}
	for _, key := range OrderKeys {
		if value := o.Node.Lookup(manifest.Path{"metadata", "annotations", key}); value.IsScalar() && !value.IsNull() {
			found[key] = value.String()
		}
	}
	return found
}
