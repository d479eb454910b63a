package fleet

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// adminRules are the rules that report who is cluster-admin.
var adminRules = []string{"rbac/cluster-admin-grant", "olm/cluster-admin-grant"}

// wayRules are the rules that report other ways to cluster-admin than a grant.
var wayRules = []string{"rbac/escalation-verbs", "olm/extension-write-access", "olm/group-grant", "rbac/anonymous-access"}

// fingerprint is a fingerprint in the form that takes the least memory. Fingerprints are unique within a repository only.
type fingerprint [16]byte

// fingerprintOf returns false for a text that is none.
func fingerprintOf(text string) (fingerprint, bool) {
	var f fingerprint
	n, err := hex.Decode(f[:], []byte(text[:min(len(text), 2*len(f))]))
	return f, err == nil && n == len(f) && len(text) == 2*len(f)
}

// repositoryReader reads the reports of one repository.
type repositoryReader struct {
	*collector
	name    string
	earlier []source

	found    []*Repository
	problems []Problem
	admins   []Admin
	rows     bytes.Buffer
	results  [][]byte
	err      error

	// known are the findings of the earlier reports, and present those of the counted ones.
	known, present map[fingerprint]bool
}

func (r *repositoryReader) read(reports []source) {
	r.known, r.present = map[fingerprint]bool{}, map[fingerprint]bool{}
	for _, s := range r.earlier {
		// A report that could not be read was reported when it was counted.
		_ = r.report(s.file, visitor{finding: func(f *readFinding) { remember(r.known, f) }})
	}
	for _, s := range reports {
		r.readOne(s)
	}
	r.readGone()
}

func remember(all map[fingerprint]bool, f *readFinding) {
	if key, ok := fingerprintOf(f.Fingerprint); ok && !f.applied() {
		all[key] = true
	}
}

// readOne reads a report. Nothing of a report that cannot be read to its end is counted.
func (r *repositoryReader) readOne(s source) {
	one := &Repository{
		Name: s.Repository, Revision: s.Revision, File: s.file, Version: s.Version, Target: s.Target, Model: s.Model,
		Compared: len(r.earlier) > 0, counts: map[at]*Count{}, releases: map[release]int{}, deprecated: map[extensionKey]string{},
	}
	rows, admins := r.rows.Len(), len(r.admins)
	var result *finding.Result
	if r.Result != nil {
		result = &finding.Result{Version: s.Version, Origin: finding.Provenance{Repository: s.Repository, Revision: s.Revision, Named: true}}
	}
	present := map[fingerprint]bool{}
	var invalid error
	err := r.report(s.file, visitor{
		extension: one.addExtension,
		role:      func(role *Role) { one.Roles = append(one.Roles, *role) },
		binding:   func(b *OpenBinding) { one.Bindings = append(one.Bindings, *b) },
		chains:    func(c *Chains) { one.Chains = c },
		summary:   one.summarize,
		run:       func(run *finding.Run) { one.Run = run },
		checked:   func(hash string, hasChecksum bool) { one.Hash, one.Unsummed = hash, !hasChecksum },
		finding: func(f *readFinding) {
			if f.applied() {
				return
			}
			if _, ok := fingerprintOf(f.Fingerprint); !ok && invalid == nil {
				invalid = fmt.Errorf("has a finding of %s without a valid fingerprint", f.Rule)
			}
			if one.Compared {
				remember(present, f)
			}
			r.count(one, f)
			if result != nil {
				result.Findings = append(result.Findings, resultOf(f))
			}
		},
	})
	if err == nil {
		err = invalid
	}
	if err == nil && r.Verify && one.Unsummed {
		err = errors.New("has no checksum: run this version of salint again for this repository")
	}
	if err != nil {
		r.problems = append(r.problems, Problem{s.file, err.Error()})
		r.rows.Truncate(rows)
		r.admins = r.admins[:admins]
		return
	}
	one.joinFindings()
	one.Stale = r.staleOf(one)
	for i := range r.admins[admins:] {
		if a := &r.admins[admins+i]; a.Since == "" && one.Run != nil {
			a.Since = one.Run.Date
		}
	}
	for key := range present {
		r.present[key] = true
	}
	r.found = append(r.found, one)
	if result != nil {
		result.Incomplete, result.Summary.Unchecked, result.Run = one.Incomplete, one.Unchecked, one.Run
		text, err := r.Result(result)
		r.err = cmp.Or(r.err, err)
		r.results = append(r.results, text)
	}
}

// staleOf returns why a report is not of the expected revision or run; "" if it is, or if none is expected.
func (c *collector) staleOf(r *Repository) string {
	if want := c.Revisions[r.Name]; want != "" && !strings.HasPrefix(r.Revision, want) {
		return fmt.Sprintf("is of the commit %s, and %s is expected", cmp.Or(r.Revision, "unknown"), want)
	}
	if c.NotBefore == "" {
		return ""
	}
	date := ""
	if r.Run != nil {
		date = r.Run.Date
	}
	if date < c.NotBefore {
		return fmt.Sprintf("is of a run on %s, before %s", cmp.Or(date, "an unknown day"), c.NotBefore)
	}
	return ""
}

func (r *Repository) summarize(s *readSummary) {
	r.Files, r.Documents, r.Suppressed, r.NotShown = s.Files, s.Documents, s.Suppressed, s.NotShown
	r.Unchecked, r.Incomplete, r.NotChecked = s.Unchecked, s.Incomplete, s.NotChecked
}

// count counts an open finding, and keeps it if it is shown.
func (r *repositoryReader) count(one *Repository, f *readFinding) {
	key, _ := fingerprintOf(f.Fingerprint)
	status := ""
	if one.Compared {
		status = "open"
		if !r.known[key] {
			status = "new"
		}
	}
	place := at{f.Target, f.Rule}
	if one.counts[place] == nil {
		one.counts[place] = &Count{}
	}
	one.counts[place].add(f, status == "new")
	one.Count.add(f, status == "new")
	if f.ofTests() && f.Severity == "note" {
		one.InTests++
	}
	if slices.Contains(adminRules, f.Rule) && !f.ofTests() {
		a := adminOf(one, f)
		a.Since = r.collector.earlier.since[r.name][key]
		r.admins = append(r.admins, a)
	}
	if f.Rule == extensionRule {
		one.deprecate(extensionKey{file: f.File, line: f.Line}, f)
		one.deprecate(extensionKey{file: f.File, name: f.Resource.Name}, f)
	}
	if slices.Contains(wayRules, f.Rule) && f.isWay() {
		one.Ways = append(one.Ways, Way{Rule: f.Rule, Subject: subjectText(f.Subject), Message: f.Message, File: f.File, Line: f.Line})
	}
	one.keep(f, status == "new", r.kept)
	r.row(one, status, f)
}

func (r *repositoryReader) row(one *Repository, status string, f *readFinding) {
	if r.Row == nil || r.err != nil {
		return
	}
	r.err = r.Row(&r.rows, Row{one.Name, one.Revision, one.Target, status, f})
}

func adminOf(one *Repository, f *readFinding) Admin {
	a := Admin{Repository: one.Name, Target: one.Target, File: f.File, Line: f.Line, Rule: f.Rule}
	if f.Subject != nil {
		a.Subject = *f.Subject
	}
	if a.Subject.Namespace == objects.ReleaseNamespace {
		a.Subject.Namespace = "" // a stand-in for the namespace of the release, which is unknown
	}
	a.Binding = f.Resource.Kind + " " + f.Resource.Name
	return a
}

// keep keeps the worst findings, and among equal ones the first.
func (r *Repository) keep(f *readFinding, isNew bool, most int) {
	if most == 0 {
		return
	}
	shown := Finding{Rule: f.Rule, Severity: f.Severity, Message: f.Message, Target: f.Target, Place: f.File, New: isNew}
	if f.Line > 0 {
		shown.Place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if f.Fix != nil {
		shown.Fix = string(f.Fix.Kind)
	}
	i := len(r.Findings)
	for i > 0 && rank(r.Findings[i-1].Severity) > rank(shown.Severity) {
		i--
	}
	if i < most {
		r.Findings = slices.Insert(r.Findings, i, shown)
		r.Findings = r.Findings[:min(len(r.Findings), most)]
	}
}

// rank orders severities, the worst first.
func rank(severity string) int {
	switch severity {
	case "error":
		return 0
	case "warning":
		return 1
	}
	return 2
}

// readGone counts the findings of the earlier reports that no report has now. They count as gone only if the reports show
// everything that there is.
func (r *repositoryReader) readGone() {
	if len(r.earlier) == 0 || len(r.found) == 0 {
		return
	}
	last := r.found[0]
	whole := len(r.problems) == 0 && !slices.ContainsFunc(r.found, func(one *Repository) bool {
		return one.Incomplete || one.Unchecked != "" || one.NotShown > 0 || one.Partial() || one.Stale != ""
	})
	counted := map[fingerprint]bool{}
	for _, s := range r.earlier {
		_ = r.report(s.file, visitor{finding: func(f *readFinding) {
			key, ok := fingerprintOf(f.Fingerprint)
			if !ok || f.applied() || r.present[key] || counted[key] {
				return
			}
			counted[key] = true
			if !whole {
				last.GoneUnknown = true
				return
			}
			last.Gone++
			r.row(&Repository{Name: r.name, Revision: s.Revision, Target: s.Target}, "gone", f)
		}})
	}
}

// resultOf returns a finding in the form that lint has.
func resultOf(f *readFinding) finding.Finding {
	severity := finding.Note
	switch f.Severity {
	case "error":
		severity = finding.Error
	case "warning":
		severity = finding.Warning
	}
	return finding.Finding{
		Rule: f.Rule, Severity: severity, Message: f.Message, Target: f.Target, File: f.File,
		Range:    finding.Range{Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn},
		Resource: f.Resource, Subject: f.Subject, Path: f.Path, Origin: f.Origin, Recorded: f.Fingerprint,
	}
}
