package index

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/util"

	"github.com/salint/salint/rules/builtins"
	"github.com/salint/salint/rules/conditions"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/policy"
)

// elsewhereHelpers are the helpers that create a finding about another object than input.resource, or with its cause in
// other files.
var elsewhereHelpers = []string{metadata.LibPackage + ".at", metadata.LibPackage + ".caused_by"}

// deriveFromPolicies sets what follows from the policies. Elsewhere is true for rules that create findings with one of these helpers,
// directly or through others, Across for those that can create them about other objects, and that ask about objects of all units.
func deriveFromPolicies(list []metadata.Rule, files []*metadata.File) error {
	compiler, err := policy.CompileForInput(metadata.Modules(slices.DeleteFunc(slices.Clone(files), (*metadata.File).IsTest)), builtins.All())
	if err != nil {
		return policy.Explain(err, builtins.All())
	}
	elsewhere := map[util.T]bool{}
	for _, helper := range elsewhereHelpers {
		for _, rule := range compiler.GetRulesExact(ast.MustParseRef(helper)) {
			elsewhere[rule] = true
		}
	}
	isElsewhere := func(rule util.T) bool { return elsewhere[rule] }
	for i := range list {
		if list[i].Scope == metadata.ScopeProgram {
			continue
		}
		report := compiler.GetRulesExact(ast.MustParseRef(list[i].Package() + ".report"))
		elsewhere := slices.ContainsFunc(report, func(r *ast.Rule) bool {
			return dependsOn(compiler.Graph, r, isElsewhere, map[util.T]bool{})
		})
		list[i].Elsewhere = elsewhere && list[i].Scope == metadata.ScopeObject
		list[i].Across = elsewhere && slices.ContainsFunc(report, func(r *ast.Rule) bool {
			return dependsOn(compiler.Graph, r, asksAcross, map[util.T]bool{})
		})
	}
	return nil
}

// asksAcross reports whether a rule itself calls a function whose answer comes from all units.
func asksAcross(rule util.T) bool {
	node, ok := rule.(*ast.Rule)
	if !ok {
		return false
	}
	asks := false
	ast.WalkRefs(node, func(ref ast.Ref) bool {
		asks = asks || builtins.AsksAllUnits(ref.String())
		return asks
	})
	return asks
}

// dependsOn reports whether a rule is a wanted one, or refers to one, directly or not.
func dependsOn(graph *ast.Graph, rule util.T, wanted func(util.T) bool, seen map[util.T]bool) bool {
	if wanted(rule) {
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

// Derive reads the METADATA of all policies below the root, and returns the rules sorted by name.
func Derive(policies fs.FS) ([]metadata.Rule, error) {
	files, err := metadata.ParseFiles(policies, metadata.BuiltinDir, metadata.ParseHere)
	if err != nil {
		return nil, err
	}
	var list []metadata.Rule
	for _, f := range files {
		if !f.IsRule() {
			continue
		}
		r, err := f.Rule(conditions.Names())
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	if err := deriveFromPolicies(list, files); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b metadata.Rule) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
