package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/config/finding"
)

// ruleTable is the list of rules that results refer to by index.
type ruleTable struct {
	descriptors []*sarif.ReportingDescriptor
	index       map[string]uint
}

// sarifRules lists the rules of a result, and unknown rules that findings name, sorted by name.
func sarifRules(r *finding.Result) ruleTable {
	known := map[string]bool{}
	rules := slices.Clone(r.Rules)
	for _, rule := range rules {
		known[rule.Name] = true
	}
	for _, f := range r.Findings {
		if !known[f.Rule] {
			known[f.Rule] = true
			rules = append(rules, finding.RuleInfo{Name: f.Rule, Title: f.Rule, Severity: f.Severity})
		}
	}
	slices.SortFunc(rules, func(a, b finding.RuleInfo) int { return strings.Compare(a.Name, b.Name) })
	table := ruleTable{descriptors: make([]*sarif.ReportingDescriptor, len(rules)), index: map[string]uint{}}
	for i, rule := range rules {
		table.descriptors[i] = sarifRule(rule)
		table.index[rule.Name] = uint(i)
	}
	return table
}

func sarifRule(rule finding.RuleInfo) *sarif.ReportingDescriptor {
	title := cmp.Or(rule.Title, rule.Name)
	description := cmp.Or(rule.Description, title)
	help := cmp.Or(rule.Help, description)
	descriptor := sarif.NewRule(rule.Name).
		WithShortDescription(sarif.NewMultiformatMessageString(title)).
		WithFullDescription(sarif.NewMultiformatMessageString(description)).
		WithHelp(sarif.NewMultiformatMessageString(help).WithMarkdown(help)).
		WithDefaultConfiguration(defaultConfiguration(rule.Severity))
	if rule.HelpURI != "" {
		descriptor.WithHelpURI(rule.HelpURI)
	}
	descriptor.Properties = sarif.Properties{"tags": tags(rule)}
	return descriptor
}

// defaultConfiguration of a rule that is off by default is disabled, with the level warning once it is enabled.
func defaultConfiguration(s finding.Severity) *sarif.ReportingConfiguration {
	if s == finding.Off {
		return &sarif.ReportingConfiguration{Enabled: pointer(false), Level: sarifLevel(finding.Warning)}
	}
	return &sarif.ReportingConfiguration{Level: sarifLevel(s)}
}

// tags returns the family of a rule and its own tags, each once.
func tags(rule finding.RuleInfo) []string {
	family, _, _ := strings.Cut(rule.Name, "/")
	all := append([]string{family}, rule.Tags...)
	slices.Sort(all)
	return slices.Compact(all)
}
