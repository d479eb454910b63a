package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/worktree"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/lint/since"
	"github.com/salint/salint/internal/output/destination"
	"github.com/salint/salint/internal/output/remarks"
	"github.com/salint/salint/internal/output/report"
	"github.com/salint/salint/internal/output/terminal"
	"github.com/salint/salint/internal/render/reuse/disk"
)

func (c *command) lintCommand() *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "lint manifests, and fix them with --fix",
		ArgsUsage: "[PATH…]",
		Description: "Lints files and folders (default: the current folder); - is standard input. The whole repository is read as context,\n" +
			"but findings are only reported for the paths. Without --target, the release is detected per deployment unit; where it is unknown,\n" +
			"only what is wrong on every shipped release is reported (see salint targets).",
		Flags:              flags.Lint(),
		CustomHelpTemplate: commandhelp.With(lintExitCodes, "salint lint --target ocp-4.21-proposed --format sarif --output text=report.txt", "salint lint --fix --prune --target olm-1.11 clusters/"),
		Action: func(ctx *cli.Context) error {
			l, err := c.newLinter(ctx)
			if err != nil {
				return err
			}
			return l.run(ctx.Context)
		},
	}
}

// linter is one run of salint lint, with its parsed flags.
type linter struct {
	*command
	ctx   *cli.Context
	at    *workspace.Workspace
	paths []string
	stdin bool
	// configBase are the files of the revision of --config-from; nil without it.
	configBase fs.FS
	options    session.Options
	failOn     finding.Severity
	// listed is the minimum severity of the findings in reports, and group is how the text format orders them.
	listed  finding.Severity
	group   report.Grouping
	outputs []destination.Report
	origin  finding.Provenance
	// record is how the reports are made.
	record finding.Run
	line   *terminal.ProgressLine
	color  terminal.When
	notes  []string // about earlier runs
	store  *disk.Store
	// setTarget is set if the commands of notes need --set-target, because --target contradicts the configuration.
	setTarget bool
}

func (c *command) newLinter(ctx *cli.Context) (*linter, error) {
	if ctx.Bool("version") {
		return &linter{command: c, ctx: ctx}, nil
	}
	l := &linter{command: c, ctx: ctx, at: c.workspaceOf(ctx, nil), paths: ctx.Args().Slice()}
	l.stdin = slices.Equal(l.paths, []string{"-"})
	l.guard.SetFixing(ctx.Bool("fix") && !l.stdin)
	for _, step := range []func() error{
		l.checkFlags, l.readOutputs, l.openTree, l.readOrigin, l.readSettings, l.readInventory, l.readOptions, l.checkReportFiles, l.readTerminal,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *linter) fixes() bool { return l.ctx.Bool("fix") || l.ctx.Bool("diff") }

func (l *linter) openTree() error {
	if l.stdin {
		data, err := io.ReadAll(io.LimitReader(l.Stdin, worktree.DefaultMaxFileSize+1))
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		if len(data) > worktree.DefaultMaxFileSize {
			return fmt.Errorf("standard input is larger than %d MiB", worktree.DefaultMaxFileSize>>20)
		}
		l.options.Tree = reading.Stdin(data)
		return nil
	}
	if err := l.openRepository(l.ctx, l.at, l.paths); err != nil {
		return err
	}
	l.options.Tree = loader.FromRepo(l.at.Repo)
	if l.opened != nil {
		l.opened(l.at.Repo)
	}
	if l.at.Repo.IsWorkspace() {
		l.options.Workspace = l.ctx.String(flags.WorkspaceName)
		return nil // nothing is written in several repositories
	}
	return l.recover()
}

// readSettings reads the configuration: with --config-from, it, its policies, and its baseline as they are at that revision.
func (l *linter) readSettings() (err error) {
	if l.at.Repo != nil {
		l.options.OpenPolicies = l.at.Repo.OpenNamed
	}
	rev := l.ctx.String("config-from")
	if rev == "" {
		err = l.readConfig(l.ctx, l.at)
	} else {
		err = l.readConfigFrom(rev)
	}
	if err != nil {
		return err
	}
	l.useConfig(rev)
	return nil
}

func (l *linter) readConfigFrom(rev string) error {
	given, err := givenLimits(l.ctx)
	if err != nil {
		return err
	}
	if _, err := configOf(l.ctx); err != nil {
		return err
	}
	if l.at.Config, l.configBase, err = l.at.ConfigFrom(l.ctx.Context, rev, given); err != nil {
		return err
	}
	l.warn(l.at.Remarks())
	l.limitRun(l.at.Config)
	l.options.OpenPolicies = l.at.OpenPoliciesAt(l.configBase)
	return nil
}

// useConfig sets the options that follow from the configuration; from is the revision from which it was read, or "".
func (l *linter) useConfig(from string) {
	l.options.Config = l.at.Config
	if l.at.Repo != nil && from == "" && l.at.Config.Path != "" {
		if file := l.at.ConfigFile(l.at.Config); filepath.IsLocal(filepath.FromSlash(file)) {
			l.options.ConfigFile = file
		}
	}
	if l.at.Repo != nil && !l.at.Config.Vendored {
		l.options.Vendored = l.at.Repo.Vendored
	}
	l.options.Policies = append(l.options.Policies, l.at.PolicyFolders()...)
	l.options.PlatformPolicies = l.at.PlatformFolders()
}

func (l *linter) readOptions() (err error) {
	o := &l.options
	o.PolicyCache, o.Observe = l.PolicyCache, l.ctx.Bool("verbose")
	o.Target = l.ctx.String("target")
	o.Enable, o.Disable = l.ctx.StringSlice("enable"), l.ctx.StringSlice("disable")
	for _, dir := range l.ctx.StringSlice("policy") {
		o.Policies = append(o.Policies, l.abs(dir))
	}
	how := l.at.Config.Grant
	if flag := l.ctx.String("grant"); flag != "" {
		how = flag
	}
	if o.Fixes.Grant, err = engine.ParseGrant(how); err != nil {
		return err
	}
	o.Charts = l.at.Charts()
	o.Fixes.Prove = l.fixes() || l.formats("sarif")
	o.Fixes.Apply, o.Fixes.Preview = l.fixes(), l.ctx.Bool("diff")
	o.Only = l.ctx.StringSlice("only")
	if err := l.readShown(); err != nil {
		return err
	}
	o.Describe = l.formats("sarif") || l.formats("github") || l.drawsGraph() || l.ctx.Bool("verbose") || l.group == report.ByRule
	o.Fixes.Unsafe, o.Fixes.Prune = l.ctx.Bool("unsafe-fixes"), l.ctx.Bool("prune") || l.ctx.Bool("prune-only")
	o.Fixes.PruneOnly = l.ctx.Bool("prune-only")
	o.SetTarget, l.setTarget = l.ctx.Bool("set-target"), l.ctx.Bool("set-target")
	o.OnConflict = func() { l.setTarget = true }
	o.Fixes.Shared, o.Fixes.SharedCommand = l.ctx.Bool("shared"), l.sharedCommand
	if l.fixes() && l.at.Repo != nil {
		o.Fixes.Commit = shortCommit(l.at.Repo.Git.Head())
	}
	if o.Fixes.PruneCommand = l.pruneCommand; o.Fixes.Prune && l.at.Repo != nil {
		o.Applied = since.AppliedState(l.at)
	}
	if l.failOn, err = failOnOf(l.ctx, l.at.Config); err != nil {
		return err
	}
	return errors.Join(l.readNow(), l.readChanged(), l.readBaseline(), l.readBundles())
}

// formats returns whether one of the requested reports has a format.
func (l *linter) formats(name string) bool {
	return l.ctx.String("format") == name || slices.ContainsFunc(l.outputs, func(o destination.Report) bool { return o.Format == name })
}

func (l *linter) readNow() (err error) {
	l.options.Now, err = l.parseNow(l.ctx.String("now"))
	return err
}

func (l *linter) readTerminal() (err error) {
	if l.color, err = terminal.ParseWhen("color", l.ctx.String("color")); err != nil {
		return err
	}
	return l.readProgress()
}

// readProgress shows the progress, if that is requested.
func (l *linter) readProgress() error {
	when, err := terminal.ParseWhen("progress", l.ctx.String("progress"))
	if err == nil && !l.ctx.Bool("quiet") && terminal.Look(l.Stderr).Progress(when) {
		l.line = terminal.NewProgressLine(l.Stderr)
		l.options.Progress = l.line
	}
	return err
}

func (l *linter) run(ctx context.Context) error {
	if l.ctx.Bool("version") {
		return l.printVersion()
	}
	closeStore, err := l.openStore(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	out, err := session.Run(ctx, l.options)
	l.line.Clear()
	if err != nil {
		return err
	}
	shown, err := l.views(ctx, out)
	if err != nil {
		return err
	}
	if err := l.apply(out); err != nil {
		return err
	}
	if err := l.tell(out, shown); err != nil {
		return l.afterWriting(ctx, out, err)
	}
	if l.ctx.Bool("verbose") {
		for _, stack := range out.Stacks {
			fmt.Fprintln(l.Stderr, stack)
		}
	}
	if l.ctx.Bool("stats") {
		fmt.Fprint(l.Stderr, remarks.Stats(out.Stats), l.storeText())
	}
	return errors.Join(out.Faults...)
}

// afterWriting adds to an error that the fixes were written.
func (l *linter) afterWriting(ctx context.Context, out *session.Outcome, err error) error {
	if !l.ctx.Bool("fix") || l.stdin || len(out.Writes) == 0 {
		return err
	}
	return fmt.Errorf("%w; the fixes were written", ended(ctx, err))
}

// tell writes the reports and the baseline.
func (l *linter) tell(out *session.Outcome, shown views) error {
	if err := l.report(out, shown); err != nil {
		return err
	}
	return l.writeBaseline(out)
}

// apply writes the fixes to the files, or prints them.
func (l *linter) apply(out *session.Outcome) error {
	switch {
	case l.ctx.Bool("diff"):
		return l.printDiff(out)
	case l.ctx.Bool("fix") && l.stdin:
		return l.printFixed(out.Writes)
	case l.ctx.Bool("fix"):
		return l.writeFixes(out)
	}
	return nil
}

// result returns the data of the reports.
func (l *linter) result(out *session.Outcome) *finding.Result {
	r := &finding.Result{
		Version: version, Target: out.Target, Extensions: out.Extensions, Origin: l.origin, Findings: out.Findings, Summary: out.Summary, Reported: out.Reported, Unread: out.Unread, Elsewhere: out.Elsewhere, Rules: out.Rules,
		Root: l.Dir, WorkDir: l.Dir, FixCommand: l.fixCommand(), Source: out.Source, Permissions: out.Permissions,
		Fixing: l.ctx.Bool("fix"), Preview: l.ctx.Bool("diff"), ChangedSince: l.ctx.String("changed-since"), Notes: out.Notes, ChangedUnits: out.ChangedUnits,
		Incomplete: out.Incomplete, Run: l.recordRun(out), Inventory: out.Inventory,
	}
	if l.ctx.Bool("show-suppressed") {
		r.Suppressed = out.Suppressed
	}
	r.LeaveOut(l.listed)
	if !l.ctx.Bool("verbose") {
		shown := finding.Limited(r.Findings, mostNotes)
		r.Summary.Notes -= len(r.Findings) - len(shown)
		r.Findings = shown
	}
	r.Failure, l.exit = l.verdict(out, r.Coverage())
	if r.Fixing && len(out.Faults) == 0 {
		l.setTarget = false // this run has set it
	}
	if r.Command = r.FixCommand; r.Preview {
		r.Command = ""
	} else if r.Fixing {
		r.Command, r.PruneCommand = l.remainingCommand(""), l.remainingCommand(l.leftBehind(out))
	}
	for _, w := range out.Writes {
		r.Changes = append(r.Changes, finding.Change{File: w.Path, Before: w.Before, After: w.After})
	}
	slices.SortFunc(r.Changes, func(a, b finding.Change) int { return strings.Compare(a.File, b.File) })
	if l.at.Repo != nil {
		r.Root, r.WorkDir = l.at.Repo.Root, l.at.Repo.WorkDir
	}
	return r
}

// verdict returns the exit code, and why it is another than 0 in words.
func (l *linter) verdict(out *session.Outcome, covered finding.Coverage) (failure string, exit int) {
	if l.ctx.Bool("strict") && !covered.Complete() {
		return "Failed: " + strings.TrimSuffix(cmp.Or(covered.Gap(), "some checks did not run"), ".") + " (--strict).", exitError
	}
	if failure := l.failure(out); failure != "" {
		return failure, exitFindings
	}
	return "", exitOK
}

// mostNotes is how many notes a report lists one by one without --verbose.
const mostNotes = 60

// failure returns why the exit code is 1, or "" if it is 0.
func (l *linter) failure(out *session.Outcome) string {
	if l.ctx.Bool("diff") && len(out.Writes) > 0 {
		return "Failed: --diff shows changes."
	}
	if l.failOn == finding.Off {
		return ""
	}
	var counts []string
	for severity := finding.Error; severity >= l.failOn; severity-- {
		n := 0
		for _, f := range finding.Gathered(out.Findings) {
			if f.Severity == severity && !f.Fixed() && (l.ctx.String("write-baseline") == "" || f.Rule == finding.RuleFailed.Name) {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, words.Count(n, severity.String()))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	return fmt.Sprintf("Failed: %s (--fail-on %s).", strings.Join(counts, " and "), l.failOn)
}
