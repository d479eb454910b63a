package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/output/fleet"
	"github.com/salint/salint/internal/output/fleetplan"
)

// planReports plans for the repositories of JSON reports.
func (c *command) planReports(ctx *cli.Context) error {
	format := ctx.String("format")
	if !slices.Contains(fleetplan.Formats, format) {
		return noFormat(format, fleetplan.Formats)
	}
	if ctx.NArg() > 0 {
		return errors.New("--reports and paths cannot be used together: the reports say what was read")
	}
	options := fleet.Options{Dir: c.Dir, Paths: ctx.StringSlice("reports"), Verify: ctx.Bool("verify")}
	if err := fleet.Expect(&options, ctx.String("expect"), ctx.String("not-before")); err != nil {
		return err
	}
	if err := fleet.ExpectMembers(&options, ctx.String(flags.WorkspaceName)); err != nil {
		return err
	}
	found, err := fleet.Collect(ctx.Context, options)
	if err != nil {
		return err
	}
	if err := fleetplan.Write(c.Stdout, fleetplan.Of(found), format, version); err != nil {
		return err
	}
	if c.exit = exitOK; found.Failed() {
		c.exit = exitError
		found.WriteFailures(c.Stderr, format)
	}
	return nil
}

// expectFlags returns the flags that say which reports are expected.
func expectFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "expect", Usage: "`FILE` with the names of all repositories, one in each line, each with the expected commit if it is known: those without a report are missing, those with another commit are stale"},
		&cli.BoolFlag{Name: "verify", Usage: "require that each report has its checksum, and compare with the hashes of the file SHA256SUMS (report --format manifest) in each folder", DisableDefaultText: true},
		&cli.StringFlag{Name: "not-before", Usage: "`DAY` such as 2026-01-31: reports of earlier runs are stale"},
	}
}
