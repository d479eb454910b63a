package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/worktree"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/output/report"
)

// output is a report that is written to a file.
type output struct{ format, file string }

func (l *linter) readOutputs() error {
	if err := checkReportFormat(l.ctx.String("format")); err != nil {
		return err
	}
	return l.readOutputsOf(report.Check)
}

// readOutputsOf reads the values of --output. The function returns an error for an unknown format.
func (l *linter) readOutputsOf(check func(format string) error) error {
	for _, value := range l.ctx.StringSlice("output") {
		o, err := l.readOutput(value, check)
		if err != nil {
			return fmt.Errorf("--output %s: %w", value, err)
		}
		l.outputs = append(l.outputs, o)
	}
	return nil
}

// checkReportFormat checks --format, of which -o is the short form. In other linters, -o is --output.
func checkReportFormat(format string) error {
	if name, file, found := strings.Cut(format, "="); found && report.Check(name) == nil {
		return fmt.Errorf("--format (-o) %s: to write a report to a file, use --output %s=%s", format, name, file)
	}
	if err := report.Check(format); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	return nil
}

func (l *linter) readOutput(value string, check func(format string) error) (output, error) {
	format, file, found := strings.Cut(value, "=")
	if !found || file == "" {
		return output{}, errors.New("use FORMAT=FILE, for example sarif=report.sarif")
	}
	if err := check(format); err != nil {
		return output{}, err
	}
	if file == "-" {
		return output{}, fmt.Errorf("use --format %s for standard output", format)
	}
	o := output{format, l.abs(file)}
	if slices.ContainsFunc(l.outputs, func(other output) bool { return other.file == o.file }) {
		return output{}, errors.New("another report is written to the same file")
	}
	return o, l.checkDestination(file)
}

// checkDestination returns an error before the run if a file of the command line cannot be written because its folder does
// not exist, or must not be written because it is a symlink. A symlink in a repository can come from an untrusted pull
// request and lead anywhere.
func (c *command) checkDestination(name string) error {
	file := c.abs(name)
	dir := filepath.Dir(file)
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("folder %s does not exist: create it first", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	switch info, err := os.Lstat(file); {
	case err != nil: // it is created
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("the file is a symlink, which is not followed: name its destination, or remove the symlink")
	case !info.Mode().IsRegular():
		return errors.New("the file is not a regular file: name another one")
	}
	if isGitFile(file) {
		return errors.New("the file is in .git: name another one")
	}
	return c.staysInside(dir)
}

// isGitFile reports whether a file is in a folder .git, through whatever symlinks its folder is named.
func isGitFile(file string) bool {
	if real, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(real, filepath.Base(file))
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(file), "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}

// checkReportFiles returns an error before the run if a report would overwrite something else than an earlier report: a file that git
// tracks, or one that this run reads. A baseline can be tracked.
func (l *linter) checkReportFiles() error {
	for _, o := range l.outputs {
		if err := l.checkOverwritten(o.file); err != nil {
			return fmt.Errorf("--output %s=%s: %w", o.format, o.file, err)
		}
		if l.repo != nil && l.repo.Tracks(l.ctx.Context, o.file) {
			return fmt.Errorf("--output %s=%s: git tracks this file: name another one", o.format, o.file)
		}
	}
	if file := l.ctx.String("write-baseline"); file != "" {
		if err := l.checkOverwritten(l.abs(file)); err != nil {
			return fmt.Errorf("--write-baseline %s: %w", file, err)
		}
	}
	return nil
}

// checkOverwritten returns an error if a file is an input of the run: a manifest, a policy, the configuration, or for reports the baseline.
func (l *linter) checkOverwritten(file string) error {
	inputs := []string{l.ctx.String("config"), settings.FileName}
	if file != l.abs(l.ctx.String("write-baseline")) {
		baseline, _ := l.baseline()
		inputs = append(inputs, baseline)
	}
	isInput := func(name string) bool { return name != "" && sameFile(l.abs(name), file) }
	switch {
	case slices.ContainsFunc(inputs, isInput), filepath.Base(file) == settings.FileName:
		return errors.New("this run reads the file as its configuration or baseline: name another one")
	case strings.EqualFold(filepath.Ext(file), ".rego"):
		return errors.New("the file is a policy: name another one")
	case isManifest(file):
		return errors.New("the file is a manifest: name another one")
	}
	return nil
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// isManifest reports whether there is a file that holds objects of Kubernetes, or that is a kustomization. A report is none.
func isManifest(file string) bool {
	if objects.IsKustomizationFile(filepath.ToSlash(file)) {
		return true
	}
	data, err := regular.ReadFile(file, worktree.DefaultMaxFileSize)
	if err != nil || !repo.IsManifest(file) {
		return false
	}
	return slices.ContainsFunc(manifest.Scan(file, data).Docs, func(doc *manifest.Document) bool {
		return doc.Parse() == nil && len(objects.Objects(doc)) > 0
	})
}

// writeReport writes a report to its file, as a whole or not at all.
func (l *linter) writeReport(o output, text []byte) error {
	err := l.checkDestination(o.file) // again: the repository can have changed meanwhile
	if err == nil {
		err = regular.WriteFile(o.file, text)
	}
	if err != nil {
		return fmt.Errorf("--output %s=%s: %w", o.format, o.file, err)
	}
	return nil
}

// staysInside returns an error if a symlink leads from a folder below the working directory to a place outside it. A path
// outside the working directory is accepted, because the user named it.
func (c *command) staysInside(dir string) error {
	rel, err := filepath.Rel(c.Dir, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	base, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if inside, err := filepath.Rel(base, real); err != nil || !filepath.IsLocal(inside) {
		return fmt.Errorf("a symlink leads to %s, outside the working directory: name that folder instead", real)
	}
	return nil
}
