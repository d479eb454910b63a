package rulechoice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
)

// IsPattern reports whether a text can match several rules.
func IsPattern(name string) bool { return strings.ContainsAny(name, "*?[{") }

// Choose returns the rules that a name or a pattern selects, at least one: all rules for "".
func Choose(registry *rules.Registry, name string) ([]metadata.Rule, error) {
	all := registry.Rules()
	switch {
	case name == "":
		return all, nil
	case IsPattern(name):
		chosen := slices.DeleteFunc(all, func(r metadata.Rule) bool { return !rules.Match(name, r.Name) })
		if len(chosen) == 0 {
			return nil, fmt.Errorf("no rule matches %q%s; see salint rules", name, arguments.Suggestion(name, familyPatterns(registry)))
		}
		return chosen, nil
	}
	rule, meant, ok := registry.Find(name)
	switch {
	case ok:
		return []metadata.Rule{rule}, nil
	case slices.Contains(familyPatterns(registry), name+"/*"):
		return nil, fmt.Errorf("unknown rule %q; list the rules of this family with salint rules '%s/*'", name, name)
	case meant != "":
		return nil, fmt.Errorf("unknown rule %q; did you mean %s?", name, meant)
	}
	if with := registry.NamesWith(name); len(with) > 0 {
		return nil, fmt.Errorf("unknown rule %q; did you mean %s?", name, strings.Join(with, ", or "))
	}
	return nil, fmt.Errorf("unknown rule %q; see salint rules", name)
}

// familyPatterns returns a pattern for each family of rules, such as olm/*.
func familyPatterns(registry *rules.Registry) []string {
	var patterns []string
	for _, name := range registry.Names() {
		family, _, _ := strings.Cut(name, "/")
		patterns = append(patterns, family+"/*")
	}
	return slices.Compact(patterns)
}
