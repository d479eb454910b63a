package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// TestMayHoldAsked compares what the bytes of a document say about the groups of its objects with the objects themselves: a policy that
// is not found would not stop a fix. Documents without such an object are not searched, in the usual notations.
func TestMayHoldAsked(t *testing.T) {
	t.Parallel()
	r := &decider{holders: objects.EmbeddingKinds()}
	versions := []string{
		"apiVersion: %\n", "apiVersion: '%'\n", "\"apiVersion\": \"%\"\n", "'apiVersion': % # a comment\n", "apiVersion:\n  %\n", "apiVersion: &v %\n",
		"apiVersion: !!str %\n", "apiVersion: >-\n  %\n", "? apiVersion\n: %\n", "apiVersion  :   %\n", "api: &v %\napiVersion: *v\n",
		"x: &x {apiVersion: %}\n<<: *x\n", "\"api\\u0056ersion\": %\n", "apiVersion: \"\\x6Byverno.io/v1\"\n", "\tapiVersion: %\n", "apiVersion: %\r\n",
		"apiVersion: %\napiVersion: v1\n", "spec:\n  apiVersion: %\n", "apiVersion: v1\ndata: {a: \"apiVersion: %\"}\n",
	}
	frames := []string{
		"@kind: Policy\nmetadata: {name: a}\n", "kind: Policy\n@metadata: {name: a}\n", "--- # first\n@kind: Policy\nmetadata: {name: a}\n",
		"{\"apiVersion\": \"%\", \"kind\": \"Policy\", \"metadata\": {\"name\": \"a\"}}\n", "{apiVersion: %, kind: Policy, metadata: {name: a}}\n",
		"apiVersion: v1\nkind: List\nitems:\n- apiVersion: %\n  kind: Policy\n  metadata: {name: a}\n",
		"kind: Policy\nmetadata: {name: a}\nitems: [{apiVersion: %}]\napiVersion: v1\n",
		"apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: w}\nspec: {workload: {manifests: [{apiVersion: %, kind: Policy, metadata: {name: a}}]}}\n",
		"apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: w}\nobjects: [{apiVersion: %, kind: Policy, metadata: {name: a}}]\n",
	}
	held, skipped := 0, 0
	for _, group := range append([]string{"apps", "example.com"}, askedGroups...) {
		for _, frame := range frames {
			for _, version := range versions {
				text := strings.ReplaceAll(strings.ReplaceAll(frame, "@", version), "%", group+"/v1")
				for _, doc := range manifest.Scan("a.yaml", []byte(text)).Docs {
					may := r.mayHoldAsked(doc)
					holds := doc.Parse() == nil && slices.ContainsFunc(objects.AllObjects(doc), func(o *objects.Object) bool {
						return slices.Contains(askedGroups, o.Group)
					})
					if holds && !may {
						t.Errorf("the document has an object of an asked group, and is not searched:\n%s", text)
					}
					if holds {
						held++
					} else if !may {
						skipped++
					}
				}
			}
		}
	}
	if held < 500 || skipped < 100 {
		t.Errorf("%d documents have such an object, %d are left out: the test compares little", held, skipped)
	}
}
