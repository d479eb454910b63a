package fleet

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// The limits of lists for people. The machine formats have no limits.
const (
	textRules  = 3  // of a repository
	textAdmins = 50 // subjects
	textWhere  = 3  // repositories of a subject
)

// text writes tables for a terminal.
func (f *Fleet) text(w io.Writer) error {
	for _, line := range f.headline() {
		fmt.Fprintln(w, safetext.Text(line))
	}
	f.textRules(w)
	f.textRepositories(w)
	f.textReleases(w)
	f.textAdmins(w)
	f.textUnlisted(w)
	f.textPossible(w)
	if stale := f.stale(); len(stale) > 0 {
		fmt.Fprintf(w, "\nStale (%d):\n", len(stale))
		for _, r := range stale {
			fmt.Fprintf(w, "  %s: its report %s %s\n", safetext.Text(r.Name), safetext.Text(r.File), safetext.Text(r.Stale))
		}
	}
	if partial := f.partial(); len(partial) > 0 {
		fmt.Fprintf(w, "\nPartial (%d):\n", len(partial))
		for _, r := range partial {
			fmt.Fprintf(w, "  %s: the run was limited to %s\n", safetext.Text(r.Name), safetext.Text(r.selection().String()))
		}
	}
	if len(f.Missing) > 0 {
		fmt.Fprintf(w, "\nMissing (%d):\n", len(f.Missing))
		for _, m := range f.Missing {
			fmt.Fprintf(w, "  %s: %s\n", safetext.Text(m.Name), m.Why)
		}
	}
	if len(f.Problems) > 0 {
		fmt.Fprintf(w, "\nReports that are not counted (%d):\n", len(f.Problems))
		for _, p := range f.Problems {
			fmt.Fprintf(w, "  %s %s\n", safetext.Text(p.File), safetext.Text(p.Text))
		}
	}
	return nil
}

func (f *Fleet) stale() []*Repository {
	return slices.DeleteFunc(slices.Clone(f.Repositories), func(r *Repository) bool { return r.Stale == "" })
}

func (f *Fleet) partial() []*Repository {
	return slices.DeleteFunc(slices.Clone(f.Repositories), func(r *Repository) bool { return r.Stale != "" || !r.Partial() })
}

// headline returns the totals in sentences.
func (f *Fleet) headline() []string {
	t := f.Totals()
	parts := []string{fmt.Sprintf("%d clean", t.Clean)}
	for _, part := range []struct {
		n    int
		text string
	}{
		{t.CleanExcept, "clean with reserves"}, {t.Partial, "partial"}, {t.Stale, "stale"}, {t.Unchecked, "with nothing checked"}, {t.Failed, "failed in part"}, {t.Missing, "missing"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	lines := []string{fmt.Sprintf("%s: %s.", words.Count(t.Repositories, "repository"), strings.Join(parts, ", "))}
	lines = append(lines, fmt.Sprintf("%s: %s, %s, %s. Fixable: %d (%d safe, %d unsafe, %d to prune).", words.Count(t.All(), "finding"),
		words.Count(t.Errors, "error"), words.Count(t.Warnings, "warning"), words.Count(t.Notes, "note"), t.Fixable(), t.Safe, t.Unsafe, t.Prune))
	if t.NotShown > 0 {
		lines = append(lines, fmt.Sprintf("%s more that --min-severity left out of the reports.", words.Count(t.NotShown, "finding")))
	}
	if f.Compared {
		lines = append(lines, f.comparison())
	}
	return lines
}

// comparison returns what changed since the earlier reports, in a sentence.
func (f *Fleet) comparison() string {
	t := f.Totals()
	text := fmt.Sprintf("Since then: %d new, %d still open, %d no longer reported.", t.New, f.open(), t.Gone)
	if t.NotCompared > 0 {
		text += fmt.Sprintf(" Not compared: %s without an earlier report.", words.Count(t.NotCompared, "repository"))
	}
	if n := f.goneUnknown(); n > 0 {
		text += fmt.Sprintf(" In %s, findings can be missing for other reasons than a fix.", words.Count(n, "repository"))
	}
	return text
}

func (f *Fleet) goneUnknown() int {
	n := 0
	for _, r := range f.Repositories {
		if r.GoneUnknown {
			n++
		}
	}
	return n
}

func (f *Fleet) textRules(w io.Writer) {
	rules := f.Rules()
	if len(rules) == 0 {
		return
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "RULE\tERRORS\tWARNINGS\tNOTES\tFIXABLE\tREPOSITORIES", f.newColumn("\tNEW"), "\n")
	for _, r := range rules {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d%s\n", safetext.Text(r.Name), r.Errors, r.Warnings, r.Notes, r.Fixable(), r.Repositories,
			f.newColumn(fmt.Sprintf("\t%d", r.New)))
	}
	table.Flush() //nolint:errcheck // the writer is buffered, and reports its error at the end
}

// newColumn returns the text of a column that only a comparison has.
func (f *Fleet) newColumn(text string) string {
	if !f.Compared {
		return ""
	}
	return text
}

func (f *Fleet) textRepositories(w io.Writer) {
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "REPOSITORY\tTARGET\tSTATE\tERRORS\tWARNINGS\tNOTES\tFIXABLE", f.newColumn("\tNEW\tGONE"), "\tRULES\n")
	for _, r := range f.worstFirst() {
		change := "\t-\t-"
		if r.Compared {
			change = fmt.Sprintf("\t%d\t%s", r.New, r.goneText())
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%d%s\t%s\n", safetext.Text(r.Name), safetext.Text(cmp.Or(r.Target, "-")), r.State(),
			r.Errors, r.Warnings, r.Notes, r.Fixable(), f.newColumn(change), safetext.Text(r.rulesText()))
	}
	table.Flush() //nolint:errcheck // as above
}

func (r *Repository) goneText() string {
	if r.GoneUnknown {
		return "?"
	}
	return fmt.Sprint(r.Gone)
}

// rulesText returns the worst rules of a repository, with their targets.
func (r *Repository) rulesText() string {
	keys := r.sortedKeys()
	slices.SortStableFunc(keys, func(a, b at) int { return worse(*r.counts[a], *r.counts[b]) })
	var parts []string
	for _, key := range keys[:min(len(keys), textRules)] {
		text := fmt.Sprintf("%s %d", key.rule, r.counts[key].All())
		if key.target != "" && key.target != r.Target {
			text += " on " + key.target
		}
		parts = append(parts, text)
	}
	if more := len(keys) - textRules; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return cmp.Or(strings.Join(parts, ", "), "-")
}

func (f *Fleet) textReleases(w io.Writer) {
	releases := f.Releases()
	if len(releases) == 0 {
		return
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "EXTENSIONS ON\tMODEL\tEXTENSIONS\tREPOSITORIES")
	for _, r := range releases {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\n", safetext.Text(r.Target), safetext.Text(r.Model), r.Extensions, r.Repositories)
	}
	table.Flush() //nolint:errcheck // as above
}

// adminGroup is a subject with the grants that make it cluster-admin. Subjects of one name in several repositories are one only if these
// are for one cluster, which reports do not say. An account in the namespace of a release has none in common with others.
type adminGroup struct {
	Subject finding.Subject
	Admins  []Admin
}

// inRelease reports whether the subject is an account whose namespace is that of a release, which is unknown.
func inRelease(s finding.Subject) bool { return s.Kind == "ServiceAccount" && s.Namespace == "" }

// Name returns the subject in words.
func (g adminGroup) Name() string { return nameOf(g.Subject) }

// Name returns the subject in words.
func (a Admin) Name() string { return nameOf(a.Subject) }

func nameOf(s finding.Subject) string {
	if s == (finding.Subject{}) {
		return "subjects that several bindings together make cluster-admin"
	}
	if inRelease(s) {
		return "ServiceAccount " + s.Name + " in the namespace of the release"
	}
	return s.String()
}

// grants returns the number of grants. A binding counts once, whatever rules and targets report it.
func (g adminGroup) grants() int {
	type grant struct {
		repository, binding, file string
		line                      int
	}
	all := map[grant]bool{}
	for _, a := range g.Admins {
		all[grant{a.Repository, a.Binding, a.File, a.Line}] = true
	}
	return len(all)
}

// adminCount is the number of grants of cluster-admin, and of the names that have them.
func (f *Fleet) adminCount() string {
	groups, grants := f.adminGroups(), 0
	for _, g := range groups {
		grants += g.grants()
	}
	return fmt.Sprintf("%s to %s", words.Count(grants, "grant"), words.Count(len(groups), "name"))
}

// repositories returns the repositories, each once.
func (g adminGroup) repositories() []string {
	var names []string
	for _, a := range g.Admins {
		names = append(names, a.Repository)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// where returns the repositories, with the number of grants if there are more.
func (g adminGroup) where(most int) string {
	text := finding.List(g.repositories(), most)
	if n := g.grants(); n > len(g.repositories()) {
		text += fmt.Sprintf(" (%d grants)", n)
	}
	return text
}

// adminGroups returns the subjects in the most repositories first.
func (f *Fleet) adminGroups() []adminGroup {
	var groups []adminGroup
	for _, a := range f.Admins { // sorted by subject
		if n := len(groups); n > 0 && groups[n-1].Subject == a.Subject && (!inRelease(a.Subject) || groups[n-1].Admins[0].Repository == a.Repository) {
			groups[n-1].Admins = append(groups[n-1].Admins, a)
			continue
		}
		groups = append(groups, adminGroup{a.Subject, []Admin{a}})
	}
	slices.SortStableFunc(groups, func(a, b adminGroup) int { return cmp.Compare(len(b.repositories()), len(a.repositories())) })
	return groups
}

// possibleText is what the list of possible grants is about.
const possibleText = "Possibly, if the repositories are for one cluster: a repository binds a role that it lacks and another one defines"

// acrossText is the same if a workspace names clusters.
const acrossText = "Across repositories: one binds a role that it lacks and another one defines, certainly on the clusters that are named, otherwise possibly"

func (f *Fleet) possibleText() string {
	if f.Workspace != nil {
		return acrossText
	}
	return possibleText
}

func (f *Fleet) textPossible(w io.Writer) {
	possible := f.Possible()
	if len(possible) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s (%d):\n", f.possibleText(), len(possible))
	for _, p := range possible[:min(len(possible), textAdmins)] {
		fmt.Fprintf(w, "  %s: %s\n", safetext.Text(p.Repository), safetext.Text(p.String()))
	}
	if more := len(possible) - textAdmins; more > 0 {
		fmt.Fprintf(w, "  %d more: --format json lists all\n", more)
	}
}

func (f *Fleet) textAdmins(w io.Writer) {
	groups := f.adminGroups()
	if len(groups) == 0 {
		return
	}
	fmt.Fprintf(w, "\nCluster-admin in what the reports list (%s; a name in several repositories is one identity only on one cluster):\n", f.adminCount())
	for _, g := range groups[:min(len(groups), textAdmins)] {
		fmt.Fprintf(w, "  %s: %s\n", safetext.Text(g.Name()), safetext.Text(g.where(textWhere)+f.sinceOf(g)))
	}
	if more := len(groups) - textAdmins; more > 0 {
		fmt.Fprintf(w, "  %d more: --format json lists all\n", more)
	}
}
