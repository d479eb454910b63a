package bundlediff

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
)

const (
	admissionGroup  = "admissionregistration.k8s.io"
	definitionGroup = "apiextensions.k8s.io"
	definitionKind  = "CustomResourceDefinition"
	mutatingKind    = "MutatingWebhookConfiguration"
	validatingKind  = "ValidatingWebhookConfiguration"
)

func isDefinition(o rendered.Object) bool {
	return o.Group() == definitionGroup && o.Kind() == definitionKind
}

func isWebhook(o rendered.Object) bool {
	return o.Group() == admissionGroup && (o.Kind() == mutatingKind || o.Kind() == validatingKind)
}

// objectDangers are cluster-scoped kinds that change more than the object itself. Each ranks with the permission to write it.
var objectDangers = map[string]danger.Danger{
	"APIService.apiregistration.k8s.io":                           {Text: "serves part of the API", Rank: danger.DefinesAPI.Rank},
	"ContainerRuntimeConfig.machineconfiguration.openshift.io":    {Text: "configures nodes", Rank: danger.ConfiguresNodes.Rank},
	"KubeletConfig.machineconfiguration.openshift.io":             {Text: "configures nodes", Rank: danger.ConfiguresNodes.Rank},
	"MachineConfig.machineconfiguration.openshift.io":             {Text: "configures nodes", Rank: danger.ConfiguresNodes.Rank},
	"MachineConfigPool.machineconfiguration.openshift.io":         {Text: "configures nodes", Rank: danger.ConfiguresNodes.Rank},
	"MutatingAdmissionPolicy.admissionregistration.k8s.io":        {Text: "changes what the API server admits", Rank: danger.ControlsAdmission.Rank},
	"MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": {Text: "changes what the API server admits", Rank: danger.ControlsAdmission.Rank},
	"PersistentVolume": {Text: "can mount any folder of a node", Rank: danger.WritesVolumes.Rank},
	"SecurityContextConstraints.security.openshift.io":              {Text: "controls what pods can do on their node", Rank: danger.CreatesPods.Rank},
	"ValidatingAdmissionPolicy.admissionregistration.k8s.io":        {Text: "controls what the API server admits", Rank: danger.ControlsAdmission.Rank},
	"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": {Text: "controls what the API server admits", Rank: danger.ControlsAdmission.Rank},
}

// moreObjects returns cluster-scoped objects that only one version has, or that differ. Roles and webhooks are compared by
// their effect instead, and definitions by their scope, because their schemas change with every version and grant nothing.
func moreObjects(a, b *version) []Change {
	others := map[string]rendered.Object{}
	for _, o := range b.clusterScoped() {
		others[kindOf(o)+"/"+o.Name()] = o
	}
	var changes []Change
	seen := map[string]bool{}
	for _, o := range a.clusterScoped() {
		key := kindOf(o) + "/" + o.Name()
		other, known := others[key]
		if seen[key] || known && same(o, other) {
			continue
		}
		seen[key] = true
		c := Change{Part: Object, Kind: kindOf(o), Name: o.Name(), Changed: known, rank: danger.NotDangerous}
		if isDefinition(o) {
			c.Part = Definition
		}
		if d, dangerous := objectDangers[c.Kind]; dangerous {
			c.Dangers, c.rank = []string{d.Text}, d.Rank
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(x, y Change) int {
		return cmp.Or(strings.Compare(x.Kind, y.Kind), strings.Compare(x.Name, y.Name))
	})
	return changes
}

// clusterScoped returns the objects that are compared one by one. Unknown kinds were rejected before.
func (v *version) clusterScoped() []rendered.Object {
	var list []rendered.Object
	for _, o := range v.objects {
		resource, known := v.resources.Kind(o.Group(), o.Kind())
		if known && !resource.Namespaced && o.Group() != rbac.Group && !isWebhook(o) {
			list = append(list, o)
		}
	}
	return list
}

func kindOf(o rendered.Object) string {
	if o.Group() == "" {
		return o.Kind()
	}
	return o.Kind() + "." + o.Group()
}

// same reports whether an object requires the same in both versions.
func same(a, b rendered.Object) bool {
	if isDefinition(a) {
		return scopeOf(a) == scopeOf(b)
	}
	return reflect.DeepEqual(content(a), content(b))
}

func scopeOf(definition rendered.Object) any {
	spec, _ := definition.JSON["spec"].(map[string]any)
	return spec["scope"]
}

// content returns an object without descriptive fields. Labels of a Namespace are kept, because they configure Pod
// Security.
func content(o rendered.Object) map[string]any {
	c := maps.Clone(o.JSON)
	delete(c, "metadata")
	delete(c, "status")
	if metadata, ok := o.JSON["metadata"].(map[string]any); ok && o.Kind() == "Namespace" {
		c["labels"] = metadata["labels"]
	}
	return c
}
