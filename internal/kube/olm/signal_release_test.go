package olm_test

import (
	"cmp"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

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
		if diff := gocmp.Diff(want, got); diff != "" {
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

func TestReadPatch(t *testing.T) {
	tests := map[string]string{
		"- op: replace\n  value: quay.io/operator-framework/operator-controller:v1.8.0\n": "olm-1.8 2",
		"# image: quay.io/operator-framework/operator-controller:v1.8.0\nspec: {}\n":      "",
		"image: quay.io/acme/web:v1.8.0\n":                                                "",
		"":                                                                                "",
	}
	for text, want := range tests {
		got := ""
		if signal, line, ok := olm.ReadPatch([]byte(text)); ok {
			got = fmt.Sprintf("%s %d", signal.Target.Name, line)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFluxSignals(t *testing.T) {
	tests := []struct{ spec, ref, url, source, own string }{
		{"{path: config}", "{tag: v1.9.0}", "", "olm-1.9 spec.ref.tag", ""},
		{"{path: config}", "{name: refs/tags/v1.9.0}", "", "olm-1.9 spec.ref.name", ""},
		{"{images: [{name: quay.io/operator-framework/operator-controller, newTag: v1.10.0}]}", "{tag: v1.9.0}", "", "olm-1.9 spec.ref.tag", "olm-1.10 spec.images[0].newTag"},
		{"{path: config}", "{tag: v1.9.0, branch: main}", "", "olm-1.9 spec.ref.tag", ""},
		{"{path: config}", "{tag: v1.9.0, commit: 1a2b}", "", "", ""},
		{"{path: config}", "{tag: v1.9.0, semver: v1.9.0}", "", "", ""},
		{"{path: config}", "{branch: main}", "", "", ""},
		{"{path: config}", "{tag: v1.9.0}", "https://github.com/acme/operator-controller", "", ""},
		{"{path: config/overlays/experimental}", "{tag: v1.9.0}", "", "", ""},
		{"{suspend: true}", "{tag: v1.9.0}", "", "", ""},
		{"{kubeConfig: {secretRef: {name: x}}}", "{tag: v1.9.0}", "", "", ""},
	}
	for _, test := range tests {
		url := cmp.Or(test.url, "https://github.com/operator-framework/operator-controller")
		ofSource, own := olm.ReadFlux(object(t, "{spec: "+test.spec+"}"), object(t, "{spec: {url: '"+url+"', ref: "+test.ref+"}}"))
		for _, each := range []struct {
			signals []olm.Signal
			want    string
		}{{ofSource, test.source}, {own, test.own}} {
			got := ""
			for _, s := range each.signals {
				got += s.Target.Name + " " + s.Path.String()
			}
			if got != each.want {
				t.Errorf("%s %s: %q, want %q", test.spec, test.ref, got, each.want)
			}
		}
	}
}
