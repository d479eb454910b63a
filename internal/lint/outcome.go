package lint

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/proof/verify"
	"github.com/salint/salint/rules"
)

// finish fixes, silences and counts findings.
func (r *run) finish(ctx context.Context, found []judgedFinding) (*Outcome, error) {
	findings, err := r.fix(ctx, found)
	if err != nil {
		return nil, err
	}
	findings = append(findings, slices.Concat(r.settingsChanged(), r.ignoresAdded(), r.withoutEffect(), r.outcome.failed)...)
	for i := range findings {
		r.place(&findings[i])
	}
	finding.Sort(findings)
	out := r.outcome
	for i := range out.Suppressed {
		r.place(&out.Suppressed[i])
	}
	finding.Sort(out.Suppressed)
	out.Findings = findings
	out.Target, out.Extensions = r.commonTarget(), r.reportedExtensions()
	out.Notes = append(r.judging.targets.assumptionNotes(), out.Notes...)
	if r.Describe {
		out.Rules = RuleInfos(r.registry)
	}
	out.Source = r.sources()
	out.Parsed = r.Parsed.Documents
	out.Summary.Files, out.Summary.Documents = len(r.Collection.Names), r.Collection.Documents
	for _, name := range r.Collection.Names {
		if r.reported(name) {
			out.Reported++
		}
	}
	out.Summary.Count(findings)
	return out, nil
}

// source returns the content of a file, or nil. The files of findings were parsed, or are templates.
func (r *run) source(file string) []byte {
	if f := r.Collection.Files[file]; f != nil {
		return f.Data
	}
	return readText(r.Snapshot.Tree, file)
}

// sources returns the same as a function that keeps nothing of the run but bytes: reports use it after further rounds, which need the
// memory.
func (r *run) sources() func(file string) []byte {
	tree, parsed := r.Snapshot.Tree, make(map[string][]byte, len(r.Collection.Files))
	for name, f := range r.Collection.Files {
		parsed[name] = f.Data
	}
	return func(file string) []byte {
		if data, ok := parsed[file]; ok {
			return data
		}
		return readText(tree, file)
	}
}

// readText returns the content of a file, or nil: without it, reports show no code frame.
func readText(tree loader.Tree, file string) []byte {
	data, err := tree.Read(file)
	if err != nil || bytes.IndexByte(data, 0) >= 0 {
		return nil
	}
	return data
}

// fileFindings returns the findings that are not about an object.
func (r *run) fileFindings() []finding.Finding {
	findings := slices.Concat(r.Snapshot.Findings, notesOnUnits(r.Written), notesOnApplications(r.Applications), r.judging.notChecked, r.unusedBundles())
	for _, u := range r.Collection.Unread {
		if u.Reading == loader.NotText {
			continue // already among the findings
		}
		findings = append(findings, u.Problem().Finding())
		r.outcome.Incomplete = r.outcome.Incomplete || u.Reading == loader.Unreadable && r.reported(u.File)
	}
	findings = append(findings, r.targetUnknown()...)
	findings = append(findings, r.unusedSignals()...)
	var kept []finding.Finding
	for _, f := range findings {
		if r.configure(&f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// RuleInfos returns what reports print about rules.
func RuleInfos(registry *rules.Registry) []finding.RuleInfo {
	var infos []finding.RuleInfo
	for _, rule := range registry.Rules() {
		infos = append(infos, finding.RuleInfo{
			Name: rule.Name, Title: rule.Title, Description: rule.Description, Severity: rule.Severity,
			HelpURI: HelpURI(rule), Tags: []string{rule.Family}, SecuritySeverity: securitySeverities[rule.Name],
		})
	}
	return infos
}

func HelpURI(rule rules.Rule) string {
	if rule.User {
		return ""
	}
	return "https://github.com/salint/salint/blob/main/docs/rules.md#" + strings.ReplaceAll(rule.Name, "/", "")
}

// changedUnits returns the changed units for reports, sorted by name: of plain files each folder, and of the others those that are
// applied.
func changedUnits(units []verify.ChangedUnit, all []*objects.Unit) []finding.Unit {
	applied := map[objects.UnitKey]bool{}
	for _, u := range Deployed(all) {
		applied[u.Key()] = true
	}
	var changed []finding.Unit
	for _, u := range units {
		switch {
		case u.Kind == objects.PlainUnit:
			for _, folder := range u.Folders {
				changed = append(changed, finding.Unit{Kind: string(u.Kind), Name: folder})
			}
		case applied[u.Key()]:
			changed = append(changed, finding.Unit{Kind: string(u.Kind), Name: u.Name})
		}
	}
	return joinUnits(changed, nil)
}

// joinUnits returns the units of two lists, sorted and each once.
func joinUnits(a, b []finding.Unit) []finding.Unit {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y finding.Unit) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(x.Kind, y.Kind))
	})
	return slices.Compact(all)
}
