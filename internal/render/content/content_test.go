package content_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/content"
)

const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n"

const csv = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: shop.v1.2.0}
spec:
  version: 1.2.0
  installModes: [{type: AllNamespaces, supported: true}]
  install:
    strategy: deployment
    spec:
      clusterPermissions:
      - serviceAccountName: shop
        rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`

var trees = filestest.Tree{
	"bundle/manifests/csv.yaml":            csv,
	"bundle/metadata/annotations.yaml":     "annotations: {operators.operatorframework.io.bundle.package.v1: shop}\n",
	"bundle/manifests/extra.yaml":          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n",
	"chart/Chart.yaml":                     "apiVersion: v2\nname: shop\nversion: 3.0.0\n",
	"chart/templates/a.yaml":               "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: '{{ .Release.Name }}-{{ .Values.who }}-{{ .Release.Namespace }}'}\n",
	"chart/templates/hook.yaml":            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: first, annotations: {helm.sh/hook: pre-install}}\n",
	"chart/templates/tests/try.yaml":       "apiVersion: v1\nkind: Pod\nmetadata: {name: try, annotations: {helm.sh/hook: 'test, test-success'}}\n",
	"chart/crds/shops/crd.yaml":            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shops.example.com}\n",
	"overlay/kustomization.yaml":           "namePrefix: x-\nresources: [../plain, https://example.com/a.yaml]\n",
	"plain/kustomization.yaml":             "resources: [a.yaml]\n",
	"plain/a.yaml":                         account,
	"manifests-only/manifests/a.yaml":      account,
	"manifests-only/README.md":             "words",
	"manifests-only/values.yaml":           "a: 1\n",
	"no-csv/manifests/a.yaml":              account,
	"no-csv/metadata/annotations.yaml":     "annotations: {}\n",
	"loose/csv.yaml":                       csv,
	"empty/README.md":                      "words",
	"catalog/catalog.yaml":                 "schema: olm.package\nname: shop\n---\nschema: olm.bundle\nname: shop.v1.2.0\npackage: shop\nproperties:\n- {type: olm.csv.metadata, value: {}}\n",
	"broken-chart/Chart.yaml":              "name: [\n",
	"broken-overlay/kustomization.yaml":    "resources: [missing.yaml]\n",
	"bundle-and-overlay/manifests/a.yaml":  csv,
	"bundle-and-overlay/kustomization.yml": "resources: [manifests]\n",
}

func TestLoad(t *testing.T) {
	t.Parallel()
	type summary struct {
		Kind                   content.Kind
		Package, Name, Version string
		Objects, Notes         []string
	}
	tests := map[string]struct {
		dir     string
		options content.Options
		want    summary
	}{
		"a bundle": {"bundle", content.Options{Namespace: "ops"}, summary{content.Bundle, "shop", "shop.v1.2.0", "1.2.0",
			[]string{"ServiceAccount ops/shop", "ClusterRole ", "ClusterRoleBinding ", "ConfigMap ops/extra"}, nil}},
		"its manifests": {"bundle/manifests", content.Options{Namespace: "ops"}, summary{content.Bundle, "shop", "shop.v1.2.0", "1.2.0",
			[]string{"ServiceAccount ops/shop", "ClusterRole ", "ClusterRoleBinding ", "ConfigMap ops/extra"}, nil}},
		"a chart": {"chart", content.Options{Release: "r", Namespace: "ops", Values: []render.ValuesFile{{Name: "v", Data: []byte("who: me")}}},
			summary{content.Chart, "", "shop", "3.0.0",
				[]string{"CustomResourceDefinition shops.example.com", "ServiceAccount r-me-ops", "Job first"},
				[]string{"1 object for `helm test` was left out, because installing does not apply it",
					"1 object is a hook, which Helm applies separately and may delete",
					"1 object is a CRD in crds/, which Helm installs first and never changes"}}},
		"a bundle with a kustomization": {"bundle-and-overlay", content.Options{Namespace: "ops", Package: "given"},
			summary{content.Bundle, "given", "shop.v1.2.0", "1.2.0", []string{"ServiceAccount ops/shop", "ClusterRole ", "ClusterRoleBinding "}, nil}},
		"an overlay": {"overlay", content.Options{}, summary{Kind: content.Kustomization, Objects: []string{"ServiceAccount x-a"}, Notes: []string{
			`overlay/kustomization.yaml:2:23: resources: "https://example.com/a.yaml" is not in the repository, and salint fetches nothing`}}},
		"manifests": {"manifests-only", content.Options{}, summary{Kind: content.Manifests, Objects: []string{"ServiceAccount a"}}},
		"a file":    {"plain/a.yaml", content.Options{}, summary{Kind: content.Manifests, Objects: []string{"ServiceAccount a"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := content.Load(t.Context(), trees.FS(), test.dir, test.options)
			if err != nil {
				t.Fatal(err)
			}
			found := summary{got.Kind, got.Package, got.Name, got.Version, nil, got.Notes}
			for _, o := range got.Objects {
				name := o.Name()
				if strings.HasPrefix(name, "shop.v1.2.0-") { // the suffix is a hash that this test does not check
					name = ""
				}
				found.Objects = append(found.Objects, o.Kind()+" "+strings.TrimPrefix(o.Namespace()+"/", "/")+name)
			}
			if diff := cmp.Diff(test.want, found); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{
		"no-csv":         "ClusterServiceVersion",
		"loose":          "loose/csv.yaml:1: a ClusterServiceVersion is not installed directly: it is part of the folder manifests/ of a bundle. Use the folder that contains manifests/",
		"empty":          "empty contains no objects (read as manifests)",
		"missing":        "missing: file does not exist",
		"../out":         "outside the repository",
		"/etc":           "outside the repository",
		"catalog":        "olm.csv.metadata",
		"broken-chart":   "broken-chart/Chart.yaml:1: helm: ",
		"broken-overlay": "broken-overlay/kustomization.yaml:1: kustomize: ",
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			got, err := content.Load(t.Context(), trees.FS(), dir, content.Options{Namespace: "ops"})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, %v; want %q", got, err, want)
			}
		})
	}
}
