package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/ask/change/formats"
	"github.com/salint/salint/internal/ask/states"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/members"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/output/destination"
)

// diffFormats are the formats of diff.
var diffFormats = []string{"text", "markdown", "json", "html", "sarif", "github"}

const diffDescription = "Compares effective permissions between a revision and the working tree: which identity can do more, through which binding\n" +
	"and role, the most dangerous changes first. Without REV, the commit at which the branch left the default branch is\n" +
	"compared. Both states are read through git, with their overlays and charts. Moving files changes nothing."

const diffExitCodes = `
EXIT CODES:
   0  nothing at or above --fail-on
   1  new power, a weaker admission policy, or something that can no longer be read, at or above --fail-on
   2  usage error, unreadable input, or internal error; with --strict also if not everything could be read
`

func (c *command) diffCommand() *cli.Command {
	return &cli.Command{
		Name:        "diff",
		Usage:       "show which identities can do more than in a revision",
		ArgsUsage:   "[REV] [PATH…]",
		Description: diffDescription,
		Flags: append([]cli.Flag{
			flags.APIVersions(), flags.Members(),
			&cli.StringFlag{Name: "fail-on", Usage: "minimum `SEVERITY` that causes exit code 1: error, warning, note, never (default: warning)"},
			&cli.BoolFlag{Name: "strict", Usage: "exit with 2 if not everything could be read", DisableDefaultText: true},
			&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model, or a release `NAME`; determines which identity OLM uses"},
			&cli.StringFlag{Name: "config-from", Usage: "read .salint.yaml as it was at `REV` for both states"},
			flags.Output(),
		}, flags.Scene(diffFormats)...),
		CustomHelpTemplate: commandhelp.With(diffExitCodes, "salint diff", "salint diff origin/main clusters/prod --format markdown"),
		Action:             c.diff,
	}
}

func (c *command) diff(ctx *cli.Context) error {
	format := ctx.String("format")
	if err := checkDiffFormat(format); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	if slices.Contains(ctx.Args().Slice(), "-") {
		return errStdin
	}
	s, err := c.openStates(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	failOn, err := failOnOf(ctx, s.Now.Config)
	if err != nil {
		return err
	}
	outputs, err := c.readDiffOutputs(ctx, s.Now)
	if err != nil {
		return err
	}
	r, err := s.Compare(ctx.Context)
	if err != nil {
		return err
	}
	if r.Fails(failOn) {
		c.exit = exitFindings
	}
	if ctx.Bool("strict") && !r.Complete() {
		c.exit = exitError
	}
	write := func(w io.Writer, format string) error {
		p := formats.Printer{Rel: s.Now.Rel, FailOn: failOn, Version: version, Repository: s.Now.Repo.Name()}
		return p.Write(w, r, format, s.Now.Repo)
	}
	return c.writeDiff(format, outputs, write)
}

// openStates opens the two states that the arguments and flags name.
func (c *command) openStates(ctx *cli.Context) (*states.States, error) {
	given, err := givenLimits(ctx)
	from := ctx.String("config-from")
	switch {
	case err != nil:
		return nil, err
	case from == "" && ctx.IsSet("config-from"):
		return nil, errors.New("--config-from is empty: name a revision, or leave it out")
	case from != "" && ctx.String("config") != "" && !ctx.Bool(flags.MergeName):
		return nil, errors.New("--config and --config-from cannot be used together, except with --merge")
	}
	config, err := configOf(ctx)
	if err != nil {
		return nil, err
	}
	var file *members.File
	if ctx.IsSet(flags.WorkspaceName) {
		if config != "" || from != "" {
			return nil, errors.New("--workspace cannot be used with --config-from, or with --config without --merge: each repository has its own settings")
		}
		if file, err = c.readMembers(ctx); err != nil {
			return nil, err
		}
	}
	s, err := states.Open(ctx.Context, ctx.Args().Slice(), states.Options{
		Dir: c.Dir, Config: config, Platform: c.workspaceOf(ctx, nil).Platform, ConfigFrom: from, Limits: given, Target: ctx.String("target"), APIVersions: ctx.String(flags.APIVersionsName), Members: file,
	})
	if err != nil {
		return nil, err
	}
	c.limitRun(s.Now.Config)
	c.limitRun(s.Then.Config)
	c.warn(slices.Concat(s.Now.Remarks(), s.Remarks(), s.Now.Requested.AssumptionNotes()))
	return s, nil
}

// failOnOf returns the severity of --fail-on, otherwise that of the configuration.
func failOnOf(ctx *cli.Context, config *settings.Config) (finding.Severity, error) {
	flag := ctx.String("fail-on")
	if flag == "" {
		return config.FailOn, nil
	}
	severity, err := settings.ParseFailOn(flag)
	if err != nil {
		return severity, fmt.Errorf("--fail-on: %w", err)
	}
	return severity, nil
}

// readDiffOutputs reads --output, and checks before the comparison that the files can be written.
func (c *command) readDiffOutputs(ctx *cli.Context, w *workspace.Workspace) ([]destination.Report, error) {
	outputs, err := destination.ParseReports(c.Dir, ctx.StringSlice("output"), checkDiffFormat)
	if err != nil {
		return nil, err
	}
	inputs := configFiles(ctx, w)
	if w.Config.Baseline != "" {
		inputs = append(inputs, filepath.Join(w.Root(), filepath.FromSlash(w.Config.Baseline)))
	}
	return outputs, destination.CheckReports(ctx.Context, w.Repo, outputs, inputs)
}

// writeDiff prints a report, after it has written the additional ones.
func (c *command) writeDiff(format string, outputs []destination.Report, write func(io.Writer, string) error) error {
	for _, o := range outputs {
		var text bytes.Buffer
		if err := write(&text, o.Format); err != nil {
			return err
		}
		if err := o.Write(c.Dir, text.Bytes()); err != nil {
			return err
		}
	}
	w := c.Stdout
	if format == "github" {
		w = c.exact
	}
	return write(w, format)
}

func checkDiffFormat(format string) error {
	if !slices.Contains(diffFormats, format) {
		return nearest.Unknown("format", format, diffFormats)
	}
	return nil
}
