package rules

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/util"

	"github.com/salint/salint/rules/policy"
)

// elsewhereHelpers are the helpers by which a finding is about another object than input.resource, or has its cause in other
// files.
var elsewhereHelpers = []string{libPackage + ".at", libPackage + ".caused_by"}

// derivePlaces sets Elsewhere of the rules that make findings with one of these helpers, directly or through others.
func derivePlaces(list []Rule, files []*policyFile) error {
	modules := map[string]*ast.Module{}
	for _, f := range files {
		if !f.isTest() {
			modules[f.name] = f.module
		}
	}
	compiler, err := policy.Compile(modules, builtins())
	if err != nil {
		return policy.Explain(err, builtins())
	}
	elsewhere := map[util.T]bool{}
	for _, helper := range elsewhereHelpers {
		for _, rule := range compiler.GetRulesExact(ast.MustParseRef(helper)) {
			elsewhere[rule] = true
		}
	}
	for i := range list {
		if list[i].Scope != ScopeObject {
			continue
		}
		report := compiler.GetRulesExact(ast.MustParseRef(list[i].Package() + ".report"))
		list[i].Elsewhere = slices.ContainsFunc(report, func(r *ast.Rule) bool {
			return dependsOn(compiler.Graph, r, elsewhere, map[util.T]bool{})
		})
	}
	return nil
}

// dependsOn reports whether a rule is one of those given, or refers to one, directly or not.
func dependsOn(graph *ast.Graph, rule util.T, wanted, seen map[util.T]bool) bool {
	if wanted[rule] {
		return true
	}
	seen[rule] = true
	for dependency := range graph.Dependencies(rule) {
		if !seen[dependency] && dependsOn(graph, dependency, wanted, seen) {
			return true
		}
	}
	return false
}
