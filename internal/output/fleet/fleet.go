package fleet

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// Fleet is what many reports say together.
type Fleet struct {
	// Repositories are the counted reports, sorted by repository and target.
	Repositories []*Repository
	// Missing are the repositories without a report that is counted, sorted.
	Missing []Missing
	// Problems are what is wrong with reports, sorted by file.
	Problems []Problem
	// Admins are who is cluster-admin where, sorted by subject, then by repository.
	Admins []Admin
	// Trend are the earlier sets of reports, the oldest first, and the present one; nil without an earlier one.
	Trend []Point
	// Workspace is which clusters the repositories feed; nil if that is not known.
	Workspace *Workspace
	// Compared is set if there is an earlier set of reports.
	Compared bool
}

// Count is a number of open findings.
type Count struct {
	Errors, Warnings, Notes int
	// Safe, Unsafe, and Prune are those with a fix of that kind.
	Safe, Unsafe, Prune int
	// New are those that the last of the earlier reports of the repository lacks.
	New int
}

// All returns the number of findings.
func (c Count) All() int { return c.Errors + c.Warnings + c.Notes }

// Fixable returns the number of findings with a fix.
func (c Count) Fixable() int { return c.Safe + c.Unsafe + c.Prune }

// plus returns the sum of two counts.
func (c Count) plus(o Count) Count {
	return Count{
		c.Errors + o.Errors, c.Warnings + o.Warnings, c.Notes + o.Notes, c.Safe + o.Safe, c.Unsafe + o.Unsafe, c.Prune + o.Prune, c.New + o.New,
	}
}

// add counts a finding.
func (c *Count) add(f *readFinding, isNew bool) {
	switch f.Severity {
	case "error":
		c.Errors++
	case "warning":
		c.Warnings++
	default:
		c.Notes++
	}
	if f.Fix != nil {
		switch f.Fix.Kind {
		case finding.Unsafe:
			c.Unsafe++
		case finding.Prune:
			c.Prune++
		default:
			c.Safe++
		}
	}
	if isNew {
		c.New++
	}
}

// at is a target and a rule.
type at struct{ target, rule string }

// Repository is one counted report. A repository that was linted for several targets has several.
type Repository struct {
	Name, Revision string
	// File is the report.
	File string
	// Version is the version of salint that wrote it.
	Version string
	// Target and Model are those of the run: a release or model, or auto.
	Target, Model    string
	Files, Documents int
	Count
	// Suppressed findings are silenced, and NotShown are left out of the report by --min-severity.
	Suppressed, NotShown int
	// Unchecked is why nothing was checked; "" if anything was. Incomplete is set if a part of the run failed.
	Unchecked  string
	Incomplete bool
	// NotChecked is the number of selected files of which nothing was checked.
	NotChecked int
	// Run is how the report was made; nil if it does not say so.
	Run *finding.Run
	// Hash is the SHA-256 of the file. Unsummed is set if the report has no checksum, so that it can have been changed.
	Hash     string
	Unsummed bool
	// Stale is why the report is not of the expected revision or run; "" if it is.
	Stale string
	// Workspace is which clusters the repositories feed; nil if that is not known.
	Workspace *Workspace
	// Compared is set if an earlier report of the repository is known. Gone are its findings that are no longer reported: fixed, or
	// silenced. GoneUnknown is set if findings can be missing for other reasons.
	Compared, GoneUnknown bool
	Gone                  int
	// Findings are the worst of the open ones, as many as are shown.
	Findings []Finding

	// InTests is the number of findings in data of tests, which do not count for the state.
	InTests int
	// Extensions, Roles, and Bindings are those of the report; Chains are nil if it does not list them, and Ways what findings show instead.
	Extensions []Extension
	Roles      []Role
	Bindings   []OpenBinding
	Chains     *Chains
	Ways       []Way

	counts     map[at]*Count
	releases   map[release]int
	deprecated map[extensionKey]string
}

// Way is a finding about a way to cluster-admin.
type Way struct {
	Rule, Subject, Message, File string
	Line                         int
}

// Finding is an open finding that is shown.
type Finding struct {
	Rule, Severity, Message, Target, Place, Fix string
	New                                         bool
}

// release is a release or model, and the model of it.
type release struct{ Target, Model string }

// State is what can be said of the repository in a few words. It is "clean" only if the report shows that the run read all of the commit,
// with all rules, and silenced nothing.
func (r *Repository) State() string {
	switch {
	case r.Incomplete:
		return "failed in part"
	case r.Unchecked != "":
		return "nothing checked"
	case r.Stale != "":
		return "stale"
	case r.Partial():
		return "partial"
	}
	state := "clean"
	if r.All()-r.InTests+r.NotShown > 0 {
		state = "findings"
	}
	if left := r.leftOut().String(); left != "" {
		state += " with " + left
	}
	return strings.Join(append([]string{state}, r.reserves()...), ", ")
}

// Partial reports whether the run was limited to a part of the repository.
func (r *Repository) Partial() bool { return r.selection().Partial() }

func (r *Repository) selection() finding.Selection {
	if r.Run == nil {
		return finding.Selection{}
	}
	return r.Run.Selection
}

// reserves returns what else keeps the findings of a report from being all that there are in the commit.
func (r *Repository) reserves() []string {
	var all []string
	if r.NotChecked > 0 && r.All()+r.NotShown == r.InTests {
		all = append(all, fmt.Sprintf("%d not checked", r.NotChecked))
	}
	if r.InTests > 0 && r.All()+r.NotShown == r.InTests {
		all = append(all, words.Count(r.InTests, "finding")+" in data of tests")
	}
	if r.Unsummed {
		all = append(all, "without a checksum")
	}
	if r.Run == nil {
		return append(all, "without a record of the run")
	}
	if n := r.Run.WorkTree.Changed; n > 0 {
		all = append(all, words.CountOf(n, "file differs", "files differ")+" from the commit")
	}
	if r.Revision == "" {
		all = append(all, "of an unknown commit")
	}
	return all
}

// leftOut returns what the run did not report.
func (r *Repository) leftOut() finding.Silencing {
	if r.Run == nil {
		return finding.Silencing{}
	}
	return r.Run.Silencing
}

// Clean reports whether the repository has no findings, and nothing that keeps the report from showing all.
func (r *Repository) Clean() bool { return r.State() == "clean" }

// CleanExcept reports whether the repository has no findings as far as the report shows.
func (r *Repository) CleanExcept() bool { return !r.Clean() && strings.HasPrefix(r.State(), "clean") }

// Missing is a repository without a report.
type Missing struct{ Name, Why string }

// Problem is something wrong with a report.
type Problem struct{ File, Text string }

// Admin is a subject that a binding makes cluster-admin.
type Admin struct {
	Subject    finding.Subject
	Repository string
	// Target is that of the run.
	Target string
	// Binding is the object that the finding is about.
	Binding string
	File    string
	Line    int
	Rule    string
	// Since is the day of the first run that reported it: of the earlier sets of reports back to the first one that lacks it, and of this run if
	// there are none.
	Since string
}

// Point is the number of open findings in one set of reports.
type Point struct {
	Name                    string
	Repositories            int
	Errors, Warnings, Notes int
}

// Totals are the sums of a fleet.
type Totals struct {
	Repositories, Clean, Failed, Unchecked, Missing int
	// CleanExcept are clean as far as their reports show, Partial were limited to a part of the repository, and Stale are not those expected.
	CleanExcept, Partial, Stale int
	Count
	Suppressed, NotShown, Gone int
	NotCompared                int
}

// Totals returns the sums over all counted reports. A repository that was linted for several targets counts once, and its findings for
// each.
func (f *Fleet) Totals() Totals {
	t := Totals{Missing: len(f.Missing)}
	clean, failed, unchecked, all, compared := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	except, partial, stale := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range f.Repositories {
		t.Count = t.Count.plus(r.Count)
		t.Suppressed, t.NotShown, t.Gone = t.Suppressed+r.Suppressed, t.NotShown+r.NotShown, t.Gone+r.Gone
		isClean, isExcept := r.Clean(), r.Clean() || r.CleanExcept()
		if was, known := clean[r.Name]; known {
			isClean, isExcept = isClean && was, isExcept && (was || except[r.Name])
		}
		clean[r.Name], except[r.Name], all[r.Name] = isClean, isExcept && !isClean, true
		partial[r.Name] = partial[r.Name] || r.Stale == "" && r.Partial()
		stale[r.Name] = stale[r.Name] || r.Stale != ""
		failed[r.Name] = failed[r.Name] || r.Incomplete
		unchecked[r.Name] = unchecked[r.Name] || r.Unchecked != ""
		compared[r.Name] = r.Compared
	}
	holds := func(m map[string]bool) int {
		n := 0
		for _, is := range m {
			if is {
				n++
			}
		}
		return n
	}
	t.CleanExcept, t.Partial, t.Stale = holds(except), holds(partial), holds(stale)
	t.Repositories, t.Clean, t.Failed, t.Unchecked = len(all), holds(clean), holds(failed), holds(unchecked)
	if f.Compared {
		t.NotCompared = len(all) - holds(compared)
	}
	return t
}

// Failed reports whether something prevents the report from being about all of all repositories.
func (f *Fleet) Failed() bool {
	return len(f.Problems) > 0 || len(f.Missing) > 0 || slices.ContainsFunc(f.Repositories, func(r *Repository) bool {
		return r.Incomplete || r.Stale != "" || r.Partial()
	})
}

// Doubtful reports whether a report leaves open whether its findings are all that its commit has.
func (f *Fleet) Doubtful() bool {
	return slices.ContainsFunc(f.Repositories, func(r *Repository) bool {
		return r.Unchecked != "" || r.NotChecked > 0 || r.Unsummed || r.Run == nil || r.Revision == "" || r.Run.WorkTree.Changed > 0
	})
}

// Rule is what the fleet has of one rule.
type Rule struct {
	Name string
	Count
	Repositories int
}

// Rules returns the rules with findings, those with the most errors, warnings, and notes first.
func (f *Fleet) Rules() []Rule {
	rules, repositories := map[string]Count{}, map[string]map[string]bool{}
	for _, r := range f.Repositories {
		for at, count := range r.counts {
			rules[at.rule] = rules[at.rule].plus(*count)
			if repositories[at.rule] == nil {
				repositories[at.rule] = map[string]bool{}
			}
			repositories[at.rule][r.Name] = true
		}
	}
	var all []Rule
	for name, count := range rules {
		all = append(all, Rule{name, count, len(repositories[name])})
	}
	slices.SortFunc(all, func(a, b Rule) int { return cmp.Or(worse(a.Count, b.Count), strings.Compare(a.Name, b.Name)) })
	return all
}

// worse orders counts: the one with more errors comes first, then the one with more warnings, then the one with more notes.
func worse(a, b Count) int {
	return cmp.Or(cmp.Compare(b.Errors, a.Errors), cmp.Compare(b.Warnings, a.Warnings), cmp.Compare(b.Notes, a.Notes))
}

// byRule returns the findings of a repository for each rule, on all targets.
func (r *Repository) byRule() map[string]Count {
	rules := map[string]Count{}
	for at, count := range r.counts {
		rules[at.rule] = rules[at.rule].plus(*count)
	}
	return rules
}

// worstFirst returns the repositories with the most errors first.
func (f *Fleet) worstFirst() []*Repository {
	all := slices.Clone(f.Repositories)
	slices.SortStableFunc(all, func(a, b *Repository) int {
		rank := func(r *Repository) int {
			if r.Incomplete {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), worse(a.Count, b.Count))
	})
	return all
}

// Release is the number of extensions on a release or model.
type Release struct {
	Target, Model            string
	Extensions, Repositories int
}

// Releases returns the extensions by release and model, sorted by model and release.
func (f *Fleet) Releases() []Release {
	extensions, repositories := map[release]int{}, map[release]map[string]bool{}
	for _, r := range f.Repositories {
		for on, n := range r.releases {
			extensions[on] += n
			if repositories[on] == nil {
				repositories[on] = map[string]bool{}
			}
			repositories[on][r.Name] = true
		}
	}
	var all []Release
	for on, n := range extensions {
		all = append(all, Release{on.Target, on.Model, n, len(repositories[on])})
	}
	slices.SortFunc(all, func(a, b Release) int {
		return cmp.Or(strings.Compare(a.Model, b.Model), strings.Compare(a.Target, b.Target))
	})
	return all
}

// CountOf returns the number of findings of a rule.
func (r *Repository) CountOf(rule string) int { return r.byRule()[rule].All() }

// sortedKeys returns the targets and rules of a repository in their order.
func (r *Repository) sortedKeys() []at {
	return slices.SortedFunc(maps.Keys(r.counts), func(a, b at) int {
		return cmp.Or(strings.Compare(a.target, b.target), strings.Compare(a.rule, b.rule))
	})
}
