package access

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
)

func TestSuspicious(t *testing.T) {
	t.Parallel()
	for user, want := range map[string]string{
		"system:serviceaccount:ns:name":      "",
		"olm:clusterextension:loom":          "",
		"ada":                                "",
		"ada@example.com/ops":                "",
		"https://issuer.example.com/ada":     "",
		"ns/name":                            "system:serviceaccount:ns:name",
		"system:serviceaccount:name":         "system:serviceaccount:NAMESPACE:NAME",
		"system:serviceaccount:ns:name:more": "system:serviceaccount:NAMESPACE:NAME",
		"system:serviceaccount:ns:":          "system:serviceaccount:NAMESPACE:NAME",
		"system:serviceaccounts:ns":          "--as-group",
		"system:authenticated":               "--as-group",
		"serviceaccount:ns:name":             "system:serviceaccount:NAMESPACE:NAME",
		"olm:clusterextensions":              "--as-group",
		"olm:clusterextensions:loom":         "olm:clusterextension:loom",
	} {
		got := strings.Join(Suspicious(user), "; ")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want a warning with %q", user, got, want)
		}
	}
}

// A doubt about several units is listed once, with their number, and doubts about aggregation come last.
func TestJoined(t *testing.T) {
	t.Parallel()
	one, two := &objects.Unit{Name: "one"}, &objects.Unit{Name: "two"}
	said := func(message string, added bool) []Doubt { return []Doubt{{Message: message, Added: added}} }
	var got []string
	for _, d := range joined(in(one, said("aggregated", true)), in(one, said("role", false)), in(one, said("role", false)),
		in(two, said("role", false)), said("file", false)) {
		got = append(got, d.Message+strings.Repeat("+", d.Units))
	}
	if diff := cmp.Diff([]string{"role++", "file", "aggregated+"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
