package main

import (
	"errors"
	"fmt"
	"slices"

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
