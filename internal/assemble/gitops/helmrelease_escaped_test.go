package gitops

import "testing"

// TestEscapedVariables checks that only a variable that is escaped everywhere counts as a literal.
func TestEscapedVariables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a: $${ROLE}":                true,
		"a: ${ROLE}":                 false,
		"a: $${ROLE}\nb: ${ROLE}":    false,
		"a: $${ROLE}\nb: ${ROLE:=x}": false,
		"a: $${ROLE}\nb: $${ROLE}-x": true,
		"a: ${ROLE:=x}":              false,
	} {
		if got := isEscaped([]byte(text), "${ROLE}"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
