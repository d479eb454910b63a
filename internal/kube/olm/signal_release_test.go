package olm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/olm"
)

func TestReadAddress(t *testing.T) {
	const repository = "https://github.com/operator-framework/operator-controller"
	tests := map[string]string{
		repository + "/releases/download/v1.10.0/operator-controller.yaml":                              "olm-1.10",
		"curl -L -s " + repository + "/releases/download/v1.9.1/install.sh | bash -s":                   "olm-1.9",
		repository + "//config/default?ref=v1.8.0":                                                      "olm-1.8",
		repository + ".git//config/default?timeout=90s&ref=v1.8.0":                                      "olm-1.8",
		"https://raw.githubusercontent.com/operator-framework/operator-controller/v1.7.0/a.yaml":        "olm-1.7",
		"git@github.com:operator-framework/operator-controller?ref=v1.11.0":                             "olm-1.11",
		repository + "/releases/download/v1.10.0/a.yaml " + repository + "/releases/download/v1.10.1/b": "olm-1.10",

		repository + "/releases/download/v1.10.0/a.yaml " + repository + "/releases/download/v1.11.0/b":        "",
		repository + "/releases/latest/download/install.sh":                                                    "",
		repository + "/releases/download/v1.10.0/operator-controller-experimental.yaml":                        "",
		repository + "//config/default?ref=main":                                                               "",
		"https://github.com/acme/operator-controller/releases/download/v1.10.0/operator-controller.yaml":       "",
		"https://github.com/operator-framework/operator-lifecycle-manager/releases/download/v0.28.0/crds.yaml": "",
		"": "",
	}
	for text, want := range tests {
		signal, ok := olm.ReadAddress(text)
		if signal.Target.Name != want || ok != (want != "") {
			t.Errorf("%q: target %q, %t; want %q", text, signal.Target.Name, ok, want)
		}
	}
}

func TestReadKustomization(t *testing.T) {
	tests := map[string][]string{
		"resources: [a, https://github.com/operator-framework/operator-controller/releases/download/v1.10.0/x.yaml]":             {"olm-1.10 resources[1]"},
		"images: [{name: quay.io/operator-framework/operator-controller, newTag: v1.9.0}]":                                       {"olm-1.9 images[0].newTag"},
		"images: [{name: controller, newName: mirror.example/olm/operator-controller, newTag: v1.9.0}]":                          {"olm-1.9 images[0].newTag"},
		"images: [{name: web, newTag: v1.9.0}]":                                                                                  nil,
		"images: [{name: operator-controller, newTag: v1.9.0, digest: 'sha256:1'}]":                                              nil,
		"patches: [{patch: '[{op: replace, path: /spec/x, value: \"quay.io/operator-framework/operator-controller:v1.8.0\"}]'}]": {"olm-1.8 patches[0].patch"},
		"patchesStrategicMerge: ['{kind: Deployment, image: quay.io/operator-framework/operator-controller:v1.8.0}']":            {"olm-1.8 patchesStrategicMerge[0]"},
		"patches: [{path: patch.yaml}]": nil,
	}
	for text, want := range tests {
		var got []string
		for _, s := range olm.ReadKustomization(object(t, text)) {
			got = append(got, s.Target.Name+" "+s.Path.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: signals differ (-want +got):\n%s", text, diff)
		}
	}
}

func TestApplicationSignals(t *testing.T) {
	application := func(destination string) string {
		return "{apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {destination: {" + destination + "}, source: {path: config, " +
			"repoURL: 'https://github.com/operator-framework/operator-controller', targetRevision: v1.9.0}}}"
	}
	for destination, want := range map[string]int{"server: 'https://kubernetes.default.svc'": 1, "name: in-cluster": 1, "server: 'https://east.example'": 0} {
		if got := olm.ReadSignals(object(t, application(destination))); len(got) != want {
			t.Errorf("%s: %d signals, want %d", destination, len(got), want)
		}
	}
}
