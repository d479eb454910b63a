package lint

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules"
)

// finish mends, silences and counts.
func (r *run) finish(ctx context.Context, found []judged) (*Outcome, error) {
	findings, err := r.mend(ctx, found)
	if err != nil {
		return nil, err
	}
	for i := range findings {
		r.place(&findings[i])
	}
	finding.Sort(findings)
	out := &r.outcome
	out.Findings = findings
	out.Target = r.commonTarget()
	if r.Describe {
		out.Rules = r.ruleInfos()
	}
	out.Source = r.source
	out.Parsed = r.library.parsed
	out.Summary.Files, out.Summary.Documents = len(r.library.names), r.library.documents
	for _, name := range r.library.names {
		if r.reported(name) {
			out.Reported++
		}
	}
	out.Summary.Count(findings)
	return out, nil
}

// source gives the text of a file, or nil. Findings stand in files that were parsed, and in templates.
func (r *run) source(file string) []byte {
	if f := r.library.files[file]; f != nil {
		return f.Data
	}
	data, err := r.Tree.Read(file)
	if err != nil || bytes.IndexByte(data, 0) >= 0 {
		return nil // without the text a report shows no frame
	}
	return data
}

// aboutFiles are the findings that are not about an object.
func (r *run) aboutFiles() []finding.Finding {
	findings := slices.Concat(r.library.findings, notesOnUnits(r.units), notesOnApplications(r.applications), r.judging.notChecked, r.unusedBundles())
	for _, skip := range r.library.skipped {
		findings = append(findings, notRead(loader.Skipped(skip)))
		if skip.Unreadable && r.reported(skip.Path) {
			r.outcome.Faults = append(r.outcome.Faults, fmt.Errorf("%s: %s", skip.Path, skip.Reason))
		}
	}
	var kept []finding.Finding
	for _, f := range findings {
		if r.configure(&f) {
			kept = append(kept, f)
		}
	}
	return kept
}

func (r *run) ruleInfos() []finding.RuleInfo {
	var infos []finding.RuleInfo
	for _, rule := range r.registry.Rules() {
		infos = append(infos, finding.RuleInfo{
			Name: rule.Name, Title: rule.Title, Description: rule.Description, Severity: rule.Severity,
			HelpURI: helpURI(rule), Tags: []string{rule.Family},
		})
	}
	return infos
}

func helpURI(rule rules.Rule) string {
	if rule.User {
		return ""
	}
	return "https://github.com/salint/salint/blob/main/docs/rules.md#" + strings.ReplaceAll(rule.Name, "/", "")
}
