package sarif

import (
	"cmp"
	"regexp"
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

// rulesOf lists the rules of a result, and unknown rules that findings name, sorted by name.
func rulesOf(r *finding.Result) ruleTable {
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
		rule.HelpURI = versioned(rule.HelpURI, r.Version)
		table.descriptors[i] = ruleOf(rule)
		table.index[rule.Name] = uint(i)
	}
	return table
}

func ruleOf(rule finding.RuleInfo) *sarif.ReportingDescriptor {
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
	if rule.SecuritySeverity != "" {
		descriptor.Properties["security-severity"] = rule.SecuritySeverity
	}
	return descriptor
}

// release matches the version of a release. A build after a release, as in 0.1.0-3-g1a2b3c4, is a semantic version and no release.
var (
	semantic   = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	afterBuild = regexp.MustCompile(`-\d+-g[0-9a-f]+|-dirty$|\+`)
)

func isSemantic(version string) bool { return semantic.MatchString(version) }

// versioned returns the page of a rule as it was in a release, so that an old report leads to what its version did.
func versioned(uri, version string) string {
	if !isSemantic(version) || afterBuild.MatchString(version) {
		return uri
	}
	return strings.Replace(uri, homepage+"/blob/main/", homepage+"/blob/v"+version+"/", 1)
}

// defaultConfiguration of a rule that is off by default is disabled, with the level warning once it is enabled.
func defaultConfiguration(s finding.Severity) *sarif.ReportingConfiguration {
	if s == finding.Off {
		return &sarif.ReportingConfiguration{Enabled: pointer(false), Level: levelOf(finding.Warning)}
	}
	return &sarif.ReportingConfiguration{Level: levelOf(s)}
}

// tags returns the family of a rule and its own tags, each once. Code scanning reads the severity of rules with the tag security only.
func tags(rule finding.RuleInfo) []string {
	family, _, _ := strings.Cut(rule.Name, "/")
	all := append([]string{family}, rule.Tags...)
	if rule.SecuritySeverity != "" {
		all = append(all, "security")
	}
	slices.Sort(all)
	return slices.Compact(all)
}
