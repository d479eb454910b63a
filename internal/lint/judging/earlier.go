package judging

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/config/finding"
)

// Earlier are the findings of the revision with which a run for changed files compares. A change can cause findings in files that did
// not change: a role that gets wider is reported at its bindings. Those that the revision did not have are reported, too.
type Earlier struct {
	// Known are the fingerprints of the findings of the revision; nil if they are not needed, or not known.
	Known map[string]bool
	// Reason is why they are not known; nil if they are.
	Reason error
}

// isCaused reports whether the change causes a finding in a file that did not change.
func (r *Report) isCaused(f finding.Finding) bool {
	return r.earlier != nil && r.earlier.Known != nil && f.Severity > finding.Note && !r.earlier.Known[f.Fingerprint()]
}

// NeedsEarlier reports whether findings in files that did not change may be new, so that it matters which findings the revision has.
func (r *Report) NeedsEarlier(found []Finding) bool {
	isOpen := func(f Finding) bool { return f.Selected && f.Severity > finding.Note && !r.Reports(f) }
	return slices.ContainsFunc(found, isOpen) || slices.ContainsFunc(r.judgedFiles(), isOpen)
}

// CompareWith sets what is known of the revision.
func (r *Report) CompareWith(earlier *Earlier) { r.earlier = earlier }

// Fingerprints returns those of all findings, also those about files.
func (r *Report) Fingerprints(found []Finding) map[string]bool {
	known := map[string]bool{}
	for _, f := range slices.Concat(found, r.judgedFiles()) {
		known[f.Fingerprint()] = true
	}
	return known
}

// judgedFiles returns the findings about files as those of policies are.
func (r *Report) judgedFiles() (found []Finding) {
	for _, f := range slices.Concat(r.fileFindings(), r.ofBytes()) {
		found = append(found, Finding{Finding: f, Selected: r.snapshot.Selected(f.File)})
	}
	return found
}

// unknownCauses returns the words to a number of findings that are not reported because it is not known whether they are new; "" if it
// is known.
func (r *Report) unknownCauses() string {
	if r.earlier == nil || r.earlier.Reason == nil {
		return ""
	}
	return fmt.Sprintf("; whether the change causes them is not known, because %s could not be linted: %v", r.options.Revision.Since, r.earlier.Reason)
}
