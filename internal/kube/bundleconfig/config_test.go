package bundleconfig_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/bundleconfig"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/olm"
)

// TestReleases checks which releases refuse a configuration (no), only without a gate (its name), or ignore it.
func TestReleases(t *testing.T) {
	t.Parallel()
	narrow := bundleconfig.Operator{Namespace: true}
	required := bundleconfig.Operator{Namespace: true, NamespaceRequired: true}
	on := map[string]bool{olm.WatchGate: true}
	for name, test := range map[string]struct {
		config   string
		operator bundleconfig.Operator
		target   string
		gates    map[string]bool
		want     string
	}{
		"v1.5 ignores unknown fields":     {"{configType: Inline, inline: {watchNamespace: sea, level: 1}}", narrow, "olm-1.5", on, "yes"},
		"v1.5 needs a namespace":          {"{configType: Inline, inline: {level: 1}}", narrow, "olm-1.5", on, "no"},
		"v1.5 ignores it without gate":    {"{configType: Inline, inline: {level: 1}}", narrow, "olm-1.5", nil, "ignored"},
		"v1.6 refuses unknown fields":     {"{configType: Inline, inline: {level: 1}}", narrow, "olm-1.6", on, "no"},
		"v1.7 has no deploymentConfig":    {"{configType: Inline, inline: {deploymentConfig: {}}}", narrow, "olm-1.7", on, "no"},
		"v1.7 accepts an empty object":    {"{configType: Inline, inline: {}}", narrow, "olm-1.7", on, "yes"},
		"v1.8 does not":                   {"{configType: Inline, inline: {}}", narrow, "olm-1.8", nil, "no"},
		"v1.8 has deploymentConfig":       {"{configType: Inline, inline: {deploymentConfig: {env: [{name: A, value: b}]}}}", narrow, "olm-1.8", nil, "yes"},
		"v1.8 without the gate":           {"{configType: Inline, inline: {level: 1}}", narrow, "olm-1.8", map[string]bool{olm.WatchGate: false}, "ignored"},
		"v1.9 has a gate for it":          {"{configType: Inline, inline: {deploymentConfig: {}}}", narrow, "olm-1.9", on, olm.DeploymentGate},
		"v1.9 with the gate":              {"{configType: Inline, inline: {deploymentConfig: {}}}", narrow, "olm-1.9", map[string]bool{olm.DeploymentGate: true}, "yes"},
		"v1.10 has no field by default":   {"{configType: Inline, inline: {level: 1}}", narrow, "olm-1.10", nil, "ignored"},
		"null is unset":                   {"{configType: Inline, inline: {watchNamespace: null}}", narrow, "olm-1.8", nil, "yes"},
		"null for an operator without it": {"{configType: Inline, inline: {watchNamespace: null}}", bundleconfig.Operator{}, "olm-1.8", nil, "no"},
		"empty":                           {"{configType: Inline, inline: {watchNamespace: ''}}", narrow, "olm-1.8", nil, "no"},
		"a list":                          {"{configType: Inline, inline: {watchNamespace: [sea]}}", required, "olm-1.8", nil, "no"},
		"no type":                         {"{inline: {watchNamespace: sea}}", required, "olm-1.8", nil, "no"},
		"no inline":                       {"{configType: Inline}", required, "olm-1.8", nil, "no"},
		"a string":                        {"sea", required, "olm-1.8", nil, "no"},
		"required, wrong, and no gate":    {"{inline: {watchNamespace: sea}}", required, "olm-1.10", nil, "no"},
		"required, right, and no gate":    {"{configType: Inline, inline: {watchNamespace: sea}}", required, "olm-1.10", nil, "yes"},
		"OpenShift's preview":             {"{configType: Inline, inline: {deploymentConfig: {}}}", narrow, "ocp-4.22", map[string]bool{"NewOLMOwnSingleNamespace": true}, olm.DeploymentGate},
	} {
		target, err := olm.ParseTarget(test.target)
		if err != nil {
			t.Fatal(err)
		}
		var config any
		if err := yaml.Unmarshal([]byte(test.config), &config); err != nil {
			t.Fatal(err)
		}
		release := bundlesupport.Of(target, []olm.Signal{{Kind: olm.GatesSignal, Gates: test.gates}})
		got := "yes"
		for _, o := range bundleconfig.Check(config, release, test.operator) {
			switch {
			case o.Hard():
				got = "no"
			case o.Installs:
				got = "ignored"
			default:
				got = o.Gate
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
