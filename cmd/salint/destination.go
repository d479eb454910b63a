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

// output is a report that goes to a file.
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
		return output{}, errors.New("write FORMAT=FILE, as in sarif=report.sarif")
	}
	if err := report.Check(format); err != nil {
		return output{}, err
	}
	if file == "-" {
		return output{}, fmt.Errorf("what goes to standard output is named by --format %s", format)
	}
	o := output{format, l.abs(file)}
	if slices.ContainsFunc(l.outputs, func(other output) bool { return other.file == o.file }) {
		return output{}, errors.New("another report goes to the same file")
	}
	return o, l.checkDestination(file)
}

// checkDestination says before any work is done that a file named on the command line could not be written, for want of
// the folder it is to lie in, or must not be: a symlink in a repository may come of a stranger's pull request, and would
// have a report written to wherever it leads.
func (c *command) checkDestination(name string) error {
	file := c.abs(name)
	dir := filepath.Dir(file)
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s: create it first", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	if info, err := os.Lstat(file); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return errors.New("a symlink stands there, and nothing is written through one: name the file that it leads to, or remove it")
	}
	return c.staysInside(dir)
}

// staysInside holds a folder below the working directory there. What lies elsewhere was named as such by whoever typed it.
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
		return fmt.Errorf("a symlink leads from there to %s, outside of the working directory: name that folder if you mean it", real)
	}
	return nil
}
