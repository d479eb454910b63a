package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/judging"
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
		Flags: []cli.Flag{
			formatFlag("report", fleet.Formats),
			outputFlag(),
			&cli.StringFlag{Name: "expect", Usage: "`FILE` with the names of all repositories, one in each line: those without a report are missing"},
			&cli.StringSliceFlag{Name: "since", Usage: "`DIR` with earlier reports: findings are new, open, or gone (repeatable, the oldest first: findings are compared with the last)"},
			&cli.StringFlag{Name: "fail-on", Value: "never", Usage: "minimum `SEVERITY` that causes exit code 1: error, warning, note, never"},
		},
		CustomHelpTemplate: helpWith(reportExitCodes, "salint report reports/", "salint report reports/ --expect repositories.txt --since last-week/ --format html > fleet.html"),
		Action:             c.report,
	}
}

const reportExitCodes = `
EXIT CODES:
   0  no findings at or above --fail-on
   1  findings at or above --fail-on
   2  usage error; or a report is missing, incomplete, or cannot be read: the report is about the others
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
	options := fleet.Options{Dir: c.Dir, Paths: ctx.Args().Slice(), Since: ctx.StringSlice("since")}
	if options.Expected, err = c.expected(ctx.String("expect")); err != nil {
		return err
	}
	files, err := c.readReportFiles(ctx)
	if err != nil {
		return err
	}
	writer := fleet.Writer{Version: version}
	if writer.Rules, err = ruleTexts(ctx, append(files, output{format: ctx.String("format")})); err != nil {
		return err
	}
	for _, o := range files {
		var text bytes.Buffer
		if _, err := writer.Write(ctx.Context, &text, o.format, options); err != nil {
			return err
		}
		if err := regular.WriteFile(o.file, text.Bytes()); err != nil {
			return fmt.Errorf("--output %s=%s: %w", o.format, o.file, err)
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
	if found.Failed() {
		c.exit = exitError
		c.printFailures(found, ctx.String("format"))
	}
	return nil
}

// printFailures prints why the report is not about all repositories to standard error. A format with one row for each finding has no
// place for the details.
func (c *command) printFailures(f *fleet.Fleet, format string) {
	t := f.Totals()
	fmt.Fprintf(c.Stderr, "salint: the report is not about all repositories: reports that are not counted: %d, missing repositories: %d, repositories that failed in part: %d\n",
		len(f.Problems), t.Missing, t.Failed)
	if !slices.Contains([]string{"csv", "ndjson", "sarif"}, format) {
		return
	}
	for _, p := range f.Problems {
		fmt.Fprintf(c.Stderr, "salint: %s %s\n", safetext.Text(p.File), safetext.Text(p.Text))
	}
	for _, m := range f.Missing {
		fmt.Fprintf(c.Stderr, "salint: missing: %s: %s\n", safetext.Text(m.Name), m.Why)
	}
	for _, r := range f.Repositories {
		if r.Incomplete {
			fmt.Fprintf(c.Stderr, "salint: %s: a part of the run failed (%s)\n", safetext.Text(r.Name), safetext.Text(r.File))
		}
	}
}

// maxExpected is the size of the largest list of repositories.
const maxExpected = 16 << 20

// expected reads the names of repositories, one in each line; empty lines and those that begin with # are ignored. Without a file it
// returns nil. The error has the line.
func (c *command) expected(file string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	data, err := regular.ReadFile(c.abs(file), maxExpected)
	if err != nil {
		return nil, fmt.Errorf("--expect %s: %w", file, err)
	}
	names := []string{}
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name := repositoryName(line)
		if name == "" {
			return nil, fmt.Errorf("--expect %s:%d: %q is neither the name nor the address of a repository", file, i+1, line)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("--expect %s: the file names no repository", file)
	}
	return names, nil
}

// readReportFiles returns the additional reports. A file that could be an input is refused.
func (c *command) readReportFiles(ctx *cli.Context) ([]output, error) {
	var files []output
	for _, text := range ctx.StringSlice("output") {
		format, file, ok := strings.Cut(text, "=")
		switch {
		case !ok || file == "":
			return nil, fmt.Errorf("--output %s: expected FORMAT=FILE", text)
		case !slices.Contains(fleet.Formats, format):
			return nil, fmt.Errorf("--output %s: %w", text, noFormat(format, fleet.Formats))
		}
		o := output{format: format, file: c.abs(file)}
		if err := c.checkDestination(o.file); err != nil {
			return nil, fmt.Errorf("--output %s: %w", text, err)
		}
		for _, input := range append(ctx.Args().Slice(), ctx.StringSlice("since")...) {
			if rel, err := filepath.Rel(c.abs(input), o.file); err == nil && filepath.IsLocal(rel) && strings.EqualFold(filepath.Ext(o.file), ".json") {
				return nil, fmt.Errorf("--output %s: %w", text, errors.New("this run reads reports there: name a file elsewhere"))
			}
		}
		if err := c.checkNoInput(ctx, o.file); err != nil {
			return nil, fmt.Errorf("--output %s: %w", text, err)
		}
		files = append(files, o)
	}
	return files, nil
}

// checkNoInput returns an error for a file that git tracks, and for a manifest.
func (c *command) checkNoInput(ctx *cli.Context, file string) error {
	if isManifest(file) {
		return errors.New("the file is a manifest: name another one")
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
func ruleTexts(ctx *cli.Context, outputs []output) ([]finding.RuleInfo, error) {
	if !slices.ContainsFunc(outputs, func(o output) bool { return o.format == "sarif" || o.format == "html" }) {
		return nil, nil
	}
	registry, err := rules.Load(ctx.Context, rules.Options{})
	if err != nil {
		return nil, err
	}
	defer registry.Close()
	return judging.RuleInfos(registry), nil
}
