package rules

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

// TestAccountCreatorsAreTheMakers checks that account_creators are the kinds that the shared helpers query for creators of
// accounts.
func TestAccountCreatorsAreTheMakers(t *testing.T) {
	t.Parallel()
	options := []func(*rego.Rego){rego.Compiler(compiledPolicies(t)), rego.Query("data.salint.lib.accounts.makers")}
	for _, b := range builtins() {
		options = append(options, b.Option())
	}
	results, err := rego.New(options...).Eval(t.Context())
	if err != nil || len(results) != 1 {
		t.Fatalf("%v, %v", results, err)
	}
	var makers []string
	for _, maker := range results[0].Expressions[0].Value.([]any) {
		query := maker.(map[string]any)
		makers = append(makers, kindKey(query["kind"].(string), query["group"].(string)))
	}
	slices.Sort(makers)
	if !slices.Equal(makers, kindGroups["account_creators"]) {
		t.Errorf("the helper asks for %v, and account_creators are %v", makers, kindGroups["account_creators"])
	}
}

// TestPlacesOfFindingsAreDerived checks that the places of findings are derived from the helpers that a rule calls,
// directly or through others.
func TestPlacesOfFindingsAreDerived(t *testing.T) {
	t.Parallel()
	registry, err := Load(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"token/secret-mounted": true, "olm/insufficient-permissions": true, "olm/permissions-grow": true,
		"olm/finalizer-permission": false, "rbac/role-not-found": false,
	} {
		if rule, _, _ := registry.Find(name); rule.Elsewhere != want {
			t.Errorf("%s: findings about other objects: %v, want %v", name, rule.Elsewhere, want)
		}
	}
}

// TestHintsAreDocumented checks that docs/policies.md describes every key of the METADATA, and every name that stands for
// several kinds.
func TestHintsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range customKeys {
		if !strings.Contains(string(page), "`custom."+key+"`") {
			t.Errorf("docs/policies.md does not describe custom.%s", key)
		}
	}
	for _, condition := range objectConditionNames() {
		if !strings.Contains(string(page), "\n| `"+condition+"` |") {
			t.Errorf("docs/policies.md does not describe the condition %s", condition)
		}
	}
	for name := range kindGroups {
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/policies.md does not describe the name %s for several kinds", name)
		}
	}
}
