package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/prefilter"
)

// minimalBlock is what an author without METADATA is shown.
const minimalBlock = `# METADATA
# title: One line that says what is wrong
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

// custom is the part of the METADATA that is salint's own.
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
	Needs       string              `json:"needs"`
	Scope       string              `json:"scope"`
	Fix         json.RawMessage     `json:"fix"`
	Examples    []customExample     `json:"examples"`
	formerHints
}

type customExample struct {
	Bad    string `json:"bad"`
	Good   string `json:"good"`
	Target string `json:"target"`
	Bundle string `json:"bundle"`
	Base   string `json:"base"`
	Why    string `json:"why"`
}

var (
	customKeys = []string{"severity", "rationale", "opt_in", "kinds", "words", "reads", "reads_all", "connected_to", "skip_unless", "needs", "scope", "fix", "examples"}
	needs      = []string{NeedsBundle, NeedsBase}
	scopes     = []string{ScopeObject, ScopeUnit, ScopeProgram}
	fixKinds   = []string{string(finding.Safe), string(finding.Unsafe), string(finding.Prune)}
)

// rule makes the rule that the policy's package and METADATA describe. Errors name file and line.
func (p *policyFile) rule() (Rule, error) {
	name, err := p.ruleName()
	if err != nil {
		return Rule{}, err
	}
	if p.block == nil {
		return Rule{}, fmt.Errorf("%s:%d: no METADATA above the package line; the least that a rule needs is\n\n%s",
			p.name, p.module.Package.Location.Row, minimalBlock)
	}
	c, err := p.custom()
	if err != nil {
		return Rule{}, err
	}
	return p.describe(name, c)
}

// ruleName turns package salint.rules.olm.target_conflict into olm/target-conflict.
func (p *policyFile) ruleName() (string, error) {
	pkg := p.module.Package
	parts, ok := strings.CutPrefix(pkg.Path.String(), packagePrefix)
	family, name, two := strings.Cut(parts, ".")
	if !ok || !two || strings.ContainsAny(name, `.["`) || strings.ContainsAny(family, `["`) {
		return "", fmt.Errorf("%s:%d: package %s: a rule is `package salint.rules.<family>.<rule>`, words joined by underscores",
			p.name, pkg.Location.Row, strings.TrimPrefix(pkg.Path.String(), "data."))
	}
	return strings.ReplaceAll(family, "_", "-") + "/" + strings.ReplaceAll(name, "_", "-"), nil
}

// custom decodes the custom part strictly: a key that nobody reads is a mistake.
func (p *policyFile) custom() (custom, error) {
	var c custom
	for _, key := range slices.Sorted(maps.Keys(p.block.Custom)) {
		if !slices.Contains(customKeys, key) && !slices.Contains(formerKeys, key) {
			return c, p.errorf(key, "unknown key custom.%s; %s", key, suggestion(key, customKeys))
		}
	}
	raw, err := json.Marshal(p.block.Custom)
	if err != nil {
		return c, p.errorf("custom", "custom: %v", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return c, p.errorf(fieldOf(err), "custom: %s", plainJSONError(err))
	}
	c.useFormerHints()
	return c, nil
}

// describe checks the fields one by one and puts them together.
func (p *policyFile) describe(name string, c custom) (Rule, error) {
	family, _, _ := strings.Cut(name, "/")
	r := Rule{
		Name: name, Family: family, File: p.name, Title: p.block.Title,
		OptIn: c.OptIn, Needs: c.Needs, Scope: cmp.Or(c.Scope, ScopeObject),
		Kinds: withoutWorkloads(c.Kinds), Workloads: slices.Contains(c.Kinds, workloads), Words: c.Words,
		Reads: withGroups(c.Reads), ReadsAll: withGroups(c.ReadsAll), ConnectedTo: c.ConnectedTo, SkipUnless: c.SkipUnless,
		Texts: Texts{
			Description: strings.TrimSpace(p.block.Description), Rationale: strings.TrimSpace(c.Rationale), Links: links(p.block),
		},
	}
	if r.Title == "" {
		return r, p.errorf("METADATA", "title is missing")
	}
	if r.Description == "" {
		return r, p.errorf("METADATA", "description is missing")
	}
	var err error
	if r.Severity, err = finding.ParseSeverity(c.Severity); err != nil || r.Severity == finding.Off {
		return r, p.errorf("severity", "custom.severity: %q is not one of error, warning, note", c.Severity)
	}
	if !slices.Contains(scopes, r.Scope) {
		return r, p.errorf("scope", "custom.scope: %q is not one of %s", r.Scope, strings.Join(scopes, ", "))
	}
	for _, condition := range r.SkipUnless {
		if known := prefilter.Conditions(); !slices.Contains(known, condition) {
			return r, p.errorf("skip_unless", "custom.skip_unless: %q is not one of %s", condition, strings.Join(known, ", "))
		}
	}
	if r.Needs != "" && !slices.Contains(needs, r.Needs) {
		return r, p.errorf("needs", "custom.needs: %q is not one of %s", r.Needs, strings.Join(needs, ", "))
	}
	if len(r.Kinds) == 0 && !r.Workloads && r.Scope != ScopeProgram {
		return r, p.errorf("kinds", "custom.kinds is missing: name the kinds that the rule judges, as Kind.group")
	}
	if err := p.checkReport(r.Scope); err != nil {
		return r, err
	}
	if r.Fix, err = p.fix(c.Fix); err != nil {
		return r, err
	}
	r.Examples, err = p.examples(c.Examples)
	return r, err
}

// checkReport demands the set that findings are asked of; of rules that the program finds by itself, none.
func (p *policyFile) checkReport(scope string) error {
	reports := 0
	for _, rule := range p.module.Rules {
		if rule.Head.Name != "report" {
			continue
		}
		reports++
		if rule.Head.DocKind() != ast.PartialSetDoc || scope == ScopeProgram {
			return fmt.Errorf("%s:%d:%d: report is asked as a set: write `report contains finding if { … }`, and none with scope: program",
				p.name, rule.Location.Row, rule.Location.Col)
		}
	}
	if reports == 0 && scope != ScopeProgram {
		return fmt.Errorf("%s:%d: the rule finds nothing: write `report contains finding if { … }`", p.name, p.module.Package.Location.Row)
	}
	return nil
}

// fix reads `fix: none` or `fix: {name: …, kind: …}`.
func (p *policyFile) fix(raw json.RawMessage) (FixInfo, error) {
	var f FixInfo
	if string(raw) == `"none"` {
		return f, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if len(raw) == 0 || decoder.Decode(&f) != nil || f.Name == "" || !slices.Contains(fixKinds, f.Kind) {
		return f, p.errorf("fix", "custom.fix: write `fix: none` or `fix: {name: FIXER, kind: %s}`", strings.Join(fixKinds, "|"))
	}
	return f, nil
}

// examples returns the examples of the METADATA or of the file beside the policy, at least one bad and one good one: they
// are the rule's shortest documentation, and they are run.
func (p *policyFile) examples(list []customExample) ([]Example, error) {
	examples, at, err := p.readExamples(list)
	if err != nil {
		return nil, err
	}
	bad, good := 0, 0
	for _, e := range examples {
		if e.Bad {
			bad++
		} else {
			good++
		}
		if e.Base != "" && e.Bundle == "" {
			return nil, at("base is what the bundle was before, and there is no bundle")
		}
	}
	if bad == 0 || good == 0 {
		return nil, at(fmt.Sprintf("at least one bad and one good example are needed, there are %d and %d", bad, good))
	}
	return examples, nil
}

// readExamples also returns how to make an error at the place of the examples.
func (p *policyFile) readExamples(list []customExample) (examples []Example, at func(problem string) error, err error) {
	if p.examplesFile != "" {
		at = func(problem string) error { return fmt.Errorf("%s: %s", p.examplesFile, problem) }
		if len(list) > 0 {
			return nil, at, p.errorf("examples", "custom.examples: the examples are in %s: remove them here, or remove the file", p.examplesFile)
		}
		examples, err = parseExamples(p.examplesFile, p.examplesSource)
		return examples, at, err
	}
	at = func(problem string) error { return p.errorf("examples", "custom.examples: %s", problem) }
	for _, e := range list {
		if (e.Bad == "") == (e.Good == "") {
			return nil, at, at("each has either `bad:` or `good:` with a manifest")
		}
		examples = append(examples, Example{
			Bad: e.Bad != "", Text: e.Bad + e.Good, Target: e.Target, Bundle: e.Bundle, Base: e.Base, Why: e.Why,
		})
	}
	return examples, at, nil
}

func links(a *ast.Annotations) []Link {
	var out []Link
	for _, r := range a.RelatedResources {
		out = append(out, Link{URL: r.Ref.String(), Description: r.Description})
	}
	return out
}

// errorf is an error at the line where the METADATA has the key, else at its first line.
func (p *policyFile) errorf(key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: METADATA: %s", p.name, p.lineOf(key), fmt.Sprintf(format, args...))
}

func (p *policyFile) lineOf(key string) int {
	first, last := p.block.Location.Row, p.block.EndLoc().Row
	lines := bytes.Split(p.source, []byte("\n"))
	for row := first; row <= last && row <= len(lines); row++ {
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(lines[row-1])), "#"))
		if strings.HasPrefix(strings.TrimPrefix(text, "- "), key+":") {
			return row
		}
	}
	return first
}
