package judging

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evaluate"
)

// TestSourceKey checks which findings of two units are one finding.
func TestSourceKey(t *testing.T) {
	t.Parallel()
	vault := objectOf(t, "metadata: {name: vault}\n")
	east, west := appliedAsNamed(vault, "east-vault"), appliedAsNamed(vault, "west-vault")
	at := func(line int, message string) finding.Finding {
		return finding.Finding{Rule: "olm/x", File: "a.yaml", Range: finding.Range{Line: line, Column: 1}, Path: "spec", Message: message}
	}
	tests := map[string]struct {
		a, b             finding.Finding
		objectA, objectB *objects.Object
		caseA, caseB     string
		same             bool
	}{
		"other names and words":  {at(3, "east-vault is wrong"), at(3, "west-vault is bad"), east, west, "wrong", "wrong", true},
		"applied and as written": {at(3, "east-vault"), at(3, "vault"), east, vault, "", "", true},
		"two problems":           {at(3, "wrong"), at(3, "wrong"), east, west, "role", "account", false},
		"two places":             {at(3, "wrong"), at(4, "wrong"), east, west, "role", "role", false},
		"two objects":            {at(3, "wrong"), at(3, "wrong"), vault, objectOf(t, "{}\n---\nmetadata: {name: vault}\n"), "role", "role", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := sourceKey(test.a, evaluate.Report{Object: test.objectA, Case: test.caseA})
			b := sourceKey(test.b, evaluate.Report{Object: test.objectB, Case: test.caseB})
			if diff := cmp.Diff(a, b); (diff == "") != test.same {
				t.Errorf("one finding: %v, want %v (-a +b):\n%s", diff == "", test.same, diff)
			}
		})
	}
}

// objectOf returns the last object of a file.
func objectOf(t *testing.T, fields string) *objects.Object {
	t.Helper()
	docs := manifest.Scan("a.yaml", []byte(fields)).Docs
	doc := docs[len(docs)-1]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	return &objects.Object{Doc: doc, Node: doc.Root}
}

// appliedAsNamed returns an object as an overlay applies it.
func appliedAsNamed(source *objects.Object, name string) *objects.Object {
	return &objects.Object{Doc: source.Doc, Node: source.Node, Name: name, Applied: &objects.Applied{Source: source, Doc: source.Doc}}
}
