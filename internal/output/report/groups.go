package report

import (
	"cmp"
	"slices"

	"github.com/salint/salint/internal/config/finding"
)

// group are the open findings of a rule.
type group struct {
	Rule     finding.RuleInfo
	Severity finding.Severity // the worst among them
	Findings []finding.Finding
}

// groupsOf puts the findings that are open together by rule, the worst first. A preview mends nothing, but what it would mend is
// not open to whoever approves it.
func groupsOf(r *finding.Result) []group {
	infos := make(map[string]finding.RuleInfo, len(r.Rules))
	for _, rule := range r.Rules {
		infos[rule.Name] = rule
	}
	places := map[string]int{}
	var groups []group
	for _, f := range r.Findings {
		if isSettled(f, r) {
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

// isSettled tells of what the run has mended, or shows how it would.
func isSettled(f finding.Finding, r *finding.Result) bool {
	return isFixed(f) || r.Preview && f.Fix != nil && len(f.Fix.Edits) > 0
}

// open counts what is not settled.
func openSummary(r *finding.Result) finding.Summary {
	var s finding.Summary
	for _, f := range r.Findings {
		if isSettled(f, r) {
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

// commandFor is the command that would apply the fixes of a group, "" where there is nothing to apply.
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
