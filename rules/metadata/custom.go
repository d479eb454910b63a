package metadata

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/prefilter"
	"github.com/salint/salint/rules/fixes"
	"github.com/salint/salint/rules/parameters"
)

// minimalBlock is the block shown to an author whose rule has no METADATA.
const minimalBlock = `# METADATA
# title: One line that states the problem
# description: What is found, and what happens on the cluster because of it.
# custom:
#   severity: warning          # error, warning or note
#   kinds: [ConfigMap]         # Kind.group; the core group is left out
#   fix: none
#   examples:
#     - bad: |
#         apiVersion: v1
#         …
#     - good: |
#         apiVersion: v1
#         …
package salint.rules.custom.my_rule`

// custom is salint's own part of the METADATA.
type custom struct {
	Severity    string              `json:"severity"`
	Rationale   string              `json:"rationale"`
	OptIn       bool                `json:"opt_in"`
	Kinds       []string            `json:"kinds"`
	Words       []string            `json:"words"`
	Reads       []string            `json:"reads"`
	ReadsAll    []string            `json:"reads_all"`
	ConnectedTo map[string][]string `json:"connected_to"`
	SkipUnless  []string            `json:"skip_unless"`
	EvaluateIf  []string            `json:"evaluate_if"`
	Needs       string              `json:"needs"`
	Scope       string              `json:"scope"`
	Requires    string              `json:"requires"`
	Parameters  json.RawMessage     `json:"parameters"`
	Fix         json.RawMessage     `json:"fix"`
	Examples    []customExample     `json:"examples"`
	formerHints
}

type customExample struct {
	Bad    exampleText `json:"bad"`
	Good   exampleText `json:"good"`
	Target string      `json:"target"`
	Bundle string      `json:"bundle"`
	Base   string      `json:"base"`
	Why    string      `json:"why"`
	// With are parameters.
	With map[string]any `json:"with"`
}

var (
	customKeys = []string{"severity", "rationale", "opt_in", "kinds", "words", "reads", "reads_all", "connected_to", "skip_unless", "evaluate_if", "needs", "scope", "requires", "parameters", "fix", "examples"}
	needs      = []string{NeedsBundle, NeedsBase}
	scopes     = []string{ScopeObject, ScopeUnit, ScopeProgram}
	FixKinds   = []string{string(finding.Safe), string(finding.Unsafe), string(finding.Prune)}
)

// Rule returns the rule that the policy's package and METADATA describe; conditions are those that METADATA can name under
// `evaluate_if`. Errors name file and line.
func (p *File) Rule(conditions []string) (Rule, error) {
	name, err := p.ruleName()
	if err != nil {
		return Rule{}, err
	}
	if p.Block == nil {
		return Rule{}, fmt.Errorf("%s:%d: no METADATA above the package line; the least that a rule needs is\n\n%s",
			p.Name, p.PackageRow, minimalBlock)
	}
	c, err := p.custom()
	if err != nil {
		return Rule{}, err
	}
	return p.describe(name, c, conditions)
}

// ruleName converts package salint.rules.olm.target_conflict to olm/target-conflict.
func (p *File) ruleName() (string, error) {
	parts, ok := strings.CutPrefix(p.Package, PackagePrefix)
	family, name, two := strings.Cut(parts, ".")
	if !ok || !two || strings.ContainsAny(name, `.["`) || strings.ContainsAny(family, `["`) {
		return "", fmt.Errorf("%s:%d: package %s: a rule is `package salint.rules.<family>.<rule>`, words joined by underscores",
			p.Name, p.PackageRow, strings.TrimPrefix(p.Package, "data."))
	}
	return strings.ReplaceAll(family, "_", "-") + "/" + strings.ReplaceAll(name, "_", "-"), nil
}

// custom decodes the custom part strictly: an unknown key is an error.
func (p *File) custom() (custom, error) {
	var c custom
	if p.Block.CustomError != "" {
		return c, p.errorf("custom", "custom: %s", p.Block.CustomError)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(p.Block.Custom, &keys); err != nil {
		return c, p.errorf("custom", "custom: %v", err)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !slices.Contains(customKeys, key) && !slices.Contains(formerKeys, key) {
			return c, p.errorf(key, "unknown key custom.%s; %s", key, nearest.Suggestion(key, customKeys))
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(p.Block.Custom))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return c, p.errorf(fieldOf(err), "custom: %s", plainJSONError(err))
	}
	c.useFormerHints()
	return c, nil
}

// describe checks the fields one by one and combines them.
func (p *File) describe(name string, c custom, conditions []string) (Rule, error) {
	family, _, _ := strings.Cut(name, "/")
	r := Rule{
		Name: name, Family: family, File: p.Name, Title: p.Block.Title,
		OptIn: c.OptIn, Needs: c.Needs, Scope: cmp.Or(c.Scope, ScopeObject),
		Kinds: judgedKinds(c.Kinds), Workloads: slices.Contains(c.Kinds, workloads), All: slices.Contains(c.Kinds, allKinds), Words: c.Words,
		Reads: withGroups(c.Reads), ReadsAll: withGroups(c.ReadsAll), ConnectedTo: c.ConnectedTo, SkipUnless: c.SkipUnless, EvaluateIf: c.EvaluateIf,
		Texts: Texts{
			Description: strings.TrimSpace(p.Block.Description), Rationale: strings.TrimSpace(c.Rationale), Links: p.Block.Links,
		},
	}
	if r.Title == "" {
		return r, p.errorf("METADATA", "title is missing")
	}
	if r.Description == "" {
		return r, p.errorf("METADATA", "description is missing")
	}
	if err := p.checkRequires(c.Requires); err != nil {
		return r, err
	}
	var err error
	if r.Severity, err = finding.ParseSeverity(c.Severity); err != nil || r.Severity == finding.Off {
		return r, p.errorf("severity", "custom.severity: %q is not one of error, warning, note", c.Severity)
	}
	if !slices.Contains(scopes, r.Scope) {
		return r, p.errorf("scope", "custom.scope: %q is not one of %s", r.Scope, strings.Join(scopes, ", "))
	}
	if err := p.checkConditions("skip_unless", r.SkipUnless, prefilter.Conditions()); err != nil {
		return r, err
	}
	if err := p.checkConditions("evaluate_if", r.EvaluateIf, conditions); err != nil {
		return r, err
	}
	if r.Needs != "" && !slices.Contains(needs, r.Needs) {
		return r, p.errorf("needs", "custom.needs: %q is not one of %s", r.Needs, strings.Join(needs, ", "))
	}
	if err := p.checkKindHints(c); err != nil {
		return r, err
	}
	if len(c.Kinds) == 0 && r.Scope != ScopeProgram {
		return r, p.errorf("kinds", "custom.kinds is missing: list the kinds that the rule judges, as Kind.group")
	}
	if r.Parameters, err = parameters.Schema(c.Parameters); err != nil {
		return r, p.errorf("parameters", "%s", parametersProblem(err))
	}
	if err := p.checkReport(r.Scope); err != nil {
		return r, err
	}
	if r.Fix, err = p.fix(c.Fix); err != nil {
		return r, err
	}
	if r.Examples, err = p.examples(c.Examples); err != nil {
		return r, err
	}
	return r, p.checkExamples(&r)
}

// parametersProblem returns an error about the schema of parameters, which names the place in it.
func parametersProblem(err error) string {
	if text := err.Error(); strings.HasPrefix(text, "custom.parameters") {
		return text
	}
	return "custom.parameters: " + err.Error()
}

// checkExamples requires targets of examples that exist, and parameters that the rule accepts.
func (p *File) checkExamples(r *Rule) error {
	for i, e := range r.Examples {
		if e.Target != "" {
			target, err := olm.ParseTarget(e.Target)
			if err != nil {
				return p.exampleError(i+1, err.Error())
			}
			if target.Assumed != "" {
				return p.exampleError(i+1, fmt.Sprintf("the release %s is not known, so the example would be checked for %s: see salint targets", e.Target, target.Assumed))
			}
		}
		if r.Parameters == nil && e.With == nil {
			continue
		}
		if _, err := parameters.Complete(r.Parameters, e.With); err != nil {
			return p.exampleError(i+1, err.Error())
		}
	}
	return nil
}

// checkConditions requires known names of conditions.
func (p *File) checkConditions(key string, names, known []string) error {
	for _, name := range names {
		if !slices.Contains(known, name) {
			return p.errorf(key, "custom.%s: %q is not one of %s", key, name, strings.Join(known, ", "))
		}
	}
	return nil
}

// checkKindHints checks the kinds in all hints.
func (p *File) checkKindHints(c custom) error {
	groups := slices.Sorted(maps.Keys(KindGroups))
	if err := p.checkKinds("kinds", c.Kinds, []string{allKinds, controlPlanes, workloads}); err != nil {
		return err
	}
	if err := p.checkKinds("reads_all", c.ReadsAll, append([]string{workloads}, groups...)); err != nil {
		return err
	}
	if err := p.checkKinds("connected_to", slices.Sorted(maps.Keys(c.ConnectedTo)), nil); err != nil {
		return err
	}
	return p.checkKinds("reads", c.Reads, append([]string{workloads}, groups...))
}

// checkReport requires the set of findings; a rule whose findings the program computes must have none.
func (p *File) checkReport(scope string) error {
	for _, rule := range p.Reports {
		if !rule.Set || scope == ScopeProgram {
			return fmt.Errorf("%s:%d:%d: report must be a set: write `report contains finding if { … }`, and none with scope: program",
				p.Name, rule.Row, rule.Col)
		}
	}
	if len(p.Reports) == 0 && scope != ScopeProgram {
		return fmt.Errorf("%s:%d: the rule reports nothing: write `report contains finding if { … }`", p.Name, p.PackageRow)
	}
	return nil
}

// fix reads `fix: none` or `fix: {name: …, kind: …}`.
func (p *File) fix(raw json.RawMessage) (FixInfo, error) {
	var f FixInfo
	if string(raw) == `"none"` {
		return f, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	decoder.UseNumber() // large numbers keep their digits
	if len(raw) == 0 || decoder.Decode(&f) != nil || f.Name == "" || !slices.Contains(FixKinds, f.Kind) {
		return f, p.errorf("fix", "custom.fix: write `fix: none` or `fix: {name: FIXER, kind: %s}`", strings.Join(FixKinds, "|"))
	}
	if f.Args != nil {
		f.Args, _ = fixes.Plain(f.Args).(map[string]any)
	}
	if err := fixes.Check(f.Name, f.Kind, f.Args); err != nil {
		return f, p.errorf("fix", "custom.fix: %v", err)
	}
	return f, nil
}

// examples returns the examples of the METADATA or of the file beside the policy, at least one bad and one good one: they
// are the rule's shortest documentation, and they are run.
func (p *File) examples(list []customExample) ([]Example, error) {
	examples, at, err := p.readExamples(list)
	if err != nil {
		return nil, err
	}
	bad, good := 0, 0
	for i := range examples {
		if err := examples[i].joinFiles(); err != nil {
			return nil, p.exampleError(i+1, err.Error())
		}
	}
	for _, e := range examples {
		if e.Bad {
			bad++
		} else {
			good++
		}
	}
	if p.Bundled && len(examples) == 0 {
		return nil, nil // opa build leaves out their file
	}
	if bad == 0 || good == 0 {
		return nil, at(fmt.Sprintf("at least one bad and one good example are required, but there are %d and %d", bad, good))
	}
	return examples, nil
}

// readExamples also returns a function that creates an error at the place of the examples.
func (p *File) readExamples(list []customExample) (examples []Example, at func(problem string) error, err error) {
	if p.examplesFile != "" {
		at = func(problem string) error { return fmt.Errorf("%s: %s", p.examplesFile, problem) }
		if len(list) > 0 {
			return nil, at, p.errorf("examples", "custom.examples: the examples are in %s: remove either", p.examplesFile)
		}
		examples, err = parseExamples(p.examplesFile, p.examplesSource)
		return examples, at, err
	}
	at = func(problem string) error { return p.errorf("examples", "custom.examples: %s", problem) }
	for _, e := range list {
		text := e.Bad
		if text.isEmpty() {
			text = e.Good
		}
		if e.Bad.isEmpty() == e.Good.isEmpty() {
			return nil, at, at("each must have either `bad:` or `good:` with a manifest, or with files (a mapping of paths to contents)")
		}
		examples = append(examples, Example{
			Bad: !e.Bad.isEmpty(), Text: text.manifests, Files: text.files, Target: e.Target, Bundle: e.Bundle, Base: e.Base, Why: e.Why, With: e.With,
		})
	}
	return examples, at, nil
}

// errorf returns an error at the line of the METADATA with the key, otherwise at its first line.
func (p *File) errorf(key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: METADATA: %s", p.Name, p.lineOf(key), fmt.Sprintf(format, args...))
}

func (p *File) lineOf(key string) int {
	first, last := p.Block.First, p.Block.Last
	lines := bytes.Split(p.Source, []byte("\n"))
	for row := first; row <= last && row <= len(lines); row++ {
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(lines[row-1])), "#"))
		if strings.HasPrefix(strings.TrimPrefix(text, "- "), key+":") {
			return row
		}
	}
	return first
}

// fieldOf returns the key that a JSON decoding error is about, for finding its line.
func fieldOf(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field, _, _ := strings.Cut(wrong.Field, ".")
		return field
	}
	return "custom"
}

// plainJSONError describes an error in terms of YAML instead of Go.
func plainJSONError(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Type.Kind() == reflect.Slice {
		return fmt.Sprintf("%s must be a list, as in %s: [A, B]", wrong.Field, wrong.Field)
	}
	if wrong != nil {
		return fmt.Sprintf("%s cannot be a %s", wrong.Field, wrong.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
