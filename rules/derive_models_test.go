package rules

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules/policy"
)

func TestSilentModels(t *testing.T) {
	t.Parallel()
	const helpers = `package salint.lib

counts if input.model in {"required", "synthetic"}

may_count if counts

may_count if input.model == "unknown"

default name := "other"

name := "required" if input.model == "required"

words contains "required" if input.model == "required"

by_name[name] := 1 if input.model == "required"

by_name.fixed := 1

described(x) := sprintf("%s", [x]) if input.model == "required"

else := "removed" if input.model == "removed"

either(x) := x if input.model == "required"

either(x) := x if input.model == "ignored"

given(x) if x == input.model
`
	others := func(models ...olm.Model) []olm.Model {
		return slices.DeleteFunc(slices.Clone(olmModels), func(m olm.Model) bool { return slices.Contains(models, m) })
	}
	for source, want := range map[string][]olm.Model{
		`input.resource`:                               nil,
		`input.model == "removed"`:                     others(olm.Removed),
		`"removed" == input.model`:                     others(olm.Removed),
		`input.model != "removed"`:                     {olm.Removed},
		`input.model in {"removed", "ignored"}`:        others(olm.Removed, olm.Ignored),
		`not input.model in {"removed", "ignored"}`:    {olm.Ignored, olm.Removed},
		`input.model in {"removed", input.resource}`:   nil,
		`"removed" in {input.model}`:                   nil,
		`model := input.model; model == "removed"`:     others(olm.Removed),
		`model := "x"; not model == input.model`:       nil,
		`input.model == input.target.model`:            nil,
		`startswith(input.model, "re")`:                nil,
		`lib.counts`:                                   others(olm.Required, olm.Synthetic),
		`not lib.counts`:                               {olm.Required, olm.Synthetic},
		`not lib.may_count`:                            {olm.Required, olm.Synthetic, olm.Unknown},
		`lib.counts with input.model as "required"`:    nil,
		`not lib.counts with input.model as "removed"`: nil,
		`lib.name == "required"`:                       nil,
		`not lib.name`:                                 nil,
		`lib.words`:                                    nil,
		`some word in lib.words`:                       others(olm.Required),
		`words := lib.words; count(words) == 0`:        nil,
		`lib.words.required`:                           others(olm.Required),
		`lib.by_name.required`:                         nil,
		`lib.described("x") != ""`:                     others(olm.Required, olm.Removed),
		`not lib.described("x")`:                       nil,
		`lib.either("x")`:                              others(olm.Required, olm.Ignored),
		`not lib.given("x")`:                           nil,
		`count([1 | lib.counts]) == 0`:                 nil,
		`every x in [1, 2] { lib.counts; x > 0 }`:      nil,
	} {
		modules := map[string]*ast.Module{}
		policies := map[string]string{
			"lib.rego": helpers,
			"x.rego":   "package salint.rules.x.y\n\nimport data.salint.lib\n\nreport contains lib.name if {\n" + source + "\n}\n",
		}
		for name, text := range policies {
			module, err := policy.Parse(name, []byte(text))
			if err != nil {
				t.Fatalf("%s: %v", source, err)
			}
			modules[name] = module
		}
		compiler, err := policy.Compile(modules, builtins())
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		got := silentUnder(compiler, compiler.GetRulesExact(ast.MustParseRef("data.salint.rules.x.y.report")))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
	}
}

// TestExamplesUnderSilentModels evaluates the examples of rules under the models that their conditions exclude.
func TestExamplesUnderSilentModels(t *testing.T) {
	t.Parallel()
	registry, err := Load(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range registry.Rules() {
		if len(rule.SilentUnder) == 0 {
			continue
		}
		silent := rule.SilentUnder
		rule.SilentUnder = nil
		evaluator := &Evaluator{registry: registry, timeout: registry.timeout, byKind: map[string][]*program{}}
		evaluator.add(newProgram(rule))
		for i, example := range rule.Examples {
			for _, model := range silent {
				if found := reportsUnder(t.Context(), t, evaluator, example, model); len(found) > 0 {
					t.Errorf("%s: example %d under %s: %s", rule.Name, i+1, model, found[0].Message)
				}
			}
		}
	}
}

func reportsUnder(ctx context.Context, t *testing.T, e *Evaluator, example Example, model olm.Model) []Report {
	t.Helper()
	example.Target = string(model)
	if model == olm.Unknown {
		example.Target = ""
	}
	w, err := exampleContext(example)
	if err != nil {
		t.Fatal(err)
	}
	if w.Target.Model != model {
		t.Fatalf("the example has the target %s, not %s", w.Target.Model, model)
	}
	reports, err := e.evaluateUnit(ctx, w)
	if err != nil {
		t.Fatal(err)
	}
	return reports
}
