package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/ask/plan"
	"github.com/salint/salint/internal/ask/plan/formats"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
	"github.com/salint/salint/internal/needs/catalogs"
	"github.com/salint/salint/internal/output/terminal"
)

const planDescription = "Evaluates each ClusterExtension, as applied, on its own release and the next one with the rules of salint lint: works,\n" +
	"warns, or breaks, with the reason. Then lists the steps of the upgrade in order. If the release is unknown, the two are the\n" +
	"last release that requires the field and the first one that ignores it. --targets, --from, and --to choose others. With\n" +
	"--all-targets, the plan has all releases, upgrades, and downgrades, the background of the steps, patches for live objects,\n" +
	"and corrections to the proposals for OpenShift. JSON always has all of it. No files are changed.\n" +
	"With --reports, the plan is for the repositories of JSON reports of salint lint: which extensions can move now, which need their\n" +
	"cluster first, and who can become cluster-admin. A report that is missing or not complete leads to exit code 2."

const planExitCodes = `
EXIT CODES:
   0  no extension breaks on a target of --to or --targets, or neither is given
   1  an extension breaks on such a target
   2  usage error, unreadable input, or internal error
`

func (c *command) planCommand() *cli.Command {
	return &cli.Command{
		Name:        "plan",
		Usage:       "show how each extension behaves on each release, and plan upgrades and downgrades",
		ArgsUsage:   "[PATH…]",
		Description: planDescription,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "all-targets", Usage: "show all releases, upgrades, and downgrades (or those that are chosen), with the background of each step"},
			flags.APIVersions(), flags.Members(),
			&cli.StringSliceFlag{Name: "bundle", Usage: "bundle of an extension as `EXTENSION=DIR`, like bundles: in .salint.yaml (repeatable)"},
			&cli.StringSliceFlag{Name: "catalog", Usage: "`DIR` or file of a catalog, from which OLM installs (repeatable; NAME=DIR names its ClusterCatalog, PRIORITY=DIR sets its priority)"},
			flags.Progress(),
			&cli.StringFlag{Name: "from", Usage: "`TARGET` at which transitions begin (default: the detected one)"},
			&cli.StringSliceFlag{Name: "targets", Usage: "`TARGET` to show instead of the own release and the next one, or with a plus (+olm-1.9) in addition to those of --all-targets (comma-separated or repeatable)"},
			&cli.StringFlag{Name: "to", Usage: "`TARGET` at which transitions end (default: the next release)"},
			&cli.StringSliceFlag{Name: "reports", Usage: "JSON report or `DIR` with those of many repositories: plan for all of them, in waves (repeatable)"},
		}, slices.Concat(expectFlags(), flags.Scene(append(slices.Clone(formats.Names), "csv")))...),
		CustomHelpTemplate: commandhelp.With(planExitCodes, "salint plan clusters/prod", "salint plan --to olm-1.11", "salint plan --reports reports/ --format csv"),
		Action:             c.plan,
	}
}

func (c *command) plan(ctx *cli.Context) error {
	if ctx.IsSet("reports") {
		return c.planReports(ctx)
	}
	for _, flag := range []string{"expect", "not-before", "verify"} {
		if ctx.IsSet(flag) {
			return fmt.Errorf("--%s is about the reports of --reports, which is missing", flag)
		}
	}
	format := ctx.String("format")
	switch {
	case format == "csv":
		return errors.New("--format csv is about the reports of --reports, which is missing")
	case !slices.Contains(formats.Names, format):
		return noFormat(format, formats.Names)
	}
	if slices.Contains(ctx.Args().Slice(), "-") {
		return errStdin
	}
	l := &linter{command: c, ctx: ctx, at: c.workspaceOf(ctx, nil), paths: ctx.Args().Slice()}
	options := l.planOptions()
	if _, err := options.Targets(); err != nil {
		return err
	}
	for _, step := range []func() error{l.openTree, l.readSettings, l.readBundles, l.readGrant, l.readProgress} {
		if err := step(); err != nil {
			return err
		}
	}
	if ctx.IsSet("catalog") {
		l.options.Kinds = []string{catalogs.Kind}
	}
	options.Bundles = l.options.Bundles.Flags()
	options.Commit, options.Repository = shortCommit(l.at.Repo.Git.Head()), l.at.Repo.Name()
	l.options.Charts, l.options.Now = l.at.Charts(), c.Now()
	survey, err := session.TakeSurvey(ctx.Context, l.options, options.Choose)
	l.line.Clear()
	if err != nil {
		return err
	}
	for _, target := range survey.Targets {
		if note := target.AssumptionNote(); note != "" {
			c.warn([]string{note})
		}
	}
	made := plan.Build(survey, options)
	if err = l.planCatalogs(survey, made); err != nil {
		return err
	}
	warning, err := made.CheckStart(options)
	if err != nil {
		return err
	}
	if warning != "" {
		c.warn([]string{warning})
	}
	if err := formats.Write(c.Stdout, made, format, terminal.Look(c.Stdout).Width); err != nil {
		return err
	}
	if made.Breaks() || made.IsUnknown() {
		c.exit = exitFindings
	}
	return nil
}

// planCatalogs adds to a plan which bundles OLM installs for extensions from the catalogs of the command line.
func (l *linter) planCatalogs(survey *session.Survey, made *plan.Plan) error {
	var packages []string
	for _, e := range survey.Extensions {
		if e.Package != "" && !slices.Contains(packages, e.Package) {
			packages = append(packages, e.Package)
		}
	}
	known, err := catalogs.ReadNamed(l.at.Abs, l.ctx.StringSlice("catalog"), packages)
	if err != nil {
		return err
	}
	for _, e := range survey.Extensions {
		served := catalogs.ServedBy(e.Unit, survey.Units)
		made.AddCatalog(plan.Remark{File: l.at.Rel(e.File), Line: e.Line}, e.Unit, func(target olm.Target) (string, plan.Status) {
			text, outcome := catalogs.OfExtension(known[e.Package], e.Extension, served, bundlesupport.Of(target, e.Today.Signals))
			return text, statusOf(outcome)
		})
	}
	return nil
}

// statusOf returns the best status of an extension with what OLM installs from catalogs.
func statusOf(outcome catalogs.Outcome) plan.Status {
	switch outcome {
	case catalogs.Nothing:
		return plan.Breaks
	case catalogs.Unknown, catalogs.Elsewhere:
		return plan.Warns
	}
	return plan.Works
}

// shortCommit returns a commit for a command that a person runs soon in the same repository.
func shortCommit(commit string) string { return commit[:min(len(commit), lenCommit)] }

const lenCommit = 12

// planOptions returns the options of the command line. The commands in the plan read the repository with the same flags.
func (l *linter) planOptions() plan.Options {
	o := plan.Options{
		Version: version, Columns: separated(l.ctx.StringSlice("targets")), From: l.ctx.String("from"), To: l.ctx.String("to"), Paths: l.paths,
		AllTargets: l.ctx.Bool("all-targets") || l.ctx.String("format") == "json",
		Rel:        func(file string) string { return l.at.Rel(file) },
	}
	for _, name := range []string{"config", flags.APIVersionsName} {
		if value := l.ctx.String(name); value != "" {
			o.Flags = append(o.Flags, "--"+name, value)
		}
	}
	if l.ctx.Bool(flags.MergeName) {
		o.Flags = append(o.Flags, "--"+flags.MergeName)
	}
	for _, limit := range l.ctx.StringSlice(flags.LimitsName) {
		o.Flags = append(o.Flags, "--"+flags.LimitsName, limit)
	}
	return o
}

// readGrant sets what fixes grant, from the configuration, and which units they change.
func (l *linter) readGrant() (err error) {
	l.options.Fixes.Shared = true // the commands of a plan have the flag where they need it
	l.options.Fixes.Grant, err = engine.ParseGrant(l.at.Config.Grant)
	return err
}

// separated splits names at commas.
func separated(values []string) []string {
	var names []string
	for _, value := range values {
		for _, name := range strings.Split(value, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
