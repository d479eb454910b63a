package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/output/destination"
)

// readBaseline reads the baseline of the command line, otherwise that of the configuration. With --write-baseline alone, the file that
// it replaces is the baseline: it can hide findings that this run does not look for.
func (l *linter) readBaseline() error {
	written := l.ctx.String("write-baseline")
	if written != "" {
		if err := destination.Check(l.Dir, l.abs(written)); err != nil {
			return fmt.Errorf("--write-baseline %s: %w", written, err)
		}
	}
	name, read := l.baseline()
	if name == "" {
		return l.readReplaced(written)
	}
	baseline, err := silence.ReadBaseline(name, read)
	if errors.Is(err, fs.ErrNotExist) && written != "" && l.abs(written) == l.abs(name) {
		return nil // it is written for the first time
	}
	if err != nil {
		return err
	}
	l.useBaseline(name, baseline)
	return nil
}

// baseline returns the name of the baseline for errors, and a function that reads it; "" if there is none.
func (l *linter) baseline() (name string, read func(limit int64) ([]byte, error)) {
	if name = l.ctx.String("baseline"); name != "" {
		return name, func(limit int64) ([]byte, error) { return l.at.ReadNamed(name, limit) }
	}
	if l.at.Config.Baseline == "" {
		return "", nil
	}
	name = filepath.Join(l.at.Root(), filepath.FromSlash(l.at.Config.Baseline))
	if l.configBase != nil {
		return name, func(limit int64) ([]byte, error) {
			return workspace.ReadBase(l.configBase, l.at.Config.Baseline, limit)
		}
	}
	return name, func(limit int64) ([]byte, error) { return l.at.ReadNamed(name, limit) }
}

// readReplaced reads the file that --write-baseline replaces. One that cannot be read is replaced by a run of everything.
func (l *linter) readReplaced(written string) error {
	if written == "" {
		return nil
	}
	baseline, err := silence.ReadBaseline(written, func(limit int64) ([]byte, error) { return l.at.ReadNamed(written, limit) })
	switch {
	case errors.Is(err, fs.ErrNotExist), err != nil && l.looksAtEverything():
		return nil
	case err != nil:
		return fmt.Errorf("%w; run it without paths and --changed-since", err)
	}
	l.useBaseline(written, baseline)
	return nil
}

// looksAtEverything reports whether no flag or path limits what the run reports.
func (l *linter) looksAtEverything() bool {
	return len(l.paths) == 0 && l.ctx.String("changed-since") == "" && len(l.ctx.StringSlice("disable"))+len(l.ctx.StringSlice("only")) == 0
}

func (l *linter) useBaseline(name string, baseline *silence.Baseline) {
	if l.at.Repo != nil {
		baseline.File = l.at.PathInRepository(name)
	}
	l.options.Baseline, l.options.BaselineFile = baseline, baseline.File
}

// writeBaseline writes the findings of the run, those that the baseline hides, and its entries that this run cannot judge.
func (l *linter) writeBaseline(out *session.Outcome) error {
	file := l.ctx.String("write-baseline")
	if file == "" {
		return nil
	}
	found := slices.DeleteFunc(slices.Clone(out.Each), func(f finding.Finding) bool {
		return f.Rule == silence.NoteRule || f.Rule == finding.RuleFailed.Name || f.Fixed()
	})
	all := slices.Concat(found, out.Baseline.Known)
	if err := silence.WriteBaseline(l.abs(file), all, out.Baseline.Kept...); err != nil {
		return err
	}
	kept, gone := len(out.Baseline.Known), 0
	for _, e := range out.Baseline.Kept {
		kept += e.Count
	}
	for _, e := range out.Baseline.Gone {
		gone += e.Count
	}
	if !l.ctx.Bool("quiet") {
		fmt.Fprintf(l.Stderr, "findings in %s: %d (%d new, %d as before); removed: %d\n", file, len(found)+kept, len(found), kept, gone)
		if name, _ := l.baseline(); name == "" {
			fmt.Fprintf(l.Stderr, "Next: commit the file, and set `baseline: %s` in .salint.yaml, or run salint lint --baseline %s\n", file, shell.Quote(file))
		}
	}
	return nil
}
