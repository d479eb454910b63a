package report

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
)

// fixFlag is what has to be given beside --fix for fixes of a kind.
func fixFlag(kind finding.FixKind) string {
	switch kind {
	case finding.Unsafe:
		return "--unsafe-fixes"
	case finding.Prune:
		return "--prune"
	default:
		return ""
	}
}

// fixHint says how far a fix may be trusted and how it is asked for.
func fixHint(kind finding.FixKind) string {
	return strings.TrimSpace(fmt.Sprintf("%s; --fix %s", kind, fixFlag(kind)))
}

// summary closes the report: what was looked at, what was found, and the command that mends it.
func (t *text) summary(r *finding.Result) {
	s := r.Summary
	if s.Files == 0 && len(r.Findings) == 0 {
		fmt.Fprintln(t.w, "Nothing was checked: there are no manifests here.")
		return
	}
	files := count(s.Files, "file")
	if r.Reported > 0 && r.Reported < s.Files {
		files = fmt.Sprintf("%d of %s", r.Reported, files)
	}
	unchecked := ""
	if r.Incomplete {
		unchecked = " Not all was checked: see the errors."
	}
	fmt.Fprintf(t.w, "%s in %s (%s)%s.%s\n", t.counts(s, r.Incomplete), files, count(s.Documents, "document"), t.target(r.Target), unchecked)
	t.commands(r)
}

// counts says how many findings there are, and how many are not among them. That there are none says little of a run that is not
// complete.
func (t *text) counts(s finding.Summary, incomplete bool) string {
	var found []string
	for _, c := range []struct {
		n    int
		name string
		s    finding.Severity
	}{{s.Errors, "error", finding.Error}, {s.Warnings, "warning", finding.Warning}, {s.Notes, "note", finding.Note}} {
		if c.n > 0 {
			found = append(found, t.paint(severityStyle(c.s), count(c.n, c.name)))
		}
	}
	switch {
	case len(found) == 0 && incomplete:
		found = append(found, "No problems found")
	case len(found) == 0:
		found = append(found, "No problems")
	}
	if s.Fixed > 0 {
		found = append(found, t.paint(green, fmt.Sprintf("%d fixed", s.Fixed)))
	}
	if s.Suppressed > 0 {
		found = append(found, fmt.Sprintf("%d suppressed", s.Suppressed))
	}
	return strings.Join(found, ", ")
}

func (t *text) target(target finding.Target) string {
	if target.Name == "" || target.Name == "auto" { // nothing was judged, or each part for a target of its own
		return ""
	}
	text := ", judged for " + safetext.Text(target.Name)
	if target.DetectedFrom != "" {
		text += " as " + safetext.Text(t.paths.place(target.DetectedFrom)) + " says"
	}
	return text
}

// commands lists what can still be fixed, and how.
func (t *text) commands(r *finding.Result) {
	if r.Command == "" {
		return
	}
	kinds := map[finding.FixKind]int{}
	for _, f := range r.Findings {
		if f.Fix != nil && !f.Fix.Applied {
			kinds[f.Fix.Kind]++
		}
	}
	for _, line := range []struct {
		kind finding.FixKind
		what string
	}{
		{finding.Safe, "Fix %d safely"},
		{finding.Unsafe, "Fix %d in ways that may change behaviour"},
		{finding.Prune, "Fix %d by removing what nothing uses any more"},
	} {
		if n := kinds[line.kind]; n > 0 {
			command := safetext.Text(withFlag(r.Command, fixFlag(line.kind)))
			fmt.Fprintf(t.w, line.what+": %s\n", n, t.paint(bold, command))
		}
	}
	if len(kinds) > 0 && len(r.TargetUnknown) > 0 {
		fmt.Fprintf(t.w, "Before that, name a target for %s by `overrides:` in .salint.yaml. The others tell theirs; --target would hold for all.\n",
			t.patterns(r.TargetUnknown))
	}
}

// patterns lists the first few patterns of paths.
func (t *text) patterns(all []string) string {
	shown := all[:min(len(all), shownRelated)]
	text := safetext.Text(strings.Join(shown, ", "))
	if more := len(all) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// withFlag adds a flag to a command, behind --fix: what follows may be paths, or a -- that ends the flags.
func withFlag(command, flag string) string {
	if flag == "" {
		return command
	}
	before, after, found := strings.Cut(command, " --fix")
	if !found {
		return command + " " + flag
	}
	return before + " --fix " + flag + after
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
