package objects_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// TestEmbeddedKindsAreDocumented compares the kinds with the table of the documentation.
func TestEmbeddedKindsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/embedded.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Count(string(page), "\n| `")
	for _, kind := range objects.EmbeddedKinds() {
		row := fmt.Sprintf("| `%s.%s` | `%s` |", kind.Kind, kind.Group, strings.Join(kind.Path, "."))
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/embedded.md lacks %s", row)
		}
	}
	if rows != len(objects.EmbeddedKinds()) {
		t.Errorf("docs/embedded.md has %d rows for %d kinds", rows, len(objects.EmbeddedKinds()))
	}
}

// embeddedIn lists the objects inside of the objects of a text.
func embeddedIn(t *testing.T, text string) []string {
	t.Helper()
	var found []string
	for _, doc := range manifest.Scan("a.yaml", []byte(text)).Docs {
		if err := doc.Parse(); err != nil {
			t.Fatal(err)
		}
		for _, outer := range objects.Objects(doc) {
			for _, o := range objects.Embedded(outer) {
				found = append(found, fmt.Sprintf("%s %s/%s at %s", o.Kind, o.Namespace, o.Name, o.Path))
			}
		}
	}
	return found
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	const policy = "apiVersion: policy.open-cluster-management.io/v1\nkind: "
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a policy in a policy": {
			policy + "Policy\nspec: {policy-templates: [{objectDefinition: {apiVersion: policy.open-cluster-management.io/v1, kind: ConfigurationPolicy, " +
				"metadata: {name: c}, spec: {object-templates: [{complianceType: musthave, objectDefinition: {apiVersion: v1, kind: Pod, metadata: {name: p}}}]}}}]}\n",
			[]string{
				"ConfigurationPolicy /c at spec.policy-templates[0].objectDefinition",
				"Pod /p at spec.policy-templates[0].objectDefinition.spec.object-templates[0].objectDefinition",
			},
		},
		"an object that must not exist": {
			policy + "ConfigurationPolicy\nspec: {object-templates: [{complianceType: Mustnothave, objectDefinition: {apiVersion: v1, kind: Pod}}]}\n", nil,
		},
		"a kind of another group":   {"apiVersion: example.com/v1\nkind: ManifestWork\nspec: {workload: {manifests: [{apiVersion: v1, kind: Pod}]}}\n", nil},
		"what is not an object":     {"apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nspec: {resources: [a, null, {kind: [Pod]}, {a: b}]}\n", nil},
		"a mapping, and not a list": {"apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nspec: {resources: text}\n", nil},
		"the name beside the data": {
			"apiVersion: kyverno.io/v1\nkind: Policy\nspec: {rules: [{generate: {apiVersion: v1, kind: Pod, name: n, namespace: s, data: {spec: {}}}}]}\n",
			[]string{"Pod s/n at spec.rules[0].generate.data"},
		},
	} {
		if diff := cmp.Diff(c.want, embeddedIn(t, c.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestEmbeddedIsLimited reads lists of aliases to lists of aliases, which would expand to thousands of objects.
func TestEmbeddedIsLimited(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nspec:\n  resources:\n")
	text.WriteString("  - &l0 {apiVersion: v1, kind: Pod}\n")
	for level := 1; level < 5; level++ {
		aliases := strings.Repeat(fmt.Sprintf("*l%d, ", level-1), 7)
		fmt.Fprintf(&text, "  - &l%d {apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, spec: {resources: [%s]}}\n", level, aliases)
	}
	if found := embeddedIn(t, text.String()); len(found) > 1000 {
		t.Errorf("%d objects", len(found))
	}
}

// TestEmbeddedHasWhatStandsBeside reads the type, the name, and the namespace beside a manifest as its fields.
func TestEmbeddedHasWhatStandsBeside(t *testing.T) {
	t.Parallel()
	const policy = "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nspec:\n  rules:\n  - generate:\n      apiVersion: example.com/v1\n      kind: K\n" +
		"      name: n\n      namespace: s\n      data:\n        metadata: {name: ignored, labels: {a: b}}\n        spec: {account: installer}\n"
	doc := manifest.Scan("a.yaml", []byte(policy)).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	o := objects.Embedded(objects.Objects(doc)[0])[0]
	for path, want := range map[string]string{
		"apiVersion": "example.com/v1", "kind": "K", "metadata.name": "n", "metadata.namespace": "s", "metadata.labels.a": "b", "spec.account": "installer",
	} {
		if got := o.Node.Lookup(strings.Split(path, ".")).String(); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
