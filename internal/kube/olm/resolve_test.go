package olm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/olm"
)

// Objects that the cases combine.
const (
	crdRequires = "crd requires"
	crdIgnores  = "crd ignores"
)

// unit reads the signals of several objects. An object is one of the names above, or "image TAG [GATES]",
// "gates GATES", "version VERSION" or "set FEATURESET".
func unit(t *testing.T, objects ...string) []olm.Signal {
	t.Helper()
	var signals []olm.Signal
	for _, name := range objects {
		for _, signal := range olm.ReadSignals(object(t, unitObject(t, name))) {
			signal.Ref = name
			signals = append(signals, signal)
		}
	}
	return signals
}

func unitObject(t *testing.T, name string) string {
	t.Helper()
	kind, argument, _ := strings.Cut(name, " ")
	switch kind {
	case "crd":
		if name == crdRequires {
			return crd(`{required: [serviceAccount], properties: {a: {}}}`)
		}
		return crd(`{properties: {serviceAccount: {description: It is ignored.}}}`)
	case "image", "gates":
		tag, gates, ok := strings.Cut(argument, " ")
		if kind == "gates" {
			tag, gates, ok = "devel", argument, true
		}
		container := "        image: operator-controller:" + tag + "\n"
		if ok {
			container += "        args: [\"--feature-gates=" + gates + "\"]\n"
		}
		return deployment("operator-controller", container)
	case "version":
		return "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nspec: {desiredUpdate: {version: " + argument + "}}\n"
	case "set":
		return "apiVersion: config.openshift.io/v1\nkind: FeatureGate\nspec: {featureSet: " + argument + "}\n"
	default:
		t.Fatalf("no such object: %s", name)
		return ""
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		objects []string
		target  string
		model   olm.Model
		decides string
	}{
		{name: "nothing"},
		{name: "gates alone do not decide", objects: []string{"gates SyntheticPermissions=true"}},
		{name: "a CRD", objects: []string{crdRequires}, target: "required", model: olm.Required, decides: crdRequires},
		{name: "a CRD and the release that agrees", objects: []string{"image v1.10.0", crdRequires},
			target: "olm-1.10", model: olm.Required, decides: crdRequires},
		{name: "a CRD and OpenShift", objects: []string{"version 4.20.1", crdRequires},
			target: "ocp-4.20", model: olm.Required, decides: crdRequires},
		{name: "a CRD against an image", objects: []string{"image v1.11.0", crdRequires},
			target: "required", model: olm.Required, decides: crdRequires},
		{name: "a CRD against an old image, and a version that agrees with neither release",
			objects: []string{"version 4.20.0", "image v1.9.0", crdIgnores},
			target:  "ignored", model: olm.Ignored, decides: crdIgnores},
		{name: "a release beyond the table does not contradict", objects: []string{"version 5.9.0", crdIgnores},
			target: "ocp-5.9", model: olm.Ignored, decides: crdIgnores},
		{name: "a CRD against a version", objects: []string{"version 5.0.0", crdRequires},
			target: "required", model: olm.Required, decides: crdRequires},
		{name: "an image before a version", objects: []string{"version 4.20.0", "image v1.9.0"},
			target: "olm-1.9", model: olm.Required, decides: "image v1.9.0"},
		{name: "two CRDs: the one that changes less", objects: []string{crdIgnores, crdRequires},
			target: "required", model: olm.Required, decides: crdRequires},
		{name: "a preview alone", objects: []string{"set TechPreviewNoUpgrade"}},
		{name: "a preview and a version", objects: []string{"set TechPreviewNoUpgrade", "version 4.21.3"},
			target: "ocp-4.21", model: olm.Required, decides: "version 4.21.3"},
		{name: "a preview and a CRD", objects: []string{"set TechPreviewNoUpgrade", crdRequires},
			target: "required", model: olm.Required, decides: crdRequires},
		{name: "the default feature set", objects: []string{"set Default"}},
		{name: "the default feature set does not contradict", objects: []string{"set Default", crdIgnores},
			target: "ignored", model: olm.Ignored, decides: crdIgnores},
		{name: "a removed gate on the release that removed it", objects: []string{"image v1.11.0 SyntheticPermissions=false"},
			target: "olm-1.11", model: olm.Ignored, decides: "image v1.11.0 SyntheticPermissions=false"},
		{name: "a removed gate with a CRD that ignores the field", objects: []string{"gates PreflightPermissions=true", crdIgnores},
			target: "ignored", model: olm.Ignored, decides: crdIgnores},
		{name: "the gate in a release that has it", objects: []string{"image v1.10.0 SyntheticPermissions=true", crdRequires},
			target: "olm-1.10", model: olm.Required, decides: crdRequires},
		{name: "the gate in an earlier release", objects: []string{"image v1.2.0 SyntheticPermissions=true"},
			target: "olm-1.2", model: olm.Required, decides: "image v1.2.0 SyntheticPermissions=true"},
		{name: "two flags that contradict each other",
			objects: []string{"gates SyntheticPermissions=true", "gates SyntheticPermissions=false"}},
	}
	for _, test := range tests {
		got := olm.Resolve(unit(t, test.objects...))
		if got.Target.Name != test.target || got.Target.Model != test.model || got.Signal.Ref != test.decides ||
			got.Known != (test.target != "") {
			t.Errorf("%s: %s (%s), decided by %q; want %s (%s), decided by %q", test.name,
				got.Target.Name, got.Target.Model, got.Signal.Ref, test.target, test.model, test.decides)
		}
	}
}

func TestResolveDoesNotDependOnOrder(t *testing.T) {
	t.Parallel()
	signals := unit(t, crdIgnores, crdRequires, "image v1.11.0 SyntheticPermissions=true", "version 4.20.0", "set Default")
	want := olm.Resolve(signals)
	slices.Reverse(signals)
	got := olm.Resolve(signals)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reversed (-want +got):\n%s", diff)
	}
}

func TestSyntheticState(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		objects []string
		want    olm.GateState
		says    string
	}{
		{"no signal", []string{crdRequires, "image v1.9.0"}, olm.GateUnknown, ""},
		{"other gates", []string{"gates PreflightPermissions=true"}, olm.GateUnknown, ""},
		{"on", []string{"gates SyntheticPermissions=true"}, olm.GateOn, "gates SyntheticPermissions=true"},
		{"off", []string{"gates SyntheticPermissions=false"}, olm.GateOff, "gates SyntheticPermissions=false"},
		{"all alpha gates", []string{"gates AllAlpha=true,BoxcutterRuntime=false"}, olm.GateOn,
			"gates AllAlpha=true,BoxcutterRuntime=false"},
		{"all alpha gates, but not this one",
			[]string{"gates SyntheticPermissions=false,BoxcutterRuntime=false,AllAlpha=true"}, olm.GateOff,
			"gates SyntheticPermissions=false,BoxcutterRuntime=false,AllAlpha=true"},
		{"without effect under Boxcutter", []string{"gates SyntheticPermissions=true,BoxcutterRuntime=true"}, olm.GateOff,
			"gates SyntheticPermissions=true,BoxcutterRuntime=true"},
		{"preview", []string{"set TechPreviewNoUpgrade"}, olm.GateUnknown, ""},
		{"another feature set", []string{"set Default"}, olm.GateOff, "set Default"},
		{"the flag before the feature set", []string{"set Default", "gates SyntheticPermissions=true"}, olm.GateOn,
			"gates SyntheticPermissions=true"},
		{"a flag without the gate does not override the feature set", []string{"set Default", "gates HelmChartSupport=true"},
			olm.GateOff, "set Default"},
		{"two flags disagree", []string{"gates SyntheticPermissions=true", "gates SyntheticPermissions=false"},
			olm.GateUnknown, ""},
	}
	for _, test := range tests {
		got := olm.Resolve(unit(t, test.objects...))
		if got.Synthetic != test.want || got.SyntheticSignal.Ref != test.says {
			t.Errorf("%s: %s by %q, want %s by %q", test.name, got.Synthetic, got.SyntheticSignal.Ref, test.want, test.says)
		}
	}
}

func TestGatesCombined(t *testing.T) {
	t.Parallel()
	got := olm.Resolve(unit(t, "set Default", "gates SyntheticPermissions=true,BoxcutterRuntime=false")).Gates
	want := map[string]bool{"SyntheticPermissions": true, "BoxcutterRuntime": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gates (-want +got):\n%s", diff)
	}
}
