package fixing

import (
	"strings"
	"testing"

	"github.com/salint/salint/rego"
)

// The rules and this package say the same about the permissions of an account that pods can use.
func TestUsableByPods(t *testing.T) {
	t.Parallel()
	library, err := rego.Policies.ReadFile("lib/accounts.rego")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(library), `usable_by_pods := "`+usableByPods+`"`) {
		t.Errorf("rego/lib/accounts.rego does not say %q", usableByPods)
	}
}
