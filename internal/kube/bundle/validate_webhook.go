package bundle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/salint/salint/internal/kube/bundlesupport"
)

func (b *Bundle) webhooks(types ...v1alpha1.WebhookAdmissionType) []v1alpha1.WebhookDescription {
	var out []v1alpha1.WebhookDescription
	for _, w := range b.CSV.Spec.WebhookDefinitions {
		if len(types) == 0 || slices.Contains(types, w.Type) {
			out = append(out, w)
		}
	}
	return out
}

func (b *Bundle) checkWebhooks(r bundlesupport.Release) []string {
	if len(b.CSV.Spec.WebhookDefinitions) == 0 {
		return nil
	}
	names := slices.Concat(b.checkWebhookDeployments(), b.checkWebhookNames(), b.checkConversionDefinitions())
	if !r.WebhookRules() {
		return names
	}
	return slices.Concat(b.checkConversionModes(), names, b.checkWebhookRules())
}

// checkConversionModes checks that the operator is cluster-wide if it has a conversion webhook, which serves the whole
// cluster.
func (b *Bundle) checkConversionModes() []string {
	modes := modesOf(b.CSV)
	if len(modes) == 1 && modes.all() {
		return nil
	}
	var reasons []string
	for _, w := range b.webhooks(v1alpha1.ConversionWebhook) {
		reasons = append(reasons, fmt.Sprintf("bundle contains conversion webhook %q and supports install modes %v - conversion webhooks are only supported for bundles that only support AllNamespaces install mode",
			w.GenerateName, modes))
	}
	return reasons
}

func (b *Bundle) checkWebhookDeployments() []string {
	present := map[string]bool{}
	for _, d := range b.deployments() {
		present[d.Name] = true
	}
	dangling := slices.DeleteFunc(b.webhooks(), func(w v1alpha1.WebhookDescription) bool { return present[w.DeploymentName] })
	slices.SortStableFunc(dangling, func(x, y v1alpha1.WebhookDescription) int {
		return cmp.Or(cmp.Compare(x.DeploymentName, y.DeploymentName), cmp.Compare(x.Type, y.Type), cmp.Compare(x.GenerateName, y.GenerateName))
	})
	var reasons []string
	for _, w := range dangling {
		reasons = append(reasons, fmt.Sprintf("webhook of type '%s' with name '%s' references non-existent deployment '%s'", w.Type, w.GenerateName, w.DeploymentName))
	}
	return reasons
}

func (b *Bundle) checkWebhookNames() []string {
	byType := map[v1alpha1.WebhookAdmissionType][]string{}
	for _, w := range b.CSV.Spec.WebhookDefinitions {
		byType[w.Type] = append(byType[w.Type], w.GenerateName)
	}
	var reasons, invalid []string
	for _, kind := range slices.Sorted(maps.Keys(byType)) {
		for _, name := range duplicates(byType[kind]) {
			reasons = append(reasons, fmt.Sprintf("duplicate webhook '%s' of type '%s'", name, kind))
		}
		slices.Sort(byType[kind])
		for _, name := range slices.Compact(byType[kind]) {
			if faults := validation.IsDNS1123Subdomain(name); len(faults) > 0 {
				slices.Sort(faults)
				invalid = append(invalid, fmt.Sprintf("webhook of type '%s' has invalid name '%s': %s", kind, name, strings.Join(faults, ",")))
			}
		}
	}
	return append(reasons, invalid...)
}

// checkConversionDefinitions checks that each definition is converted by one webhook, and belongs to the bundle.
func (b *Bundle) checkConversionDefinitions() []string {
	conversions := b.webhooks(v1alpha1.ConversionWebhook)
	byDefinition := map[string][]string{}
	for _, w := range conversions {
		for _, crd := range w.ConversionCRDs {
			byDefinition[crd] = append(byDefinition[crd], w.GenerateName)
		}
	}
	var reasons []string
	for _, crd := range slices.Sorted(maps.Keys(byDefinition)) {
		if names := byDefinition[crd]; len(names) > 1 {
			slices.Sort(names)
			reasons = append(reasons, fmt.Sprintf("conversion webhooks [%s] reference same custom resource definition '%s'", strings.Join(names, ","), crd))
		}
	}
	owned := map[string]bool{}
	for _, crd := range b.CSV.Spec.CustomResourceDefinitions.Owned {
		owned[crd.Name] = true
	}
	slices.SortStableFunc(conversions, func(x, y v1alpha1.WebhookDescription) int { return cmp.Compare(x.GenerateName, y.GenerateName) })
	for _, w := range conversions {
		for _, crd := range slices.Sorted(slices.Values(w.ConversionCRDs)) {
			if !owned[crd] {
				reasons = append(reasons, fmt.Sprintf("conversion webhook '%s' references custom resource definition '%s' not owned bundle", w.GenerateName, crd))
			}
		}
	}
	return reasons
}

// checkWebhookRules checks that webhooks do not intercept the resources that are needed to remove them.
func (b *Bundle) checkWebhookRules() []string {
	var reasons []string
	for _, w := range b.CSV.Spec.WebhookDefinitions {
		if w.Type == v1alpha1.ConversionWebhook {
			continue
		}
		for _, rule := range w.Rules {
			for _, group := range rule.APIGroups {
				reasons = append(reasons, forbiddenTargets(w.GenerateName, group, rule.Resources)...)
			}
		}
	}
	return reasons
}

func forbiddenTargets(webhook, group string, resources []string) []string {
	switch group {
	case "*", "olm.operatorframework.io":
		return []string{fmt.Sprintf("webhook %q contains forbidden rule: admission webhook rules cannot reference API group %q", webhook, group)}
	case "admissionregistration.k8s.io":
	default:
		return nil
	}
	var reasons []string
	for _, resource := range resources {
		switch strings.ToLower(resource) {
		case "*", "mutatingwebhookconfiguration", "mutatingwebhookconfigurations", "validatingwebhookconfiguration", "validatingwebhookconfigurations":
			reasons = append(reasons, fmt.Sprintf("webhook %q contains forbidden rule: admission webhook rules cannot reference resource %q for API group %q", webhook, resource, group))
		}
	}
	return reasons
}
