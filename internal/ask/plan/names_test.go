package plan

import "testing"

// Extensions that the same units apply share the list of the units.
func TestNamesOfExtensions(t *testing.T) {
	t.Parallel()
	const prod, dev = kustomizationPrefix + "prod", kustomizationPrefix + "dev"
	for want, extensions := range map[string][]*Extension{
		"":                                 {},
		"a, b":                             {{shortLabel: "a"}, {shortLabel: "b"}},
		"a, b and 1 more":                  {{shortLabel: "a"}, {shortLabel: "b"}, {shortLabel: "c"}},
		"a (" + prod + ")":                 {{shortLabel: "a", place: prod}},
		"a (the kustomizations prod, dev)": {{shortLabel: "a", place: prod}, {shortLabel: "a", place: dev}},
		"a (" + prod + ", m.yaml)":         {{shortLabel: "a", place: prod}, {shortLabel: "a", place: "m.yaml"}},
		"a, b (each in the kustomizations prod, dev)": {
			{shortLabel: "a", place: prod}, {shortLabel: "b", place: prod}, {shortLabel: "a", place: dev}, {shortLabel: "b", place: dev},
		},
		"a, b and 2 more": {
			{shortLabel: "a"}, {shortLabel: "b"}, {shortLabel: "c", place: prod}, {shortLabel: "c", place: dev},
		},
	} {
		if got := namesUpTo(2, extensions); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
