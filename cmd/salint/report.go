package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/output/destination"
	"github.com/salint/salint/internal/output/fleet"
	"github.com/salint/salint/rules"
)

func (c *command) reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write one report about many repositories, from their JSON reports",
		ArgsUsage: "FILE|DIR…",
		Description: "Reads JSON reports of salint lint, and all files *.json in folders, and reports on them together: findings by repository, target,\n" +
			"and rule, extensions by release, who is cluster-admin where, and what can be fixed. Reports that cannot be read, and repositories\n" +
			"without one, are named and lead to exit code 2; the others are still counted.",
		Flags: append([]cli.Flag{
			flags.Format("report", fleet.Formats),
			&cli.StringFlag{Name: flags.WorkspaceName, Usage: "`FILE` with the repositories whose reports are expected, and the clusters that they feed"},
			flags.Output(),
			&cli.BoolFlag{Name: "strict", Usage: "exit with 2 also if files were not checked, or are not those of a known commit", DisableDefaultText: true},
			&cli.StringSliceFlag{Name: "since", Usage: "`DIR` with earlier reports: findings are new, open, or gone (repeatable, the oldest first: findings are compared with the last)"},
			&cli.StringFlag{Name: "fail-on", Value: "never", Usage: "minimum `SEVERITY` that causes exit code 1: error, warning, note, never"},
		}, expectFlags()...),
		CustomHelpTemplate: commandhelp.With(reportExitCodes, "salint report reports/", "salint report reports/ --expect repositories.txt --since last-week/ --format html > fleet.html"),
		Action:             c.report,
	}
}

const reportExitCodes = `
EXIT CODES:
   0  no findings at or above --fail-on
   1  findings at or above --fail-on
   2  usage error; or a report is missing, incomplete, partial, stale, or cannot be read: the report is about the others
   130  interrupted by Ctrl-C; 128 and the number of the signal for others
`

func (c *command) report(ctx *cli.Context) error {
	if ctx.NArg() == 0 {
		return fmt.Errorf("salint report needs JSON reports or folders with them, as in salint report reports/")
	}
	failOn, err := settings.ParseFailOn(ctx.String("fail-on"))
	if err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	options := fleet.Options{Dir: c.Dir, Paths: ctx.Args().Slice(), Since: ctx.StringSlice("since"), Verify: ctx.Bool("verify")}
	if err := fleet.Expect(&options, ctx.String("expect"), ctx.String("not-before")); err != nil {
		return err
	}
	if err := fleet.ExpectMembers(&options, ctx.String(flags.WorkspaceName)); err != nil {
		return err
	}
	files, err := c.readReportFiles(ctx)
	if err != nil {
		return err
	}
	writer := fleet.Writer{Version: version}
	if writer.Rules, err = ruleTexts(ctx, append(files, destination.Report{Format: ctx.String("format")})); err != nil {
		return err
	}
	for _, o := range files {
		var text bytes.Buffer
		if _, err := writer.Write(ctx.Context, &text, o.Format, options); err != nil {
			return err
		}
		if err := regular.WriteFile(o.File, text.Bytes()); err != nil {
			return fmt.Errorf("--output %s=%s: %w", o.Format, o.File, err)
		}
	}
	found, err := writer.Write(ctx.Context, c.Stdout, ctx.String("format"), options)
	if err != nil {
		return err
	}
	c.exit = exitOK
	if failOn != finding.Off && found.Worst() >= failOn {
		c.exit = exitFindings
	}
	switch {
	case found.Failed():
		c.exit = exitError
		found.WriteFailures(c.Stderr, ctx.String("format"))
	case ctx.Bool("strict") && found.Doubtful():
		c.exit = exitError
		fmt.Fprintln(c.Stderr, "salint: files were not checked, or are not those of a known commit (--strict): see the states of the repositories")
	}
	return nil
}

// readReportFiles returns the additional reports. A file that could be an input is refused.
func (c *command) readReportFiles(ctx *cli.Context) ([]destination.Report, error) {
	var files []destination.Report
	for _, text := range ctx.StringSlice("output") {
		format, file, ok := strings.Cut(text, "=")
		switch {
		case !ok || file == "":
			return nil, fmt.Errorf("--output %s: expected FORMAT=FILE", text)
		case !slices.Contains(fleet.Formats, format):
			return nil, fmt.Errorf("--output %s: %w", text, noFormat(format, fleet.Formats))
		}
		o := destination.Report{Format: format, File: c.abs(file)}
		if err := destination.Check(c.Dir, o.File); err != nil {
			return nil, fmt.Errorf("--output %s: %w", text, err)
		}
		for _, input := range append(ctx.Args().Slice(), ctx.StringSlice("since")...) {
			if rel, err := filepath.Rel(c.abs(input), o.File); err == nil && filepath.IsLocal(rel) && strings.EqualFold(filepath.Ext(o.File), ".json") {
				return nil, fmt.Errorf("--output %s: %w", text, errors.New("this run reads reports there: name a file elsewhere"))
			}
		}
		if err := c.checkNoInput(ctx, o.File); err != nil {
			return nil, fmt.Errorf("--output %s: %w", text, err)
		}
		files = append(files, o)
	}
	return files, nil
}

// checkNoInput returns an error for a file that git tracks, and for a manifest.
func (c *command) checkNoInput(ctx *cli.Context, file string) error {
	if err := destination.CheckNoManifest(file); err != nil {
		return err
	}
	r, err := repo.Open(c.Dir, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	if r.Tracks(ctx.Context, file) {
		return errors.New("git tracks this file: name another one")
	}
	return nil
}

// ruleTexts returns the texts of the rules if a format contains them.
func ruleTexts(ctx *cli.Context, outputs []destination.Report) ([]finding.RuleInfo, error) {
	if !slices.ContainsFunc(outputs, func(o destination.Report) bool { return o.Format == "sarif" || o.Format == "html" }) {
		return nil, nil
	}
	registry, err := rules.Load(ctx.Context, rules.Options{})
	if err != nil {
		return nil, err
	}
	defer registry.Close()
	return judging.RuleInfos(registry), nil
}
