package rules

import (
	"errors"
	"fmt"
	"slices"

	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/parameters"
)

// Parameters are those of rules in a configuration.
type Parameters struct {
	// Of returns the parameters that are set for a rule on objects of a file; nil if none are.
	Of func(rule, file string) map[string]any
	// Given are all that are set anywhere.
	Given []GivenParameters
}

// GivenParameters are parameters of the rules that a pattern matches, with their place in the configuration.
type GivenParameters struct {
	Pattern, Place string
	With           map[string]any
}

// check returns an error for parameters that no rule takes, or that a rule does not accept, and for rules of the enabled ones that lack
// some.
func (p Parameters) check(rules []metadata.Rule, enabled []string) error {
	var problems []error
	for _, given := range p.Given {
		taken := false
		for i := range rules {
			r := &rules[i]
			if !Match(given.Pattern, r.Name) || r.Parameters == nil && given.Pattern != r.Name {
				continue
			}
			taken = true
			if _, err := parameters.Complete(r.Parameters, given.With); err != nil {
				problems = append(problems, fmt.Errorf("%s: parameters of %s: %w", given.Place, r.Name, err))
			}
		}
		if !taken {
			problems = append(problems, fmt.Errorf("%s: no rule that matches %s has parameters: a rule declares them under custom.parameters of its METADATA", given.Place, given.Pattern))
		}
	}
	for i := range rules {
		r := &rules[i]
		if r.Parameters == nil || !slices.Contains(enabled, r.Name) || p.of(r.Name, "") != nil {
			continue
		}
		if _, err := parameters.Complete(r.Parameters, nil); err != nil {
			problems = append(problems, fmt.Errorf("%s: the rule %s needs parameters: %w: set them in .salint.yaml, as in `rules: {%s: {with: {…}}}`",
				r.File, r.Name, err, r.Name))
		}
	}
	return errors.Join(problems...)
}

func (p Parameters) of(rule, file string) map[string]any {
	if p.Of == nil {
		return nil
	}
	return p.Of(rule, file)
}

// CheckParameters returns an error if the configuration sets parameters that rules do not accept, or leaves out some that an enabled rule
// needs.
func (r *Registry) CheckParameters(enabled []string) error {
	return r.parameters.check(r.rules, enabled)
}

// parametersFor returns the parameters of a rule for objects of a file; nil for a rule without parameters.
func (r *Registry) parametersFor(rule *metadata.Rule, file string) (map[string]any, error) {
	return parameters.Complete(rule.Parameters, r.parameters.of(rule.Name, file))
}
