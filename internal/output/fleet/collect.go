package fleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/regular"
)

// Options are the input of a fleet report.
type Options struct {
	// Dir is the working directory, to which relative paths are relative; "" is that of the process.
	Dir string
	// Paths are reports, and folders with reports: all files *.json in them, at any depth.
	Paths []string
	// Expected are the names of the repositories that should have a report; nil if these are not known.
	Expected []string
	// Workspace is which clusters the repositories feed; nil if that is not known.
	Workspace *Workspace
	// Revisions are the commits of which reports are expected, by repository, or the beginnings of their IDs. A report of another one is stale.
	Revisions map[string]string
	// NotBefore is a day: a report of an earlier run is stale. "" is any.
	NotBefore string
	// Verify requires that each report has a checksum, and compares the reports with the manifests in the folders.
	Verify bool
	// ListProblems are what is wrong with the list of expected repositories.
	ListProblems []Problem
	// Since are folders or files with earlier reports, the oldest first. Findings are compared with the last.
	Since []string
	// Shown is how many findings of all repositories together are kept for a page; 0 keeps none.
	Shown int
	// Row, if set, returns the text of a finding for a format with one row for each; each repository has its own buffer, and Rows
	// receives these in the order of the repositories.
	Row  func(out *bytes.Buffer, r Row) error
	Rows func(text []byte) error
	// Result, if set, returns the text of the open findings of a report. Results receives these in the order of the repositories.
	Result  func(r *finding.Result) ([]byte, error)
	Results func(text []byte) error

	read func(bytes int) // of files
}

// Row is a finding with its repository.
type Row struct {
	Repository, Revision string
	// RunTarget is the target of the run.
	RunTarget string
	// Status is new, open, or gone; "" if the repository has no earlier report.
	Status  string
	Finding *readFinding
}

// source is a report that can be counted.
type source struct {
	file string
	header
}

// ErrNoReports is the error of paths without any file that could be a report.
var ErrNoReports = errors.New("no reports: name JSON reports of salint lint, or folders with them (*.json)")

// Collect reads all reports. What is wrong with single reports is among the problems of the fleet; the error is about the paths, or
// one of the functions of the options.
func Collect(ctx context.Context, o Options) (*Fleet, error) {
	names, err := reportFiles(o.Dir, o.Paths)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, ErrNoReports
	}
	c := &collector{Options: o, files: files{o.Dir, o.read}, fleet: &Fleet{Compared: len(o.Since) > 0, Workspace: o.Workspace}, kept: keptOf(o.Shown, len(names))}
	current, err := c.sources(ctx, names, true)
	if err != nil {
		return nil, err
	}
	if err := c.readSince(ctx); err != nil {
		return nil, err
	}
	if err := c.readAll(ctx, current); err != nil {
		return nil, err
	}
	c.fleet.Problems = append(c.fleet.Problems, c.ListProblems...)
	if c.Verify {
		c.compareManifests(names)
	}
	c.addMissing()
	c.finish()
	return c.fleet, nil
}

// keptOf returns how many findings of each report are kept.
func keptOf(shown, reports int) int {
	if shown == 0 {
		return 0
	}
	return min(max(shown/reports, 5), 60)
}

// reportFiles returns the files of paths, sorted, each once.
func reportFiles(dir string, paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		info, err := os.Stat(absolute(dir, p))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, regular.Cause(err))
		}
		if !info.IsDir() {
			files = append(files, filepath.ToSlash(filepath.Clean(p)))
			continue
		}
		err = fs.WalkDir(os.DirFS(absolute(dir, p)), ".", func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(p, file), regular.Cause(err))
			}
			if !entry.IsDir() && strings.EqualFold(filepath.Ext(file), ".json") {
				files = append(files, filepath.ToSlash(filepath.Join(p, file)))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// absolute returns a path for the operating system.
func absolute(dir, file string) string {
	if file = filepath.FromSlash(file); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// earlier is what earlier sets of reports show.
type earlier struct {
	// last are the reports of the last set, by repository.
	last  map[string][]source
	since sinceDays
}

// collector collects a fleet.
type collector struct {
	Options
	files
	fleet *Fleet
	kept  int
	// names are the spellings of the names of repositories, by what is the same for all.
	names   map[string]string
	earlier earlier
	// broken are the repositories with a report that is not counted, and why.
	broken map[string]string
}

func (c *collector) problem(file, format string, args ...any) {
	c.fleet.Problems = append(c.fleet.Problems, Problem{file, fmt.Sprintf(format, args...)})
}

// sources reads the headers of reports and returns those that can be counted, by repository. The first report of a run counts.
func (c *collector) sources(ctx context.Context, files []string, current bool) (map[string][]source, error) {
	headers, failures := make([]header, len(files)), make([]error, len(files))
	if err := parallel.Do(ctx, len(files), func(i int) { headers[i], failures[i] = c.header(files[i]) }); err != nil {
		return nil, err
	}
	found, first := map[string][]source{}, map[[2]string]source{}
	for i, file := range files {
		h := headers[i]
		h.Repository = c.spelled(h.Repository)
		switch {
		case failures[i] != nil:
			c.problem(file, "%v", failures[i])
			continue
		case h.Repository == "" && h.Members:
			c.problem(file, "is of a workspace: lint each of its repositories alone")
			continue
		case h.Repository == "":
			c.problem(file, "names no repository: run salint lint with --repository")
			continue
		case current && c.Expected != nil && !slices.Contains(c.Expected, h.Repository):
			c.problem(file, "is of %s, which is not expected", h.Repository)
			continue
		}
		key := [2]string{h.Repository, h.Target}
		if other, twice := first[key]; twice {
			c.problem(file, "%s", duplicateOf(h, other))
			continue
		}
		s := source{file, h}
		first[key] = s
		found[h.Repository] = append(found[h.Repository], s)
	}
	return found, nil
}

// spelled returns the first spelling of the name of a repository: that of the list, otherwise that of the first report.
func (c *collector) spelled(name string) string {
	if c.names == nil {
		c.names = map[string]string{}
		for _, name := range c.Expected {
			c.names[git.Key(name)] = name
		}
	}
	key := git.Key(name)
	if _, known := c.names[key]; !known {
		c.names[key] = name
	}
	return c.names[key]
}

func duplicateOf(h header, other source) string {
	if h.Revision == other.Revision {
		return fmt.Sprintf("is of the same run as %s: %s for the target %s", other.file, h.Repository, h.Target)
	}
	return fmt.Sprintf("is of another commit (%s) than %s (%s): keep one report of %s for the target %s",
		cmp.Or(h.Revision, "unknown"), other.file, cmp.Or(other.Revision, "unknown"), h.Repository, h.Target)
}

// readSince reads the numbers of the earlier sets, and the headers of the last one.
func (c *collector) readSince(ctx context.Context) error {
	for _, dir := range c.Since {
		files, err := reportFiles(c.Dir, []string{dir})
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return fmt.Errorf("%s: %w", dir, ErrNoReports)
		}
		sources, err := c.sources(ctx, files, false)
		if err != nil {
			return err
		}
		if err := c.addPoint(ctx, filepath.Base(dir), sources); err != nil {
			return err
		}
		c.earlier.last = sources
	}
	return nil
}

// addPoint counts the findings of an earlier set, as its summaries count them.
func (c *collector) addPoint(ctx context.Context, name string, sources map[string][]source) error {
	var all []source
	for _, repository := range slices.Sorted(maps.Keys(sources)) {
		all = append(all, sources[repository]...)
	}
	summaries, failures, grants := make([]readSummary, len(all)), make([]error, len(all)), make([]grants, len(all))
	err := parallel.Do(ctx, len(all), func(i int) {
		failures[i] = c.report(all[i].file, visitor{
			summary: func(s *readSummary) { summaries[i] = *s }, run: func(r *finding.Run) { grants[i].day = r.Date }, finding: grants[i].add,
		})
	})
	if err != nil {
		return err
	}
	point := Point{Name: name}
	for i, s := range all {
		if failures[i] != nil {
			c.problem(s.file, "%v", failures[i])
			sources[s.Repository] = slices.DeleteFunc(sources[s.Repository], func(o source) bool { return o.file == s.file })
			if len(sources[s.Repository]) == 0 {
				delete(sources, s.Repository)
			}
			continue
		}
		point.Errors, point.Warnings, point.Notes = point.Errors+summaries[i].Errors, point.Warnings+summaries[i].Warnings, point.Notes+summaries[i].Notes
	}
	point.Repositories = len(sources)
	c.earlier.since = c.earlier.since.then(all, grants, failures)
	c.fleet.Trend = append(c.fleet.Trend, point)
	return nil
}

// batch is how many repositories are read before their rows are written.
const batch = 16

// readAll reads the reports of each repository.
func (c *collector) readAll(ctx context.Context, current map[string][]source) error {
	c.broken = map[string]string{}
	names := slices.Sorted(maps.Keys(current))
	for some := range slices.Chunk(names, batch) {
		read := make([]*repositoryReader, len(some))
		err := parallel.Do(ctx, len(some), func(i int) {
			read[i] = &repositoryReader{collector: c, name: some[i], earlier: c.earlier.last[some[i]]}
			read[i].read(current[some[i]])
		})
		if err != nil {
			return err
		}
		for _, r := range read {
			if err := c.add(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds what was read of one repository.
func (c *collector) add(r *repositoryReader) error {
	if r.err != nil {
		return r.err
	}
	c.fleet.Problems = append(c.fleet.Problems, r.problems...)
	c.fleet.Repositories = append(c.fleet.Repositories, r.found...)
	c.fleet.Admins = append(c.fleet.Admins, r.admins...)
	if len(r.found) == 0 {
		c.broken[r.name] = "its report cannot be read"
	}
	if c.Rows != nil {
		if err := c.Rows(r.rows.Bytes()); err != nil {
			return err
		}
	}
	if c.Results != nil {
		for _, result := range r.results {
			if err := c.Results(result); err != nil {
				return err
			}
		}
	}
	return nil
}

// addMissing adds the expected repositories without a report, and those that had one before.
func (c *collector) addMissing() {
	counted := map[string]bool{}
	for _, r := range c.fleet.Repositories {
		counted[r.Name] = true
	}
	missing := maps.Clone(c.broken)
	for name := range c.earlier.last {
		if c.Expected == nil {
			missing[name] = cmp.Or(missing[name], "it had a report before, and has none now")
		}
	}
	for _, name := range c.Expected {
		missing[name] = cmp.Or(missing[name], "it has no report")
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if !counted[name] {
			c.fleet.Missing = append(c.fleet.Missing, Missing{name, missing[name]})
		}
	}
}

func (c *collector) finish() {
	f := c.fleet
	slices.SortStableFunc(f.Problems, func(a, b Problem) int { return strings.Compare(a.File, b.File) })
	f.Problems = slices.Compact(f.Problems)
	slices.SortStableFunc(f.Admins, func(a, b Admin) int {
		return cmp.Or(
			strings.Compare(a.Subject.Kind, b.Subject.Kind), strings.Compare(a.Subject.Namespace, b.Subject.Namespace),
			strings.Compare(a.Subject.Name, b.Subject.Name), strings.Compare(a.Repository, b.Repository), strings.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
		)
	})
	if len(f.Trend) > 0 {
		t := f.Totals()
		f.Trend = append(f.Trend, Point{"now", t.Repositories, t.Errors, t.Warnings, t.Notes})
	}
}
