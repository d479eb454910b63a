package olm

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKubernetesOfTargets(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"olm-1.0": "unknown", "olm-1.11": "unknown", "olm-1.99": "unknown", "required": "unknown", "ignored": "unknown",
		"ocp-4.18": "1.31", "ocp-4.22": "1.35", "ocp-4.23": "1.35 or later", "ocp-4.40": "1.35 or later",
		"ocp-5.0": "1.36", "ocp-5.1": "1.36 or later", "ocp-6.0": "1.36 or later",
		"ocp-4.21-proposed": "1.34", "ocp-4.23-proposed": "1.35 or later", techPreviewName: "unknown",
	} {
		target, err := ParseTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := target.Kubernetes.String(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := UnknownTarget().Kubernetes.String(); got != "unknown" {
		t.Errorf("unknown target: %s", got)
	}
}

func TestDocsListTheVersionsOfKubernetes(t *testing.T) {
	t.Parallel()
	var want []string
	for _, r := range kubernetesTable {
		want = append(want, fmt.Sprintf("| `%s` | %s | %s |", r.release, r.versions, r.source))
	}
	if diff := cmp.Diff(want, docsTable(t, "| target | Kubernetes | source |")); diff != "" {
		t.Errorf("%s and the table in the program differ (-program +page):\n%s", TargetsPage, diff)
	}
}
