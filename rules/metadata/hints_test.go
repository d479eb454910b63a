package metadata

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/objects"
)

// TestHintsAreDocumented checks that docs/policies.md describes every key of the METADATA, and every name that stands for
// several kinds.
func TestHintsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range customKeys {
		if !strings.Contains(string(page), "`custom."+key+"`") {
			t.Errorf("docs/policies.md does not describe custom.%s", key)
		}
	}
	for name := range KindGroups {
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/policies.md does not describe the name %s for several kinds", name)
		}
	}
}

// TestControlPlanesAreInTheTable checks that the kinds of control planes and the table of the fields of their arguments are the same, except for the
// kinds that another file reads: of kops, whose fields are flags, and of OpenShift.
func TestControlPlanesAreInTheTable(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../../rego/lib/controlplane_places.rego")
	if err != nil {
		t.Fatal(err)
	}
	known := objects.ControlPlanes()
	for _, kind := range known {
		elsewhere := strings.HasSuffix(kind, ".kops.k8s.io") || strings.HasSuffix(kind, ".openshift.io")
		if in := strings.Contains(string(table), `"`+kind+`": `); in == elsewhere {
			t.Errorf("%s is in the table: %v", kind, in)
		}
	}
	for _, found := range regexp.MustCompile(`"([A-Z]\w+\.[a-z0-9.-]+)": `).FindAllStringSubmatch(string(table), -1) {
		if !slices.Contains(known, found[1]) {
			t.Errorf("%s is not one of the kinds of control planes", found[1])
		}
	}
}
