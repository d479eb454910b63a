package rules

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evaluate"
	"github.com/salint/salint/rules/index"
	"github.com/salint/salint/rules/metadata"
	"github.com/salint/salint/rules/modules"
	"github.com/salint/salint/rules/sandbox"
)

// DefaultEvalTimeout is the time limit of one evaluation of one rule, unless the configuration sets another.
const DefaultEvalTimeout = 5 * time.Second

// Options set the sources of rules and their time limit.
type Options struct {
	// PolicyDirs are folders with the user's own rules.
	PolicyDirs []string
	// Platform are those of PolicyDirs that the others must not change: they are before the others.
	Platform []string
	// OpenDir opens one of them; with nil, it can lie anywhere.
	OpenDir sandbox.OpenDir
	// EvalTimeout limits one evaluation of one rule; zero means DefaultEvalTimeout.
	EvalTimeout time.Duration
	// PodSpecs are kinds that embed a pod, in addition to the known ones.
	PodSpecs []objects.PodSpecKind
	// Creators are kinds for whose objects an operator creates accounts and roles, in addition to the known ones.
	Creators []settings.Creator
	// Parameters are those of the configuration.
	Parameters Parameters
	// Observe keeps what evaluations of the user's rules print, and what fails in them: see evaluate.Evaluator.Remarks.
	Observe bool
	// Explain also keeps the trace of each evaluation of the user's rules, for Evaluator.Inspect.
	Explain bool
	// PolicyCache keeps compiled policies for further registries; with nil, they are compiled for this registry only.
	PolicyCache *modules.Cache
}

// Registry holds all rules: the built-in ones and the user's.
type Registry struct {
	rules   []metadata.Rule // by name; the built-in ones without their texts
	pods    []objects.PodSpecKind
	modules *modules.Set
	timeout time.Duration
	// parameters are those of the configuration.
	parameters Parameters
	texts      func() map[string]metadata.Texts // of the built-in rules, read on first use
	// sandbox evaluates the user's rules.
	sandbox *sandbox.Sandbox
	// notes are about files beside the user's rules.
	notes []string
}

// Notes are about files that look like rules of the user and are not loaded.
func (r *Registry) Notes() []string { return r.notes }

// Violations reports for inputs whether they violate a template of Gatekeeper, see sandbox.Sandbox.Violations.
func (r *Registry) Violations(ctx context.Context, template admission.Template, inputs []string) ([]bool, error) {
	return r.sandbox.Violations(ctx, template, inputs)
}

// Load reads the list of built-in rules, and parses and checks the user's own. Errors name file, line and column.
// Close ends the process that evaluates them.
func Load(ctx context.Context, o Options) (*Registry, error) {
	builtin, err := index.Rules()
	if err != nil {
		return nil, err
	}
	cache := o.PolicyCache
	if cache == nil {
		cache = modules.NewCache()
	}
	r := newRegistry(builtin, sync.OnceValue(index.Texts), cache, o.PodSpecs...)
	r.timeout = cmp.Or(o.EvalTimeout, DefaultEvalTimeout)
	r.sandbox.Observe, r.sandbox.Explain, r.parameters = o.Observe, o.Explain, o.Parameters
	if err := r.addUserPolicies(ctx, o); err != nil {
		r.Close()
		return nil, err
	}
	for i := range r.rules {
		r.rules[i].AddCreators(o.Creators)
	}
	slices.SortFunc(r.rules, func(a, b metadata.Rule) int { return strings.Compare(a.Name, b.Name) })
	return r, nil
}

// Close ends the process that evaluates the user's rules. The registry can be used again afterwards.
func (r *Registry) Close() {
	r.sandbox.Close()
}

func newRegistry(rules []metadata.Rule, texts func() map[string]metadata.Texts, cache *modules.Cache, pods ...objects.PodSpecKind) *Registry {
	r := &Registry{rules: rules, pods: pods, texts: texts, modules: modules.New(cache), timeout: DefaultEvalTimeout, sandbox: new(sandbox.Sandbox)}
	for i := range r.rules {
		r.rules[i].AddWorkloads(pods)
	}
	return r
}

// Rules returns all rules with their texts, sorted by name. Callers must not modify the slices inside.
func (r *Registry) Rules() []metadata.Rule {
	list := slices.Clone(r.rules)
	for i := range list {
		r.complete(&list[i])
	}
	return list
}

// Platform returns the rules of Options.Platform, without their texts.
func (r *Registry) Platform() []metadata.Rule {
	return slices.DeleteFunc(slices.Clone(r.rules), func(rule metadata.Rule) bool { return !rule.Platform })
}

// Find returns the rule of a name. If there is none, meant is the name that was probably meant, or "".
func (r *Registry) Find(name string) (rule metadata.Rule, meant string, ok bool) {
	found := r.find(name)
	if found == nil {
		return metadata.Rule{}, nearest.Name(name, r.Names()), false
	}
	rule = *found
	r.complete(&rule)
	return rule, "", true
}

// find is Find without texts.
func (r *Registry) find(name string) *metadata.Rule {
	i, ok := slices.BinarySearchFunc(r.rules, name, func(rule metadata.Rule, name string) int { return strings.Compare(rule.Name, name) })
	if !ok {
		return nil
	}
	return &r.rules[i]
}

// complete adds the texts that the index leaves out.
func (r *Registry) complete(rule *metadata.Rule) {
	if !rule.User {
		rule.Texts = r.texts()[rule.Name]
	}
}

// Names returns the names of all rules, sorted.
func (r *Registry) Names() []string {
	names := make([]string, len(r.rules))
	for i := range r.rules {
		names[i] = r.rules[i].Name
	}
	return names
}

// Select returns the names of the rules to run: all that are not opt-in, plus those of enable, minus those of disable
// (names or globs such as grafana/*). A pattern that matches no rule is an error that names the nearest one.
func (r *Registry) Select(enable, disable []string) ([]string, error) {
	for _, pattern := range slices.Concat(enable, disable) {
		if err := r.checkPattern(pattern); err != nil {
			return nil, err
		}
	}
	var selected []string
	for _, rule := range r.rules {
		if (!rule.OptIn || MatchAny(enable, rule.Name)) && !MatchAny(disable, rule.Name) {
			selected = append(selected, rule.Name)
		}
	}
	return selected, nil
}

func (r *Registry) checkPattern(pattern string) error {
	matched := slices.ContainsFunc(r.rules, func(rule metadata.Rule) bool { return Match(pattern, rule.Name) })
	if matched {
		return nil
	}
	if strings.ContainsAny(pattern, "*?[") {
		return fmt.Errorf("no rule matches %q: see salint rules", pattern)
	}
	return r.unknown(pattern)
}

// unknown returns the error for an unknown rule name.
func (r *Registry) unknown(name string) error {
	if n := nearest.Name(name, r.Names()); n != "" {
		return fmt.Errorf("there is no rule %q: did you mean %s?", name, n)
	}
	if with := r.NamesWith(name); len(with) > 0 {
		return fmt.Errorf("there is no rule %q: did you mean %s?", name, strings.Join(with, ", or "))
	}
	return fmt.Errorf("there is no rule %q: see salint rules", name)
}

// NamesWith returns the rules whose names contain a text; none if there are more than a message can name.
func (r *Registry) NamesWith(text string) []string {
	const most = 5
	names := slices.DeleteFunc(r.Names(), func(name string) bool { return !strings.Contains(name, strings.ToLower(text)) })
	if len(names) > most {
		return nil
	}
	return names
}

// MatchAny reports whether one of several patterns matches a name.
func MatchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Match(p, name) })
}

// Match reports whether a name or glob matches a rule's name: grafana/* is a family, * is every rule.
func Match(pattern, name string) bool {
	if pattern == "*" {
		return true
	}
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

// Evaluator returns an evaluator of the rules of these names. An unknown name is an error.
func (r *Registry) Evaluator(_ context.Context, enabled []string) (*evaluate.Evaluator, error) {
	var rules []metadata.Rule
	names := slices.Sorted(slices.Values(enabled))
	for _, name := range slices.Compact(names) {
		rule := r.find(name)
		if rule == nil {
			return nil, r.unknown(name)
		}
		rules = append(rules, *rule)
	}
	evaluator := evaluate.New(rules, r.modules, r.sandbox, r.timeout)
	evaluator.Parameters = r.parametersFor
	return evaluator, nil
}
