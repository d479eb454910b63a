package judging

import (
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/reading"
)

// Report says what is reported of a snapshot: which of its findings, and what the program itself finds in files and settings.
type Report struct {
	options  Options
	snapshot *reading.Snapshot
	judge    *Judge
	earlier  *Earlier
	result   *Result
}

// Result is what is reported apart from findings.
type Result struct {
	// Suppressed are the findings that comments, annotations, and the baseline silence.
	Suppressed []finding.Finding
	Baseline   BaselineUse
	// Unchanged is the number of findings that are not reported because their files did not change.
	Unchanged int
	Notes     []string
	// NotChecked is the number of reported files of which nothing became an object that rules judge.
	NotChecked int
	// Incomplete is set if a rule failed or a file could not be read, so that findings can be missing. Stacks are those of panics.
	Incomplete bool
	Stacks     []string
	// Failed are the findings about rules that failed.
	Failed []finding.Finding
}

// NewReport returns the report of what was judged. Earlier is what is known of the revision with which it compares.
func NewReport(o Options, j *Judge, earlier *Earlier) *Report {
	r := &Report{options: o, snapshot: j.Snapshot, judge: j, earlier: earlier, result: &Result{}}
	r.result.AddFailures(j.failed)
	return r
}

// Result returns what is reported apart from findings, so far.
func (r *Report) Result() *Result { return r.result }

// OfFiles returns all findings about files, sorted, and those about failures of rules.
func (r *Report) OfFiles(failed []Failure) []finding.Finding {
	r.result.AddFailures(failed)
	about := append(r.fileFindings(), r.result.Failed...)
	finding.Sort(about)
	return about
}

// AfterSilence returns the findings that nothing can silence, because they are about what silences, or about what is unknown.
func (r *Report) AfterSilence() []finding.Finding {
	return slices.Concat(r.settingsChanged(), r.ignoresAdded(), r.withoutEffect(), r.result.Failed)
}

// Configure sets the configured severity of a finding. It returns false if the rule is off for its file.
func (r *Report) Configure(f *finding.Finding) bool { return r.options.Severities.Configure(f) }
