package index

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"

	policies "github.com/salint/salint/rego"
	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
)

// steps counts the steps of the evaluator, which are the same in every run, unlike time.
type steps struct{ count int }

func (*steps) Enabled() bool               { return true }
func (*steps) Config() topdown.TraceConfig { return topdown.TraceConfig{} }
func (s *steps) TraceEvent(e topdown.Event) {
	if e.Op == topdown.EvalOp {
		s.count++
	}
}

// grafanaAccounts returns accounts of one Grafana in separate folders, either all with the same names of account and Secret
// or each with others, in the form of salint.find.
func grafanaAccounts(count int, same bool) []any {
	var found []any
	for i := range count {
		suffix := fmt.Sprint(i)
		if same {
			suffix = ""
		}
		found = append(found, map[string]any{"ref": fmt.Sprintf("grafana/a%d.yaml#0/", i), "resource": map[string]any{
			"apiVersion": "grafana.integreatly.org/v1beta1", "kind": "GrafanaServiceAccount",
			"metadata": map[string]any{"name": fmt.Sprintf("a%d", i), "namespace": "monitoring"},
			"spec": map[string]any{
				"instanceName": "grafana", "name": "account" + suffix,
				"tokens": []any{map[string]any{"name": "scrape", "secretName": "secret" + suffix}},
			},
		}})
	}
	return found
}

// workOf evaluates a rule over a unit that contains only accounts, and counts the steps and the findings.
func workOf(t *testing.T, compiler *ast.Compiler, rule, kind string, accounts []any) (done, findings int) {
	t.Helper()
	all, err := ast.InterfaceToValue(accounts)
	if err != nil {
		t.Fatal(err)
	}
	options := []func(*rego.Rego){rego.Compiler(compiler), rego.Query("found := data.salint.rules.grafana." + rule + ".report")}
	for _, shared := range builtins.All() {
		b := *shared
		if b.Name == "salint.find" {
			b.Eval = func(_ context.Context, args []*ast.Term) (ast.Value, error) {
				asked := args[0].Get(ast.StringTerm("kind"))
				if asked.Value.Compare(ast.String("GrafanaServiceAccount")) != 0 {
					return ast.NewArray(), nil
				}
				return all, nil
			}
		}
		options = append(options, b.Option())
	}
	var s steps
	input := map[string]any{"unit": map[string]any{"kind": kind}}
	options = append(options, rego.Input(input), rego.QueryTracer(&s))
	results, err := rego.New(options...).Eval(t.Context())
	if err != nil || len(results) != 1 {
		t.Fatalf("%s: %v", rule, err)
	}
	return s.count, len(results[0].Bindings["found"].([]any))
}

// compiledPolicies compiles all built-in policies.
func compiledPolicies(t *testing.T) *ast.Compiler {
	t.Helper()
	files, err := metadata.ParseFiles(policies.Policies, metadata.BuiltinDir, metadata.ParseHere)
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := policy.Compile(metadata.Modules(files), builtins.All())
	if err != nil {
		t.Fatal(err)
	}
	return compiler
}

// TestGrafanaRulesGrowWithTheRepository checks that four times as many accounts take about four times the work, whether all
// or none of them collide.
func TestGrafanaRulesGrowWithTheRepository(t *testing.T) {
	t.Parallel()
	compiler := compiledPolicies(t)
	for _, rule := range []string{"duplicate_account", "secret_collision"} {
		for _, kind := range []string{"plain", "kustomization"} {
			for _, same := range []bool{true, false} {
				few, _ := workOf(t, compiler, rule, kind, grafanaAccounts(25, same))
				many, findings := workOf(t, compiler, rule, kind, grafanaAccounts(100, same))
				if many > 5*few {
					t.Errorf("%s, %s, same names %v: %d steps for 25 accounts, and %d for 100", rule, kind, same, few, many)
				}
				if want := map[bool]int{true: 100, false: 0}[same]; findings != want {
					t.Errorf("%s, %s, same names %v: %d findings, want %d", rule, kind, same, findings, want)
				}
			}
		}
	}
}

// TestAccountCreatorsAreTheMakers checks that account_creators are the kinds that the shared helpers query for creators of
// accounts.
func TestAccountCreatorsAreTheMakers(t *testing.T) {
	t.Parallel()
	options := []func(*rego.Rego){rego.Compiler(compiledPolicies(t)), rego.Query("data.salint.helpers.accounts.makers")}
	for _, b := range builtins.All() {
		options = append(options, b.Option())
	}
	results, err := rego.New(options...).Eval(t.Context())
	if err != nil || len(results) != 1 {
		t.Fatalf("%v, %v", results, err)
	}
	var makers []string
	for _, maker := range results[0].Expressions[0].Value.([]any) {
		query := maker.(map[string]any)
		makers = append(makers, metadata.KindKey(query["kind"].(string), query["group"].(string)))
	}
	slices.Sort(makers)
	if !slices.Equal(makers, metadata.KindGroups["account_creators"]) {
		t.Errorf("the helper asks for %v, and account_creators are %v", makers, metadata.KindGroups["account_creators"])
	}
}
