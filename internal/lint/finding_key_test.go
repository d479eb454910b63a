package lint

import (
	"testing"

	"github.com/salint/salint/internal/files/manifest"
)

// TestStatementOfTemplate checks that the statement about a line of a template does not depend on the values, even short ones.
func TestStatementOfTemplate(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ a, messageA, b, messageB string }{
		"short names": {
			"metadata: {name: op}\nspec: {namespace: op-east, serviceAccount: {name: east-installer}}\n",
			"ClusterExtension op is installed as ServiceAccount op-east/east-installer, by User olm:clusterextension:op",
			"metadata: {name: op-flux}\nspec: {namespace: op, serviceAccount: {name: hr}}\n",
			"ClusterExtension op-flux is installed as ServiceAccount op/hr, by User olm:clusterextension:op-flux",
		},
		"a value of two fields": {
			"metadata: {name: vault}\nspec: {namespace: vault}\n", "vault in vault",
			"metadata: {name: vault}\nspec: {namespace: security}\n", "vault in security",
		},
		"no name": {
			"spec: {version: 1.2.x || 2.x}\n", "the range 1.2.x || 2.x",
			"spec: {version: 3.x}\n", "the range 3.x",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := statementOfTemplate(test.messageA, nodeOf(t, test.a)), statementOfTemplate(test.messageB, nodeOf(t, test.b))
			if a != b {
				t.Errorf("%q\n%q", a, b)
			}
		})
	}
	if a, b := statementOfTemplate("vault has no account", nodeOf(t, "name: vault")), statementOfTemplate("vault has an account", nodeOf(t, "name: vault")); a == b {
		t.Errorf("different statements are equal: %q", a)
	}
}

func nodeOf(t *testing.T, text string) *manifest.Node {
	t.Helper()
	doc := manifest.Scan("a.yaml", []byte(text)).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	return doc.Root
}
