package olm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/olm"
)

// lines returns each signal as one line: kind, target, path, gates.
func lines(signals []olm.Signal) []string {
	var out []string
	for _, s := range signals {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", s.Kind, s.Target.Name, s.Path, gates(s.Gates))))
	}
	return out
}

func gates(m map[string]bool) string {
	if m == nil {
		return ""
	}
	return strings.TrimPrefix(fmt.Sprint(m), "map")
}

// crd wraps the schema of spec, written in flow style, in a CRD with one version.
func crd(spec string) string {
	return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clusterextensions.olm.operatorframework.io}
spec:
  group: olm.operatorframework.io
  names: {kind: ClusterExtension, plural: clusterextensions}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {properties: {spec: ` + spec + `}}}
`
}

const (
	crdSpec     = "spec.versions[0].schema.openAPIV3Schema.properties.spec"
	crdProperty = crdSpec + ".properties.serviceAccount"
)

func TestCRDSignals(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, spec, want string }{
		{"required", `{required: [namespace, serviceAccount], properties: {serviceAccount: {type: object}}}`,
			"crd required " + crdSpec + ".required[1]"},
		{"required and deprecated",
			`{required: [serviceAccount], properties: {serviceAccount: {description: "Deprecated: will be ignored soon"}}}`,
			"crd required " + crdSpec + ".required[0]"},
		{"ignored by description", `{properties: {serviceAccount: {description: "The account. It is ignored."}}}`,
			"crd ignored " + crdProperty},
		{"ignored, with other words",
			`{properties: {serviceAccount: {description: "Deprecated: no longer used."}}}`, "crd ignored " + crdProperty},
		{"deprecated by the proposal's extension",
			`{properties: {serviceAccount: {description: Who installs it., x-kubernetes-deprecated: true}}}`,
			"crd ignored " + crdProperty},
		{"descriptions stripped, name optional", `{properties: {serviceAccount: {properties: {name: {type: string}}}}}`,
			"crd ignored " + crdProperty},
		{"descriptions stripped, name required",
			`{properties: {serviceAccount: {required: [name], properties: {name: {type: string}}}}}`,
			"crd synthetic " + crdProperty},
		{"optional",
			`{required: [namespace], properties: {serviceAccount: {description: "Without it a synthetic identity acts."}}}`,
			"crd synthetic " + crdProperty},
		{"described as not ignored", `{properties: {serviceAccount: {description: "Optional, but not ignored."}}}`,
			"crd synthetic " + crdProperty},
		{"absent", `{properties: {namespace: {type: string}}}`, "crd removed " + crdSpec + ".properties"},
		{"another field is ignored", `{properties: {namespace: {description: serviceAccount is ignored}}}`,
			"crd removed " + crdSpec + ".properties"},
		{"below install, as in v0.15",
			`{required: [install], properties: {install: {required: [serviceAccount], properties: {serviceAccount: {}}}}}`,
			"crd required " + crdSpec + ".properties.install.required[0]"},
		{"unknown fields are kept", `{x-kubernetes-preserve-unknown-fields: true, properties: {namespace: {}}}`, ""},
		{"no schema", `{}`, ""},
		{"broken schema", `[required]`, ""},
	}
	for _, test := range tests {
		got := strings.Join(lines(olm.ReadSignals(object(t, crd(test.spec)))), "\n")
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCRDVersions(t *testing.T) {
	t.Parallel()
	const head = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: olm.operatorframework.io
  names: {kind: ClusterExtension}
  versions:
`
	const requires = "schema: {openAPIV3Schema: {properties: {spec: {required: [serviceAccount], properties: {a: {}}}}}}}\n"
	const without = "schema: {openAPIV3Schema: {properties: {spec: {properties: {a: {}}}}}}}\n"
	for name, test := range map[string]struct{ versions, want string }{
		"v1 before the stored version": {"  - {name: v1alpha1, served: true, storage: true, " + requires +
			"  - {name: v1, served: true, storage: false, " + without, "removed"},
		"stored before the first": {"  - {name: v1alpha1, served: true, storage: false, " + requires +
			"  - {name: v1alpha2, served: true, storage: true, " + without, "removed"},
		"a version that is not served": {"  - {name: v1alpha1, served: true, storage: true, " + requires +
			"  - {name: v1, served: false, storage: false, " + without, "required"},
		"none is served": {"  - {name: v1, served: false, storage: true, " + requires, ""},
		"no versions":    {"  - {}\n", ""},
	} {
		var got string
		for _, signal := range olm.ReadSignals(object(t, head+test.versions)) {
			got += signal.Target.Name
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
	other := strings.Replace(head, "ClusterExtension", "ClusterCatalog", 1) + "  - {name: v1, served: true, " + requires
	if signals := olm.ReadSignals(object(t, other)); signals != nil {
		t.Errorf("the CRD of another kind gives %v", lines(signals))
	}
}

func deployment(name, container string) string {
	return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ` + name + `, namespace: olmv1-system}
spec:
  template:
    spec:
      containers:
      - name: manager
` + container
}

func TestImageSignals(t *testing.T) {
	t.Parallel()
	for image, want := range map[string]string{
		"quay.io/operator-framework/operator-controller:v1.9.0":                      "olm-1.9",
		"operator-controller:1.11":                                                   "olm-1.11",
		"mirror.example:5000/olm/operator-controller:v1.10.2":                        "olm-1.10",
		"mirror.example:5000/olm/operator-controller:v4.20.0":                        "ocp-4.20",
		"mirror.example:5000/quay/operator-framework-operator-controller:v1.10.2":    "",
		"quay.io/operator-framework/operator-controller:v1.11.0-rc1":                 "olm-1.11",
		"quay.io/operator-framework/operator-controller:v4.20.0":                     "",
		"quay.io/openshift/origin-olm-operator-controller:4.22":                      "ocp-4.22",
		"registry.example/payload/olm-operator-controller:v5.0.0":                    "ocp-5.0",
		"registry.example/payload/olm-operator-controller:v1.11.0":                   "",
		"registry.example/redis-operator-controller:v4.20.1":                         "",
		"registry.example/redis/operator-controllers:v1.11.0":                        "",
		"registry.example/operator-controller:2026.01":                               "",
		"registry.example/operator-controller:v2.0.0":                                "",
		"registry.example/operator-controller/proxy:v1.11.0":                         "",
		"quay.io/operator-framework/operator-controller:v1.9.0@sha256:" + digest:     "olm-1.9",
		"quay.io/operator-framework/operator-controller:v1.12.0-rc1":                 "olm-1.12",
		"quay.io/operator-framework/operator-controller:v0.12.0":                     "required",
		"registry.example/openshift4/ose-olm-operator-controller-rhel9:v4.20.0-2026": "ocp-4.20",
		"quay.io/operator-framework/operator-controller:v0.11.0":                     "",
		"quay.io/operator-framework/operator-controller@sha256:" + digest:            "",
		"quay.io/operator-framework/operator-controller:devel":                       "",
		"quay.io/operator-framework/operator-controller:latest":                      "",
		"quay.io/operator-framework/operator-controller":                             "",
		"mirror.example:5000/operator-controller":                                    "",
		"quay.io/operator-framework/operator-controller:v99999999999.1":              "",
		"quay.io/operator-framework/catalogd:v1.9.0":                                 "",
		"${OPERATOR_CONTROLLER_IMAGE}":                                               "",
	} {
		var got string
		text := deployment("operator-controller-controller-manager", "        image: "+image+"\n")
		for _, signal := range olm.ReadSignals(object(t, text)) {
			got += signal.Target.Name
			if signal.Kind != olm.ImageSignal || signal.Path.String() != "spec.template.spec.containers[0].image" {
				t.Errorf("%s: signal %v", image, lines([]olm.Signal{signal}))
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", image, got, want)
		}
	}
}

const digest = "6f5d1e0e3d2f1c0b6f5d1e0e3d2f1c0b6f5d1e0e3d2f1c0b6f5d1e0e3d2f1c0b"

func TestGatesSignals(t *testing.T) {
	t.Parallel()
	const controller = "        image: operator-controller@sha256:" + digest + "\n"
	const at = "gates  spec.template.spec.containers[0]."
	tests := []struct{ name, container, want string }{
		{"after an equals sign", controller + `        args: ["--leader-elect", "--feature-gates=SyntheticPermissions=true"]`,
			at + "args[1] [SyntheticPermissions:true]"},
		{"in the next word", controller + `        args: [--feature-gates, "A=1, B=False"]`, at + "args[0] [A:true B:false]"},
		{"several times, the last one counts",
			controller + `        args: [--feature-gates=A=true, --feature-gates=B=true, --feature-gates=A=false]`,
			at + "args[0] [A:false B:true]"},
		{"in the command", controller + `        command: [/operator-controller, --feature-gates=A=true]`,
			at + "command[1] [A:true]"},
		{"invalid", controller + `        args: [--feature-gates=A, --feature-gates=B=maybe, "--feature-gates=${G}"]`, at + "args[0] []"},
		{"substituted later", controller + `        args: ["--feature-gates=${G}"]`, ""},
		{"no value after the flag", controller + `        args: [--feature-gates]`, ""},
		{"a patch without an image", `        args: [--feature-gates=A=true]`, at + "args[0] [A:true]"},
		{"a templated image", `        image: ${IMAGE}` + "\n        args: [--feature-gates=A=true]",
			at + "args[0] [A:true]"},
		{"another image", `        image: catalogd:v1.9.0` + "\n        args: [--feature-gates=A=true]", ""},
		{"through an alias", `        env: &gates [--feature-gates=A=true]` + "\n        args: *gates", at + "args[0] [A:true]"},
		{"not a list", controller + `        args: --feature-gates=A=true`, ""},
	}
	for _, test := range tests {
		text := deployment("operator-controller-controller-manager", test.container+"\n")
		if got := strings.Join(lines(olm.ReadSignals(object(t, text))), "\n"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	patch := "        args: [--feature-gates=A=true]\n"
	if signals := olm.ReadSignals(object(t, deployment("catalogd-controller-manager", patch))); signals != nil {
		t.Errorf("another Deployment without an image gives %v", lines(signals))
	}
	if signals := olm.ReadSignals(object(t, deployment("redis-operator-controller", patch))); signals != nil {
		t.Errorf("the Deployment of another operator gives %v", lines(signals))
	}
	command := "        command: [/operator-controller]\n        args: [--feature-gates=A=true]\n"
	if signals := olm.ReadSignals(object(t, deployment("renamed", command))); len(signals) != 1 {
		t.Errorf("the command of operator-controller gives %v", lines(signals))
	}
}

func TestOpenShiftSignals(t *testing.T) {
	t.Parallel()
	const version = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\n"
	const gate = "apiVersion: config.openshift.io/v1\nkind: FeatureGate\n"
	tests := []struct{ name, text, want string }{
		{"desired update", version + `spec: {channel: stable-4.21, desiredUpdate: {version: 4.20.3}}`,
			"clusterversion ocp-4.20 spec.desiredUpdate.version"},
		{"channel", version + `spec: {channel: eus-4.20}`, "clusterversion ocp-4.20 spec.channel"},
		{"status before channel", version + "spec: {channel: stable-4.21}\nstatus: {desired: {version: 4.20.0-rc.1}}",
			"clusterversion ocp-4.20 status.desired.version"},
		{"history", version + "spec: {}\nstatus: {history: [{version: 5.0.1}, {version: 4.22.9}]}",
			"clusterversion ocp-5.0 status.history[0].version"},
		{"too old", version + `spec: {desiredUpdate: {version: 4.16.1}}`, ""},
		{"an image alone", version + `spec: {desiredUpdate: {image: "registry.example/release@sha256:00"}}`, ""},
		{"a template", version + `spec: {channel: "stable-${V}"}`, ""},
		{"an unknown major version", version + `spec: {channel: stable-7.9}`, ""},

		{"preview", gate + `spec: {featureSet: TechPreviewNoUpgrade}`, "featureset  spec.featureSet"},
		{"developers' preview", gate + `spec: {featureSet: DevPreviewNoUpgrade}`, "featureset  spec.featureSet"},
		{"default", gate + `spec: {featureSet: Default}`, "featureset  spec.featureSet [SyntheticPermissions:false]"},
		{"empty", gate + `spec: {featureSet: ""}`, "featureset  spec.featureSet [SyntheticPermissions:false]"},
		{"left out", gate + `spec: {}`, "featureset  spec.featureSet [SyntheticPermissions:false]"},
		{"custom, on", gate + `spec: {featureSet: CustomNoUpgrade, customNoUpgrade: {enabled: [SyntheticPermissions]}}`,
			"featureset synthetic spec.featureSet [SyntheticPermissions:true]"},
		{"custom, off", gate +
			`spec: {featureSet: CustomNoUpgrade, customNoUpgrade: {enabled: [A], disabled: [SyntheticPermissions]}}`,
			"featureset  spec.featureSet [A:true SyntheticPermissions:false]"},
		{"custom, not named", gate + `spec: {featureSet: CustomNoUpgrade, customNoUpgrade: {enabled: [A]}}`,
			"featureset  spec.featureSet [A:true SyntheticPermissions:false]"},
		{"custom, without lists", gate + `spec: {featureSet: CustomNoUpgrade}`,
			"featureset  spec.featureSet [SyntheticPermissions:false]"},
		{"an unknown set", gate + `spec: {featureSet: Whatever}`, ""},
		{"a templated set", gate + `spec: {featureSet: "${SET}"}`, ""},
		{"a bare template", gate + "spec:\n  featureSet: {{ set }}\n", ""},
		{"no spec", gate, ""},
		{"a FeatureGate of another group", strings.Replace(gate, "config.openshift.io", "example.com", 1) + `spec: {}`, ""},
	}
	for _, test := range tests {
		if got := strings.Join(lines(olm.ReadSignals(object(t, test.text))), "\n"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestWeights(t *testing.T) {
	t.Parallel()
	objects := []string{
		crd(`{required: [serviceAccount], properties: {a: {}}}`),
		deployment("x", "        image: operator-controller:v1.9.0\n"),
		"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nspec: {channel: stable-4.20}\n",
		"apiVersion: config.openshift.io/v1\nkind: FeatureGate\nspec: {featureSet: Default}\n",
		deployment("x", "        image: operator-controller:devel\n        args: [--feature-gates=A=true]\n"),
	}
	var weights []int
	for _, text := range objects {
		for _, signal := range olm.ReadSignals(object(t, text)) {
			weights = append(weights, signal.Weight)
			if signal.Description == "" {
				t.Errorf("%v has no description", lines([]olm.Signal{signal}))
			}
		}
	}
	if diff := cmp.Diff([]int{40, 30, 20, 10, 0}, weights); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
}
