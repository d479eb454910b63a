package destination

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
)

// Report is an additional report, with the absolute path of its file.
type Report struct{ Format, File string }

// ParseReports reads the values of --output. The function check returns an error for an unknown format.
func ParseReports(workDir string, values []string, check func(format string) error) ([]Report, error) {
	var all []Report
	for _, value := range values {
		r, err := parseReport(workDir, value, check)
		if err == nil && slices.ContainsFunc(all, func(other Report) bool { return other.File == r.File }) {
			err = errors.New("another report is written to the same file")
		}
		if err == nil {
			err = Check(workDir, r.File)
		}
		if err != nil {
			return nil, fmt.Errorf("--output %s: %w", value, err)
		}
		all = append(all, r)
	}
	return all, nil
}

func parseReport(workDir, value string, check func(format string) error) (Report, error) {
	format, file, found := strings.Cut(value, "=")
	if !found && check(format) == nil {
		return Report{}, fmt.Errorf("use --format %s for standard output, or --output %s=FILE", format, format)
	}
	if !found || file == "" {
		return Report{}, errors.New("use FORMAT=FILE, for example sarif=report.sarif")
	}
	if err := check(format); err != nil {
		return Report{}, err
	}
	if file == "-" {
		return Report{}, fmt.Errorf("use --format %s for standard output", format)
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(workDir, file)
	}
	return Report{format, file}, nil
}

// CheckReports returns an error before the run if a report would overwrite something else than an earlier report: a file that git
// tracks, or an input, see [CheckNoInput]. The repository can be nil.
func CheckReports(ctx context.Context, r *repo.Repo, reports []Report, inputs []string) error {
	for _, o := range reports {
		if err := CheckNoInput(o.File, inputs); err != nil {
			return o.wrap(err)
		}
		if r != nil && r.Tracks(ctx, o.File) {
			return o.wrap(errors.New("git tracks this file: name another one"))
		}
	}
	return nil
}

// Write writes the report, as a whole or not at all.
func (r Report) Write(workDir string, text []byte) error {
	err := Check(workDir, r.File) // again: the repository can have changed meanwhile
	if err == nil {
		err = regular.WriteFile(r.File, text)
	}
	return r.wrap(err)
}

func (r Report) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--output %s=%s: %w", r.Format, r.File, err)
}

// WriteNew writes a file. The error reports that it already exists; it is then not changed.
func WriteNew(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists; nothing was changed", filepath.Base(path))
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
