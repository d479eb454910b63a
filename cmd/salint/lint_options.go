package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/flags"
	askviews "github.com/salint/salint/internal/ask/views"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/runrecord"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/lint/since"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/output/destination"
	"github.com/salint/salint/internal/output/picture"
	"github.com/salint/salint/internal/output/report"
)

// readOutputs reads --format and --output.
func (l *linter) readOutputs() (err error) {
	format := l.ctx.String("format")
	// In other linters, -o is --output.
	if name, file, found := strings.Cut(format, "="); found && report.Check(name) == nil {
		return fmt.Errorf("--format (-o) %s: to write a report to a file, use --output %s=%s", format, name, file)
	}
	if err := report.Check(format); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	l.outputs, err = destination.ParseReports(l.Dir, l.ctx.StringSlice("output"), report.Check)
	return err
}

// checkReportFiles returns an error before the run if a report or a baseline would overwrite an input. A baseline can be tracked.
func (l *linter) checkReportFiles() error {
	inputs := configFiles(l.ctx, l.at)
	if name, _ := l.baseline(); name != "" {
		inputs = append(inputs, l.abs(name))
	}
	if err := destination.CheckReports(l.ctx.Context, l.at.Repo, l.outputs, inputs); err != nil {
		return err
	}
	if file := l.ctx.String("write-baseline"); file != "" {
		if err := destination.CheckNoInput(l.abs(file), configFiles(l.ctx, l.at)); err != nil {
			return fmt.Errorf("--write-baseline %s: %w", file, err)
		}
	}
	return nil
}

// configFiles returns the files that can be the configuration of a run.
func configFiles(ctx *cli.Context, w *workspace.Workspace) []string {
	files := []string{w.Abs(settings.FileName)}
	if name := ctx.String("config"); name != "" {
		files = append(files, w.Abs(name))
	}
	if w.Config != nil {
		files = append(files, w.NarrowingFiles()...)
	}
	return files
}

// readOrigin reads which repository and revision the reports name: those of the flags, otherwise those of git if a report names them.
func (l *linter) readOrigin() error {
	name, revision := l.ctx.String("repository"), l.ctx.String("revision")
	l.origin = finding.Provenance{Repository: git.NameOf(name), Revision: revision, Named: name != ""}
	if name != "" && l.origin.Repository == "" {
		return errors.New("--repository: expected a name such as example.org/group/project, or an address such as https://example.org/group/project.git")
	}
	if strings.ContainsFunc(revision, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '/' }) {
		return errors.New("--revision: expected the ID of a commit, without spaces and slashes")
	}
	if l.at.Repo == nil {
		return nil
	}
	if !l.recordsRun() {
		l.record.LeftOut = l.at.Repo.LeftOut()
		return nil
	}
	l.record.Repositories = runrecord.Repositories(l.ctx.Context, l.at)
	l.record.WorkTree = runrecord.WorkTree(l.ctx.Context, l.at.Repo)
	if l.origin.Repository == "" {
		l.origin.Repository = l.at.Repo.Git.Origin()
	}
	if revision == "" {
		l.origin.Revision = l.at.Repo.Git.Head()
	}
	return nil
}

// readInventory reads what a JSON report holds for a report on many repositories.
func (l *linter) readInventory() error {
	if l.ctx.Bool("chains") && !l.formats("json") {
		return errors.New("--chains requires the format json: for an answer in text, use salint who-can --become cluster-admin")
	}
	if l.formats("json") {
		l.options.Inventory, l.options.Kinds = true, judging.InventoryKinds()
	}
	return nil
}

// recordsRun reports whether a requested report has the whole record of how it was made.
func (l *linter) recordsRun() bool {
	return slices.ContainsFunc([]string{"json", "sarif", "html", "markdown", "junit", "github"}, l.formats)
}

// recordRun returns how the report is made. Without a report that has the whole record, it has only what limits the run.
func (l *linter) recordRun(out *session.Outcome) *finding.Run {
	r := l.record
	r.Only, r.ChangedSince, r.Paths = l.options.Only, l.ctx.String("changed-since"), l.paths
	if name, _ := l.baseline(); name != "" && l.at.Repo != nil {
		r.Baseline = l.at.PathInRepository(name)
	}
	runrecord.AddOutcome(&r, l.at, out)
	if !l.recordsRun() {
		return &r
	}
	r.Date, r.Commit = l.options.Now.UTC().Format(time.DateOnly), runrecord.Commit()
	r.Settings, r.Platform = runrecord.Settings(l.at, l.configBase), runrecord.Platform(l.at, l.configBase)
	r.Policies = runrecord.Policies(l.options.Policies, l.options.OpenPolicies)
	return &r
}

// readShown reads the flags that decide which findings reports list, and how.
func (l *linter) readShown() error {
	l.group = report.Grouping(l.ctx.String("group"))
	if !slices.Contains(report.Groupings(), string(l.group)) {
		return fmt.Errorf("--group %q: use %s", l.group, strings.Join(report.Groupings(), ", "))
	}
	if l.ctx.IsSet("group") && l.ctx.Bool("statistics") {
		return errors.New("--group and --statistics cannot be used together")
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

// foldsNotes reports whether notes are counted instead of listed: nothing asks for them, and they do not decide the exit code.
func (l *linter) foldsNotes() bool {
	return !l.ctx.Bool("verbose") && l.ctx.String("min-severity") == "" && len(l.ctx.StringSlice("only"))+len(l.ctx.StringSlice("enable")) == 0 && l.failOn != finding.Note
}

// makes reports whether the flags permit fixes of a kind.
func (l *linter) makes(kind finding.FixKind) bool {
	switch kind {
	case finding.Unsafe:
		return l.options.Fixes.Unsafe
	case finding.Prune:
		return l.options.Fixes.Prune
	}
	return !l.options.Fixes.PruneOnly
}

// readBundles sets the bundles of the configuration and of the command line, which takes precedence.
func (l *linter) readBundles() (err error) {
	if l.at.Repo != nil {
		l.options.Bundles, err = bundles.New(l.at, l.ctx.StringSlice("bundle"), l.ctx.String("changed-since"))
	}
	return err
}

// readChanged reads what differs from the revision of --changed-since, or of --settings-since, which does not limit the findings.
func (l *linter) readChanged() error {
	rev := cmp.Or(l.ctx.String("changed-since"), l.ctx.String("settings-since"))
	if rev == "" {
		return nil
	}
	baseline, _ := l.baseline()
	config := l.ctx.String("config")
	files := since.Files{Baseline: l.at.PathInRepository(baseline), Config: l.at.PathInRepository(config), HasConfig: config != "" && !l.ctx.Bool(flags.MergeName)}
	for _, file := range l.at.NarrowingFiles() {
		files.Narrowing = append(files.Narrowing, l.at.PathInRepository(file))
	}
	for _, dir := range l.options.Policies {
		files.Policies = append(files.Policies, l.at.PathInRepository(dir))
	}
	l.options.Revision.ConfigFrom = l.ctx.String("config-from")
	return since.SetOptions(l.ctx.Context, &l.options, l.at, rev, files, l.ctx.String("changed-since") != "")
}

// views are what reports show beside the findings; nil if no report shows it.
type views struct {
	graph  *picture.Graph
	chains *report.Chains
}

// views returns them. It must be called before files are written.
func (l *linter) views(ctx context.Context, out *session.Outcome) (v views, err error) {
	if !l.drawsGraph() && !l.ctx.Bool("chains") {
		return v, nil
	}
	if l.at.Requested, err = loader.ReadRequestedTargets(l.options.Target, l.at.Config); err != nil {
		return v, err
	}
	source := askviews.Source{Workspace: l.at, Tree: l.options.Tree, Writes: out.Writes}
	if l.drawsGraph() {
		if v.graph, err = source.Graph(ctx); err != nil || !l.formats("html") && !l.ctx.Bool("chains") {
			return v, err
		}
	}
	v.chains, err = source.Chains(ctx)
	return v, err
}

// drawsGraph returns whether a requested report contains a graph; those in HTML also have chains.
func (l *linter) drawsGraph() bool { return l.formats("html") || l.formats("markdown") }
