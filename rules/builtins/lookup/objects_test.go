package lookup

import "testing"

// TestPlaceholderNames compares the names with role_placeholder of rego/lib/text.rego, whose tests have the same.
func TestPlaceholderNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"": false, "reader": false, "system:node": false, "Reader_1": false, "a@b.c": false,
		"ROLE_NAME": true, "R1": true, "123": false, "{{ .Release.Name }}-reader": true, "${ROLE}": true, "a b": true,
	} {
		if got := isPlaceholderOfRole(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
