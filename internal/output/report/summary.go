package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
)

// fixFlag returns the flag that a kind of fix needs in addition to --fix.
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

// fixHint returns the kind of a fix and the flags that apply it.
func fixHint(kind finding.FixKind) string {
	return strings.TrimSpace(fmt.Sprintf("%s; --fix %s", kind, fixFlag(kind)))
}

// summary ends the report: what was checked, what was found, the command that fixes it, and why the run fails.
func (t *text) summary(r *finding.Result) {
	t.checked(r)
	if r.Run != nil {
		run := *r.Run
		run.Paths, run.Ignored = nil, 0 // the line above has their numbers
		if limits := run.Limits(); limits != "" {
			fmt.Fprintln(t.w, safetext.Text(limits))
		}
	}
	t.commands(r)
	if r.Failure != "" {
		fmt.Fprintln(t.w, safetext.Text(r.Failure))
	}
}

// checked prints what was checked and found.
func (t *text) checked(r *finding.Result) {
	s, covered := r.Summary, r.Coverage()
	if covered.Unchecked != "" {
		if len(r.Findings) > 0 {
			fmt.Fprint(t.w, t.counts(s, covered), ". ")
		}
		fmt.Fprintln(t.w, covered.Gap())
		return
	}
	files := " in " + words.Count(s.Files, "file")
	if !covered.All {
		// Units of the selected files can have findings elsewhere, so the numbers are not about these files only.
		files = fmt.Sprintf("; %d of %s selected", covered.Selected, words.Count(s.Files, "file"))
	}
	unchecked := ""
	if gap := covered.Gap(); gap != "" {
		unchecked = " " + gap
	}
	if r.Incomplete {
		unchecked += " Some checks did not run: see the errors."
	}
	fmt.Fprintf(t.w, "%s%s (%s)%s.%s\n", t.counts(s, covered), files, words.Count(s.Documents, "document"), t.target(r.Target), unchecked)
}

// counts returns the numbers of findings, and of fixed and suppressed ones. The words for none depend on what was checked.
func (t *text) counts(s finding.Summary, covered finding.Coverage) string {
	var found []string
	for _, c := range []struct {
		n    int
		name string
		s    finding.Severity
	}{{s.Errors, "error", finding.Error}, {s.Warnings, "warning", finding.Warning}, {s.Notes, "note", finding.Note}} {
		if c.n > 0 {
			found = append(found, t.paint(severityStyle(c.s), words.Count(c.n, c.name)))
		}
	}
	if len(found) == 0 {
		found = append(found, covered.NoProblems())
	}
	if s.Fixed > 0 {
		found = append(found, t.paint(green, fmt.Sprintf("%d fixed", s.Fixed)))
	}
	if s.Suppressed > 0 {
		found = append(found, fmt.Sprintf("%d suppressed", s.Suppressed))
	}
	if s.NotShown > 0 {
		found = append(found, fmt.Sprintf("%d not shown (--min-severity)", s.NotShown))
	}
	return strings.Join(found, ", ")
}

func (t *text) target(target finding.Target) string {
	if target.Name == "" || target.Name == "auto" { // nothing was checked, or each part has its own target
		return ""
	}
	text := ", target " + safetext.Text(target.Name)
	if target.DetectedFrom != "" {
		text += " (detected from " + safetext.Text(t.paths.place(target.DetectedFrom)) + ")"
	}
	return text
}

// commands lists the commands that fix the remaining findings.
func (t *text) commands(r *finding.Result) {
	if r.Command == "" || r.Summary.Unchecked != "" {
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
		{finding.Unsafe, "Fix %d with unsafe fixes, which can change behavior"},
		{finding.Prune, "Fix %d by deleting what is no longer used"},
	} {
		if n := kinds[line.kind]; n > 0 {
			command := r.Command
			if line.kind == finding.Prune {
				command = cmp.Or(r.PruneCommand, command)
			}
			command = safetext.Text(withFlag(command, fixFlag(line.kind)))
			fmt.Fprintf(t.w, line.what+": %s\n", n, t.paint(bold, command))
		}
	}
}

// withFlag adds a flag that a command lacks directly after --fix, because paths or a -- can follow.
func withFlag(command, flag string) string {
	if flag == "" || strings.Contains(command, " "+flag) {
		return command
	}
	before, after, found := strings.Cut(command, " --fix")
	if !found {
		return command + " " + flag
	}
	return before + " --fix " + flag + after
}
