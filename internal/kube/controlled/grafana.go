package controlled

import (
	"slices"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// Service accounts of Grafana that controllers other than grafana-operator make: Crossplane's provider, whose kinds are ServiceAccount,
// ServiceAccountToken, and ServiceAccountPermission of a Grafana and the same of a stack of Grafana Cloud, and a generator of External Secrets.
//
// Sources: https://github.com/grafana/crossplane-provider-grafana (apis/oss, apis/cloud), https://external-secrets.io/latest/api/generator/grafana/.
var (
	providerGroup = lazyregexp.New(`^(?:oss|cloud)\.grafana(?:\.m)?\.crossplane\.io$`)
	providerKinds = []string{
		"ServiceAccount", "ServiceAccountToken", "ServiceAccountPermission", "ServiceAccountPermissionItem",
		"StackServiceAccount", "StackServiceAccountToken", "StackServiceAccountPermission", "StackServiceAccountPermissionItem",
	}
)

const (
	generatorGroup = "generators.external-secrets.io"
	generatorKind  = "Grafana"
)

// MakesGrafanaAccount reports whether an object of a kind is a service account of Grafana, or a token or permission of one, of which only its
// controller knows the role and who reads it.
func MakesGrafanaAccount(group, kind string) bool {
	if group == generatorGroup {
		return kind == generatorKind
	}
	return slices.Contains(providerKinds, kind) && providerGroup().MatchString(group)
}

// GrafanaAccountKinds returns the kinds for which MakesGrafanaAccount can be true, each with words that its objects have.
func GrafanaAccountKinds() map[string][]string {
	kinds := map[string][]string{generatorKind: {generatorGroup}}
	for _, kind := range providerKinds {
		kinds[kind] = []string{".crossplane.io"}
	}
	return kinds
}
