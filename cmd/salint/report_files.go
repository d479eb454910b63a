package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/output/report"
)

// output is a report that is written to a file.
type output struct{ format, file string }

func (l *linter) readOutputs() error {
	if err := report.Check(l.ctx.String("format")); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	for _, value := range l.ctx.StringSlice("output") {
		o, err := l.readOutput(value)
		if err != nil {
			return fmt.Errorf("--output %s: %w", value, err)
		}
		l.outputs = append(l.outputs, o)
	}
	return nil
}

func (l *linter) readOutput(value string) (output, error) {
	format, file, found := strings.Cut(value, "=")
	if !found || file == "" {
		return output{}, errors.New("use FORMAT=FILE, for example sarif=report.sarif")
	}
	if err := report.Check(format); err != nil {
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
	if info, err := os.Lstat(file); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return errors.New("the file is a symlink, which is not followed: name its destination, or remove the symlink")
	}
	return c.staysInside(dir)
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
