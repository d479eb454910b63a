package bundle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/salint/salint/internal/kube/bundlesupport"
)

// checkSupport returns why operator-controller would not select the bundle, or not process it.
//
// Source: operator-controller v1.0.0 to v1.11.0, resolve/validation.go, and [bundlesupport].
func (b *Bundle) checkSupport() []string {
	if len(b.requires) > 0 {
		return []string{fmt.Sprintf("bundle %q has a dependency declared via property %q which is currently not supported", b.Name, b.requires[0])}
	}
	if len(b.CSV.Spec.APIServiceDefinitions.Owned) > 0 {
		return []string{"unsupported bundle: apiServiceDefintions are not supported"} // upstream's spelling
	}
	return nil
}

// checkWebhookSupport returns why the release does not install the webhooks of the bundle.
func (b *Bundle) checkWebhookSupport(r bundlesupport.Release) []bundlesupport.Obstacle {
	if len(b.CSV.Spec.WebhookDefinitions) == 0 {
		return nil
	}
	if o := r.Webhooks(); o != nil {
		return []bundlesupport.Obstacle{*o}
	}
	return nil
}

// validate returns the messages of operator-controller's validators, in their words and order.
//
// Source: operator-controller v1.3.0 to v1.11.0, rukpak/render/registryv1/validators.
func (b *Bundle) validate(packageName string, r bundlesupport.Release) []bundlesupport.Obstacle {
	if !r.Validates() {
		return hard(b.checkKinds(r)...)
	}
	all := hard(append(b.checkDeployments(), b.checkDefinitions()...)...)
	if packageName == "" {
		all = append(all, bundlesupport.Obstacle{
			Reason: noPackage, Remedy: "set it in metadata/annotations.yaml of the bundle, or pass --package to salint preflight or bundle-diff",
		})
	}
	return append(all, hard(append(b.checkWebhooks(r), b.checkKinds(r)...)...)...)
}

func (b *Bundle) deployments() []v1alpha1.StrategyDeploymentSpec {
	return b.CSV.Spec.InstallStrategy.StrategySpec.DeploymentSpecs
}

func (b *Bundle) checkDeployments() []string {
	var names []string
	for _, d := range b.deployments() {
		names = append(names, d.Name)
	}
	var reasons []string
	for _, name := range duplicates(names) {
		reasons = append(reasons, fmt.Sprintf("cluster service version contains duplicate strategy deployment spec '%s'", name))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if faults := validation.IsDNS1123Subdomain(name); len(faults) > 0 {
			slices.Sort(faults)
			reasons = append(reasons, fmt.Sprintf("invalid cluster service version strategy deployment name '%s': %s", name, strings.Join(faults, ", ")))
		}
	}
	return reasons
}

func (b *Bundle) checkDefinitions() []string {
	var names, missing []string
	for _, crd := range b.crds {
		names = append(names, crd.Name)
	}
	var reasons []string
	for _, name := range duplicates(names) {
		reasons = append(reasons, fmt.Sprintf("bundle contains duplicate custom resource definition '%s'", name))
	}
	present := setOf(names)
	for _, owned := range b.CSV.Spec.CustomResourceDefinitions.Owned {
		if !present[owned.Name] {
			missing = append(missing, owned.Name)
		}
	}
	slices.Sort(missing)
	for _, name := range slices.Compact(missing) {
		reasons = append(reasons, fmt.Sprintf("cluster service definition references owned custom resource definition '%s' not found in bundle", name))
	}
	return reasons
}

// supportedKinds returns whether the registry+v1 format allows a kind in addition to ClusterServiceVersion and
// CustomResourceDefinition, and whether it treats the kind as namespaced. VerticalPodAutoscalers are namespaced, but the
// format treats them as cluster-scoped, and their manifests keep their namespace.
//
// Source: operator-registry v1.73.0, pkg/lib/bundle/supported_resources.go. Groups do not count there.
func supportedKinds(kind string) (supported, namespaced bool) {
	switch kind {
	case "ConfigMap", "NetworkPolicy", "PodDisruptionBudget", "PodMonitor", "PrometheusRule", "Role", "RoleBinding",
		"Secret", "Service", "ServiceAccount", "ServiceMonitor":
		return true, true
	case "ClusterRole", "ClusterRoleBinding", "ConsoleCLIDownload", "ConsoleLink", "ConsolePlugin", "ConsoleQuickStart",
		"ConsoleYAMLSample", "PriorityClass", kindVPA:
		return true, false
	}
	return false, false
}

const kindVPA = "VerticalPodAutoscaler"

func (b *Bundle) checkKinds(r bundlesupport.Release) []string {
	var reasons []string
	for _, o := range b.others {
		if supported, _ := supportedKinds(o.Kind()); !supported || !r.Kind(o.Kind()) {
			reasons = append(reasons, fmt.Sprintf("unsupported resource %q with kind %q", o.Name(), o.Kind()))
		}
	}
	return reasons
}

// duplicates are the names that occur more than once, sorted.
func duplicates(names []string) []string {
	count := map[string]int{}
	for _, name := range names {
		count[name]++
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n == 1 })
	return slices.Sorted(maps.Keys(count))
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
