package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/lint/session"
)

// readBaseline reads the baseline of the command line, otherwise that of the configuration. With --write-baseline alone, the file that
// it replaces is the baseline: it can hide findings that this run does not look for.
func (l *linter) readBaseline() error {
	destination := l.ctx.String("write-baseline")
	if destination != "" {
		if err := l.checkDestination(destination); err != nil {
			return fmt.Errorf("--write-baseline %s: %w", destination, err)
		}
	}
	name, read := l.baseline()
	if name == "" {
		return l.readReplaced(destination)
	}
	baseline, err := silence.ReadBaseline(name, read)
	if errors.Is(err, fs.ErrNotExist) && destination != "" && l.abs(destination) == l.abs(name) {
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
		return name, func(limit int64) ([]byte, error) { return l.readNamed(l.repo, name, limit) }
	}
	if l.config.Baseline == "" {
		return "", nil
	}
	name = filepath.Join(l.root(), filepath.FromSlash(l.config.Baseline))
	if l.configBase != nil {
		return name, func(limit int64) ([]byte, error) { return readBase(l.configBase, l.config.Baseline, limit) }
	}
	return name, func(limit int64) ([]byte, error) { return l.readNamed(l.repo, name, limit) }
}

// readBase reads a file of a revision up to a size in bytes.
func readBase(base fs.FS, name string, limit int64) ([]byte, error) {
	info, err := fs.Stat(base, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes, more than %d", name, info.Size(), limit)
	}
	return fs.ReadFile(base, name)
}

// readReplaced reads the file that --write-baseline replaces. One that cannot be read is replaced by a run of everything.
func (l *linter) readReplaced(destination string) error {
	if destination == "" {
		return nil
	}
	baseline, err := silence.ReadBaseline(destination, func(limit int64) ([]byte, error) { return l.readNamed(l.repo, destination, limit) })
	switch {
	case errors.Is(err, fs.ErrNotExist), err != nil && l.looksAtEverything():
		return nil
	case err != nil:
		return fmt.Errorf("%w; run it without paths and --changed-since", err)
	}
	l.useBaseline(destination, baseline)
	return nil
}

// looksAtEverything reports whether no flag or path limits what the run reports.
func (l *linter) looksAtEverything() bool {
	return len(l.paths) == 0 && l.ctx.String("changed-since") == "" && len(l.ctx.StringSlice("disable"))+len(l.ctx.StringSlice("only")) == 0
}

func (l *linter) useBaseline(name string, baseline *silence.Baseline) {
	if l.repo != nil {
		baseline.File = l.pathInRepository(name)
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
		return f.Rule == silence.NoteRule || f.Rule == finding.RuleFailed.Name || f.Fix != nil && f.Fix.Applied
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
	}
	return nil
}
