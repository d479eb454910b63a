package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
)

// readShown reads the flags that decide which findings reports list, and how.
func (l *linter) readShown() error {
	switch how := l.ctx.String("group"); how {
	case "file":
	case "rule":
		l.byRule = true
	default:
		return fmt.Errorf("--group %q: use file or rule", how)
	}
	if l.byRule && l.ctx.Bool("statistics") {
		return errors.New("--group rule and --statistics cannot be used together")
	}
	l.listed = finding.Note
	name := l.ctx.String("min-severity")
	if name == "" {
		return nil
	}
	severity, err := settings.ParseFailOn(name)
	if err != nil || severity == finding.Off {
		return fmt.Errorf("--min-severity %q: use error, warning, or note", name)
	}
	l.listed = severity
	return nil
}

// leaveOut removes the findings below --min-severity from a result. They count in its summary, and for the exit code.
func (l *linter) leaveOut(r *finding.Result) {
	isBelow := func(f finding.Finding) bool { return f.Severity < l.listed && !(f.Fix != nil && f.Fix.Applied) }
	kept := slices.DeleteFunc(slices.Clone(r.Findings), isBelow)
	r.Summary.NotShown = len(r.Findings) - len(kept)
	r.Findings = kept
	r.Suppressed = slices.DeleteFunc(slices.Clone(r.Suppressed), isBelow)
}

// foldsNotes reports whether notes are counted instead of listed: nothing asks for them, and they do not decide the exit code.
func (l *linter) foldsNotes() bool {
	return !l.ctx.Bool("verbose") && l.ctx.String("min-severity") == "" && len(l.ctx.StringSlice("only"))+len(l.ctx.StringSlice("enable")) == 0 && l.failOn != finding.Note
}

// shownNotes is how many remarks about a run are printed without --verbose.
const shownNotes = 10

// foldRunNotes returns the first remarks about a run, all that say what is not checked or reported, and the number of the others.
func (l *linter) foldRunNotes(notes []string) []string {
	if l.ctx.Bool("verbose") {
		return notes
	}
	var shown []string
	for i, note := range notes {
		if i < shownNotes || strings.Contains(note, "not checked") || strings.Contains(note, "not reported") {
			shown = append(shown, note)
		}
	}
	if more := len(notes) - len(shown); more > 1 {
		return append(shown, fmt.Sprintf("%d more notes: --verbose lists them", more))
	}
	return notes
}
