package olm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/olm"
)

func TestRuntimeOf(t *testing.T) {
	t.Parallel()
	helm := olm.Runtime{Name: "Helm", Account: true, Finalizers: "clusterextensions", Collections: true}
	withPlaceholder := helm
	withPlaceholder.Placeholder = true
	tests := []struct {
		target    string
		boxcutter bool
		want      olm.Runtime
		unknown   bool
	}{
		{target: "olm-1.0", want: helm},
		{target: "olm-1.2", want: helm},
		{target: "olm-1.3", want: withPlaceholder},
		{target: "olm-1.10", want: withPlaceholder},
		{target: "olm-1.11", want: olm.Runtime{Name: "Helm"}},
		{target: "olm-1.5", boxcutter: true, unknown: true},
		{target: "olm-1.6", boxcutter: true, want: olm.Runtime{Name: "Boxcutter"}},
		{target: "olm-1.7", boxcutter: true, want: olm.Runtime{Name: "Boxcutter"}},
		{target: "olm-1.8", boxcutter: true,
			want: olm.Runtime{Name: "Boxcutter", Account: true, Finalizers: "clusterextensionrevisions"}},
		{target: "olm-1.9", boxcutter: true,
			want: olm.Runtime{Name: "Boxcutter", Account: true, Finalizers: "clusterobjectsets"}},
		{target: "olm-1.10", boxcutter: true,
			want: olm.Runtime{Name: "Boxcutter", Account: true, Finalizers: "clusterobjectsets"}},
		{target: "olm-1.30", boxcutter: true, want: olm.Runtime{Name: "Boxcutter"}},
		{target: "ocp-4.18", want: helm},
		{target: "ocp-4.30", want: helm},
		{target: "ocp-5.0", want: olm.Runtime{Name: "Helm"}},
		{target: "ocp-5.4", boxcutter: true, want: olm.Runtime{Name: "Boxcutter"}},
		{target: "ocp-4.20", boxcutter: true, unknown: true},
		{target: "ocp-4.22", boxcutter: true,
			want: olm.Runtime{Name: "Boxcutter", Account: true, Finalizers: "clusterobjectsets"}},
		{target: "ocp-4.20-proposed", want: helm},
		{target: "ocp-4.21-proposed", want: olm.Runtime{Name: "Helm"}},
		{target: "ocp-techpreview-proposed", want: helm},
		{target: "required", want: withPlaceholder},
		{target: "required", boxcutter: true, unknown: true},
		{target: "synthetic", want: helm},
		{target: "ignored", boxcutter: true, want: olm.Runtime{Name: "Boxcutter"}},
		{target: "removed", want: olm.Runtime{Name: "Helm"}},
	}
	for _, test := range tests {
		target, err := olm.ParseTarget(test.target)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := olm.RuntimeOf(target, map[string]bool{olm.BoxcutterGate: test.boxcutter})
		if diff := cmp.Diff(test.want, got); diff != "" || ok == test.unknown {
			t.Errorf("%s, Boxcutter %t: known %t (-want +got):\n%s", test.target, test.boxcutter, ok, diff)
		}
	}
}

// TestRuntimeGates checks that the runtime is Helm if the gate is not set, and that OpenShift's own name for the gate
// counts.
func TestRuntimeGates(t *testing.T) {
	t.Parallel()
	target, err := olm.ParseTarget("ocp-4.22")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		gates map[string]bool
		want  string
	}{
		{nil, olm.HelmRuntime},
		{map[string]bool{"NewOLMBoxCutterRuntime": true}, olm.BoxcutterRuntime},
		{map[string]bool{"NewOLMBoxCutterRuntime": false}, olm.HelmRuntime},
		{map[string]bool{"BoxcutterRuntime": false, "NewOLMBoxCutterRuntime": true}, olm.HelmRuntime},
		{map[string]bool{"AllAlpha": true}, olm.BoxcutterRuntime},
	} {
		if got, _ := olm.RuntimeOf(target, test.gates); got.Name != test.want {
			t.Errorf("%v: %s, want %s", test.gates, got.Name, test.want)
		}
	}
}

func TestUnknownGates(t *testing.T) {
	t.Parallel()
	given := map[string]bool{
		"SyntheticPermissions": false, "PreflightPermissions": true, "HelmChartSupport": true,
		"BoxcutterRuntime": true, "SomebodysOwn": true, "AllAlpha": true,
	}
	for name, want := range map[string][]string{
		"olm-1.1":           {"BoxcutterRuntime", "HelmChartSupport", "PreflightPermissions", "SomebodysOwn", "SyntheticPermissions"},
		"olm-1.2":           {"BoxcutterRuntime", "HelmChartSupport", "SomebodysOwn", "SyntheticPermissions"},
		"olm-1.3":           {"BoxcutterRuntime", "HelmChartSupport", "SomebodysOwn"},
		"olm-1.6":           {"SomebodysOwn"},
		"olm-1.10":          {"SomebodysOwn"},
		"olm-1.12":          {"HelmChartSupport", "PreflightPermissions", "SyntheticPermissions"},
		"olm-1.11":          {"HelmChartSupport", "PreflightPermissions", "SomebodysOwn", "SyntheticPermissions"},
		"olm-2.0":           {"HelmChartSupport", "PreflightPermissions", "SyntheticPermissions"},
		"ignored":           {"HelmChartSupport", "PreflightPermissions", "SyntheticPermissions"},
		"removed":           {"HelmChartSupport", "PreflightPermissions", "SyntheticPermissions"},
		"required":          nil,
		"ocp-4.20":          nil,
		"ocp-4.21-proposed": nil,
	} {
		target, err := olm.ParseTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, olm.UnknownGates(target, given)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestEnabled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		target, gate string
		given        map[string]bool
		want         bool
	}{
		{"olm-1.7", olm.WatchGate, nil, false},
		{"olm-1.8", olm.WatchGate, nil, true}, // general availability was taken back in v1.9
		{"olm-1.9", olm.WatchGate, nil, false},
		{"olm-1.8", olm.ChartGate, nil, false},
		{"olm-1.8", olm.WatchGate, map[string]bool{olm.WatchGate: false}, false},
		{"olm-1.10", olm.WatchGate, map[string]bool{olm.WatchGate: true}, true},
		{"olm-1.10", olm.ChartGate, map[string]bool{olm.WatchGate: true}, false},
		{"required", olm.ChartGate, map[string]bool{"AllAlpha": true}, true},
		{"required", olm.WatchGate, nil, false},
	} {
		target, err := olm.ParseTarget(test.target)
		if err != nil {
			t.Fatal(err)
		}
		if got := olm.Enabled(target, test.given, test.gate); got != test.want {
			t.Errorf("%s, %v: %s is enabled: %t, want %t", test.target, test.given, test.gate, got, test.want)
		}
	}
}

func TestStartFault(t *testing.T) {
	t.Parallel()
	flags := func(pairs ...string) olm.Start {
		s := olm.Start{Flags: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			s.Flags[pairs[i]] = pairs[i+1]
		}
		return s
	}
	for name, test := range map[string]struct {
		target string
		start  olm.Start
		want   string
	}{
		"nothing":                  {"olm-1.10", olm.Start{}, ""},
		"a gate that is not on":    {"olm-1.10", olm.Start{Invalid: []string{"DeploymentConfig=yes"}}, `the value "DeploymentConfig=yes" of --feature-gates`},
		"two faults":               {"olm-1.10", olm.Start{Gates: map[string]bool{"Nope": false}, Invalid: []string{"A"}}, `the unknown gate Nope, the value "A" of --feature-gates:`},
		"a certificate alone":      {"olm-1.10", flags("tls-cert", "c"), "--tls-cert without --tls-key"},
		"a key alone":              {"olm-1.10", flags("tls-key", "c"), "--tls-key without --tls-cert"},
		"metrics without TLS":      {"olm-1.10", flags("metrics-bind-address", ":8443"), "--metrics-bind-address without"},
		"metrics of v1.0":          {"olm-1.0", flags("metrics-bind-address", ":8443"), ""},
		"metrics with TLS":         {"olm-1.10", flags("metrics-bind-address", ":8443", "tls-cert", "c", "tls-key", "k"), ""},
		"no metrics":               {"olm-1.10", flags("metrics-bind-address", ""), ""},
		"a flag of v1.1 in v1.2":   {"olm-1.2", flags("ca-certs-dir", "/ca"), "the unknown flag --ca-certs-dir"},
		"a flag of v1.1 in v1.1":   {"olm-1.1", flags("ca-certs-dir", "/ca"), ""},
		"a flag of v1.2 in v1.1":   {"olm-1.1", flags("pull-cas-dir", "/ca"), "the unknown flag --pull-cas-dir"},
		"a secret without a name":  {"required", flags("global-pull-secret", "pull"), "--global-pull-secret pull, which is not NAMESPACE/NAME"},
		"a secret":                 {"required", flags("global-pull-secret", "olmv1-system/pull"), ""},
		"a secret that comes late": {"required", flags("global-pull-secret", "${PULL}"), ""},
	} {
		target, err := olm.ParseTarget(test.target)
		if err != nil {
			t.Fatal(err)
		}
		if got := olm.StartFault(target, test.start); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
