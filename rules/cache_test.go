package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/modules"
)

const tokenSecret = `apiVersion: v1
kind: Secret
metadata: {name: wide, namespace: a, annotations: {kubernetes.io/service-account.name: reader}}
type: kubernetes.io/service-account-token
`

// compiledWith returns the number of modules that a registry with the cache and the folders of policies compiles for all
// rules about a Secret, and the rules with findings.
func compiledWith(t *testing.T, cache *modules.Cache, dirs ...string) (modules int, found []string) {
	t.Helper()
	registry, err := rules.Load(t.Context(), rules.Options{PolicyDirs: dirs, PolicyCache: cache})
	if err != nil {
		t.Fatal(err)
	}
	names, err := registry.Select([]string{"*"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	evaluator, err := registry.Evaluator(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	w := worldOf(t, map[string]string{"secret.yaml": tokenSecret})
	reports, err := evaluator.Evaluate(t.Context(), w, w.Unit.Objects[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, report := range reports {
		found = append(found, report.Rule)
	}
	return evaluator.Counters().Modules, found
}

func TestPolicyCacheCompilesBuiltinPoliciesOnce(t *testing.T) {
	t.Parallel()
	cache := modules.NewCache()
	first, found := compiledWith(t, cache)
	if first == 0 || len(found) == 0 {
		t.Fatalf("%d modules are compiled, and the findings are %v", first, found)
	}
	again, foundAgain := compiledWith(t, cache)
	if again != 0 || strings.Join(found, " ") != strings.Join(foundAgain, " ") {
		t.Errorf("the second registry compiles %d modules and finds %v, want none and %v", again, foundAgain, found)
	}
}

// TestPolicyCacheKeepsUserPoliciesApart checks that two users can have rules with one name and file: each registry
// evaluates its own, and one without them evaluates neither.
func TestPolicyCacheKeepsUserPoliciesApart(t *testing.T) {
	t.Parallel()
	cache := modules.NewCache()
	for _, finds := range []bool{true, false} {
		dir := t.TempDir()
		condition := "input.resource.metadata.name == \"other\""
		if finds {
			condition = "input.resource.metadata.name == \"wide\""
		}
		kind := strings.NewReplacer("ConfigMap", "Secret")
		write(t, filepath.Join(dir, "x.rego"), kind.Replace(header)+
			"package salint.rules.custom.x\n\nimport data.salint.lib\n\nreport contains lib.finding([], \"m\") if "+condition+"\n")
		_, found := compiledWith(t, cache, dir)
		if got := strings.Contains(strings.Join(found, " "), "custom/x"); got != finds {
			t.Errorf("the findings are %v; custom/x among them: want %v", found, finds)
		}
	}
	if _, found := compiledWith(t, cache); strings.Contains(strings.Join(found, " "), "custom/x") {
		t.Errorf("without policies of a user the findings are %v", found)
	}
}

// TestPolicyCacheIsSafeForConcurrentUse checks that runs can share a cache concurrently, as tests of the program do.
func TestPolicyCacheIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	cache := modules.NewCache()
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if _, found := compiledWith(t, cache); len(found) == 0 {
				t.Error("nothing is found")
			}
		})
	}
}
