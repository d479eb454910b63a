package report

import (
	"cmp"
	"slices"

	"github.com/salint/salint/internal/config/finding"
)

// group is the open findings of a rule.
type group struct {
	Rule     finding.RuleInfo
	Severity finding.Severity // the worst among them
	Findings []finding.Finding
}

// groupsOf groups the open findings by rule, the worst first. A preview fixes nothing, but the findings that it would fix
// do not count as open.
func groupsOf(r *finding.Result, o Options) []group {
	infos := make(map[string]finding.RuleInfo, len(r.Rules))
	for _, rule := range r.Rules {
		infos[rule.Name] = rule
	}
	places := map[string]int{}
	var groups []group
	for _, f := range gathered(r.Findings, o) {
		if isResolved(f, r) {
			continue
		}
		place, known := places[f.Rule]
		if !known {
			place = len(groups)
			places[f.Rule] = place
			info := infos[f.Rule]
			info.Name = f.Rule
			groups = append(groups, group{Rule: info})
		}
		g := &groups[place]
		g.Findings, g.Severity = append(g.Findings, f), max(g.Severity, f.Severity)
	}
	for i := range groups {
		slices.SortStableFunc(groups[i].Findings, func(a, b finding.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Rule.Name, b.Rule.Name))
	})
	return groups
}

// isResolved returns whether the run fixed a finding, or in a preview would fix it.
func isResolved(f finding.Finding, r *finding.Result) bool {
	return f.Fixed() || r.Preview && f.Fix != nil && len(f.Fix.Files) > 0
}

// openSummary counts the findings that are not resolved.
func openSummary(r *finding.Result) finding.Summary {
	var s finding.Summary
	for _, f := range r.Findings {
		if isResolved(f, r) {
			s.Fixed++
			continue
		}
		switch f.Severity {
		case finding.Error:
			s.Errors++
		case finding.Warning:
			s.Warnings++
		case finding.Note:
			s.Notes++
		}
	}
	return s
}

// commandFor returns the command that would apply the fixes of a group, or "" if there are none.
func commandFor(g group, command string) string {
	if command == "" {
		return ""
	}
	kinds := map[finding.FixKind]bool{}
	for _, f := range g.Findings {
		if f.Fix != nil && !f.Fix.Applied {
			kinds[f.Fix.Kind] = true
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	for _, kind := range []finding.FixKind{finding.Unsafe, finding.Prune} {
		if kinds[kind] {
			command = withFlag(command, fixFlag(kind))
		}
	}
	return command
}
