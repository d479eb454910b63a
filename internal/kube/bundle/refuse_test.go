package bundle_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/bundle"
)

const (
	deployments = `install:
  strategy: deployment
  spec:
    deployments:
      - {name: till, spec: {template: {}}}`
	owned = `customresourcedefinitions:
  owned: [{name: tills.shop.example.com, kind: Till, version: v1}]`
	definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tills.shop.example.com}
spec: {group: shop.example.com, names: {kind: Till, plural: tills}, scope: Cluster, versions: []}
`
	subdomain = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
)

func webhook(fields string) string {
	return "webhookdefinitions:\n  - {sideEffects: None, admissionReviewVersions: [v1], " + fields + "}"
}

// TestUnsupported checks that the reasons are operator-controller's, word for word.
func TestUnsupported(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		want  string
	}{
		"API services": {map[string]string{"manifests/csv.yaml": operator("apiservicedefinitions: {owned: [{name: a, group: b, version: v1, kind: C}]}")},
			"unsupported bundle: apiServiceDefintions are not supported"},
		"an API of another operator": {map[string]string{"manifests/csv.yaml": operator("customresourcedefinitions: {required: [{name: a.b.example.com, kind: A, version: v1}]}")},
			`bundle "shop.v1.2.0" has a dependency declared via property "olm.gvk.required" which is currently not supported`},
		"a dependency": {map[string]string{"manifests/csv.yaml": operator(), "metadata/dependencies.yaml": "dependencies: [{type: olm.package, value: {packageName: till, version: '>1'}}]"},
			`bundle "shop.v1.2.0" has a dependency declared via property "olm.package.required" which is currently not supported`},
		"a constraint": {map[string]string{"manifests/csv.yaml": operator(), "metadata/properties.yaml": "properties: [{type: olm.constraint, value: {}}]"},
			`bundle "shop.v1.2.0" has a dependency declared via property "olm.constraint" which is currently not supported`},
		"no install mode": {map[string]string{"manifests/csv.yaml": operator("installModes: [{type: MultiNamespace, supported: true}, {type: AllNamespaces, supported: false}]")},
			"unsupported bundle: bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes"},
		"no package": {map[string]string{"manifests/csv.yaml": operator(), "metadata/annotations.yaml": "annotations: {}"},
			"package name is empty"},
		"an owned definition is missing": {map[string]string{"manifests/csv.yaml": operator(owned)},
			"cluster service definition references owned custom resource definition 'tills.shop.example.com' not found in bundle"},
		"a definition twice": {map[string]string{"manifests/csv.yaml": operator(owned), "manifests/a.yaml": definition, "manifests/b.yaml": definition},
			"bundle contains duplicate custom resource definition 'tills.shop.example.com'"},
		"a deployment twice, and a bad name": {map[string]string{"manifests/csv.yaml": operator(deployments + "\n      - {name: till, spec: {template: {}}}\n      - {name: Till, spec: {template: {}}}")},
			"cluster service version contains duplicate strategy deployment spec 'till'\ninvalid cluster service version strategy deployment name 'Till': " + subdomain},
		"unsupported kinds": {map[string]string{"manifests/csv.yaml": operator(), "manifests/more.yaml": "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"},
			`unsupported resource "shop" with kind "Namespace"`},
		"a webhook without a deployment": {map[string]string{"manifests/csv.yaml": operator(webhook("type: ValidatingAdmissionWebhook, generateName: a.b, deploymentName: till"))},
			"webhook of type 'ValidatingAdmissionWebhook' with name 'a.b' references non-existent deployment 'till'"},
		"a webhook's name": {map[string]string{"manifests/csv.yaml": operator(deployments, webhook("type: MutatingAdmissionWebhook, generateName: A, deploymentName: till"))},
			"webhook of type 'MutatingAdmissionWebhook' has invalid name 'A': " + subdomain},
		"webhooks with one name": {map[string]string{"manifests/csv.yaml": operator(deployments, webhook("type: MutatingAdmissionWebhook, generateName: a.b, deploymentName: till")+
			"\n  - {type: MutatingAdmissionWebhook, sideEffects: None, admissionReviewVersions: [v1], generateName: a.b, deploymentName: till}")},
			"duplicate webhook 'a.b' of type 'MutatingAdmissionWebhook'"},
		"a webhook on everything": {map[string]string{"manifests/csv.yaml": operator(deployments, webhook("type: MutatingAdmissionWebhook, generateName: a.b, deploymentName: till, rules: [{apiGroups: ['*', apps, admissionregistration.k8s.io], resources: ['*', ValidatingWebhookConfigurations, pods]}]"))},
			`webhook "a.b" contains forbidden rule: admission webhook rules cannot reference API group "*"` + "\n" +
				`webhook "a.b" contains forbidden rule: admission webhook rules cannot reference resource "*" for API group "admissionregistration.k8s.io"` + "\n" +
				`webhook "a.b" contains forbidden rule: admission webhook rules cannot reference resource "ValidatingWebhookConfigurations" for API group "admissionregistration.k8s.io"`},
		"conversion for some namespaces": {map[string]string{"manifests/a.yaml": definition, "manifests/csv.yaml": operator("installModes: [{type: AllNamespaces, supported: true}, {type: OwnNamespace, supported: true}]", owned, deployments,
			webhook("type: ConversionWebhook, generateName: a.b, deploymentName: till, conversionCRDs: [tills.shop.example.com]"))},
			`bundle contains conversion webhook "a.b" and supports install modes [AllNamespaces OwnNamespace] - conversion webhooks are only supported for bundles that only support AllNamespaces install mode`},
		"two conversions of a definition that is not owned": {map[string]string{"manifests/csv.yaml": operator(deployments, webhook("type: ConversionWebhook, generateName: a.b, deploymentName: till, conversionCRDs: [tills.shop.example.com]")+
			"\n  - {type: ConversionWebhook, sideEffects: None, admissionReviewVersions: [v1], generateName: c.d, deploymentName: till, conversionCRDs: [tills.shop.example.com]}")},
			"conversion webhooks [a.b,c.d] reference same custom resource definition 'tills.shop.example.com'\n" +
				"conversion webhook 'a.b' references custom resource definition 'tills.shop.example.com' not owned bundle\n" +
				"conversion webhook 'c.d' references custom resource definition 'tills.shop.example.com' not owned bundle"},
		"conversion and unknown fields": {map[string]string{"manifests/a.yaml": strings.Replace(definition, "{group:", "{preserveUnknownFields: true, group:", 1),
			"manifests/csv.yaml": operator(owned, deployments, webhook("type: ConversionWebhook, generateName: a.b, deploymentName: till, conversionCRDs: [tills.shop.example.com]"))},
			"custom resource definition 'tills.shop.example.com' must have .spec.preserveUnknownFields set to false to let API Server call webhook to do the conversion"},
		"a folder among the manifests": {map[string]string{"manifests/csv.yaml": operator(), "manifests/more/a.yaml": definition},
			`subdirectories are not allowed within the "manifests" directory of the bundle image filesystem: found "manifests/more"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := bundle.Load(tree(test.files), ".")
			if err == nil {
				_, err = b.Render(bundle.Options{Namespace: "shop"})
			}
			var refused *bundle.UnsupportedError
			if !errors.As(err, &refused) {
				t.Fatalf("not refused, but %v", err)
			}
			if diff := cmp.Diff(test.want, refused.Reason); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWatchNamespaces(t *testing.T) {
	const (
		all, own, single, multi = "AllNamespaces", "OwnNamespace", "SingleNamespace", "MultiNamespace"
		prefix                  = "invalid ClusterExtension configuration: invalid configuration: "
		missing                 = prefix + `required field "watchNamespace" is missing`
		unknown                 = prefix + `unknown field "watchNamespace"`
	)
	tests := map[string]struct {
		modes []string
		watch []string
		want  string // "" when it is allowed
	}{
		"all by default":                {[]string{all, own, single}, nil, ""},
		"own requested":                 {[]string{all, own}, []string{"shop"}, ""},
		"another requested":             {[]string{own, single}, []string{"market"}, ""},
		"must be set, own":              {[]string{own}, nil, missing},
		"must be set, single":           {[]string{single}, nil, missing},
		"must be set, both":             {[]string{own, single}, nil, missing},
		"cannot be set":                 {[]string{all}, []string{"shop"}, unknown},
		"cannot be set, multi":          {[]string{all, multi}, []string{"shop"}, unknown},
		"only its own":                  {[]string{own}, []string{"market"}, prefix + `invalid value "market": must be "shop" (the namespace where the operator is installed) because this operator only supports OwnNamespace install mode`},
		"not its own":                   {[]string{all, single}, []string{"shop"}, prefix + `invalid value "shop": must be different from "shop" (the install namespace) because this operator uses SingleNamespace install mode to watch a different namespace`},
		"no name":                       {[]string{own, single}, []string{""}, prefix + `field "watchNamespace" must have minimum length of 1 (len=0)`},
		"a long name":                   {[]string{own, single}, []string{strings.Repeat("a", 64)}, prefix + `field "watchNamespace" must have maximum length of 63 (len=64)`},
		"a bad name":                    {[]string{own, single}, []string{"Shop_1"}, prefix + `field "watchNamespace" must match pattern "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"`},
		"several":                       {[]string{own, multi}, []string{"shop", "market"}, ""},
		"several, without its own":      {[]string{all, multi}, []string{"shop", "market"}, `invalid option(s): invalid target namespaces [shop market]: supported install modes [AllNamespaces MultiNamespace] do not support targeting own namespace`},
		"several where one is possible": {[]string{own, single}, []string{"a", "b"}, `invalid option(s): invalid target namespaces [a b]: supported install modes [OwnNamespace SingleNamespace] do not support target namespaces [a b]`},
		"several, all of them as one":   {[]string{all, multi}, []string{"a", ""}, `invalid option(s): invalid target namespaces [a ]: supported install modes [AllNamespaces MultiNamespace] do not support target namespaces [a ]`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var modes []string
			for _, mode := range test.modes {
				modes = append(modes, "{type: "+mode+", supported: true}")
			}
			b, err := bundle.Load(tree(map[string]string{"manifests/csv.yaml": operator("installModes: [" + strings.Join(modes, ", ") + "]")}), ".")
			if err != nil {
				t.Fatal(err)
			}
			reason := ""
			var refused *bundle.UnsupportedError
			if _, err := b.Render(bundle.Options{Namespace: "shop", WatchNamespaces: test.watch}); errors.As(err, &refused) {
				reason = refused.Reason
			}
			if diff := cmp.Diff(test.want, reason); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
