package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/ask/lsp"
	"github.com/salint/salint/internal/ask/plan"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/settings"
)

const lspDescription = "Serves the Language Server Protocol over standard input and output, for editors: see docs/editor.md. Open files are\n" +
	"linted as they are being edited, with the rest of their repository as context. Code actions make the fixes of\n" +
	"salint lint --fix. The server writes no files and uses no network."

const lspExitCodes = `
EXIT CODES:
   0  the editor ended the server
   2  usage error, or the connection ended without shutdown
   130  interrupted by Ctrl-C; 128 and the number of the signal for others
`

func (c *command) lspCommand() *cli.Command {
	return &cli.Command{
		Name:        "lsp",
		Usage:       "serve editors: diagnostics while typing, fixes, effective permissions",
		Description: lspDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "target", Usage: "auto, a model, or a release `NAME`, unless the editor sets one"},
			&cli.StringFlag{Name: "config", Usage: "`FILE` to read instead of the nearest .salint.yaml, unless the editor sets one"},
			flags.Merge(),
			flags.Limits(),
			flags.APIVersions(),
			&cli.StringFlag{Name: "now", Usage: "`TIME` in RFC 3339 to use as the current time (default: now)"},
			&cli.BoolFlag{Name: "stdio", Usage: "use standard input and output, which is the default", DisableDefaultText: true},
		},
		CustomHelpTemplate: commandhelp.With(lspExitCodes, "salint lsp", "salint lsp --target olm-1.11"),
		Action:             c.lsp,
	}
}

func (c *command) lsp(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return fmt.Errorf("salint lsp takes no arguments: the editor sends the folders")
	}
	if err := loader.CheckTarget(ctx.String("target")); err != nil {
		return fmt.Errorf("--target: %w", err)
	}
	if _, err := settings.ParseLimits(ctx.StringSlice(flags.LimitsName)); err != nil {
		return fmt.Errorf("--limits: %w", err)
	}
	if _, err := configOf(ctx); err != nil {
		return err
	}
	if _, err := c.parseNow(ctx.String("now")); err != nil {
		return err
	}
	return lsp.Serve(ctx.Context, c.Stdin, c.exact, lsp.Options{
		Version: version,
		Project: func(_ context.Context, at lsp.Place) (*lsp.Project, error) { return c.project(ctx, at) },
	})
}

// project reads the configuration of a repository for the server. Nothing is written: what interrupted runs have left stays.
func (c *command) project(ctx *cli.Context, at lsp.Place) (*lsp.Project, error) {
	here := &command{Dir: at.Folder, Now: c.Now, PolicyCache: c.PolicyCache}
	w := here.workspaceOf(ctx, at.Repo)
	file, target := ctx.String("config"), ctx.String("target")
	switch {
	case at.Settings.Config != "":
		file = at.Settings.Config
	case ctx.Bool(flags.MergeName):
		w.Platform, file = c.abs(file), ""
	case file != "":
		file = c.abs(file)
	}
	if at.Settings.Target != "" {
		target = at.Settings.Target
	}
	given, err := settings.ParseLimits(ctx.StringSlice(flags.LimitsName))
	if err != nil {
		return nil, err
	}
	config, err := w.ReadConfig(file, given, at.Read)
	if err != nil {
		return nil, err
	}
	w.Config = config.WithLimits(given)
	if w.Requested, err = loader.ReadRequestedTargets(target, w.Config); err != nil {
		return nil, err
	}
	l := &linter{command: here, ctx: ctx, at: w}
	l.useConfig("")
	o := &l.options
	o.OpenPolicies = at.Repo.OpenNamed
	o.Target = target
	o.Charts = w.Charts()
	if err := errors.Join(l.readGrant(), l.readNow(), l.readBaseline(), l.readBundles()); err != nil {
		return nil, err
	}
	return &lsp.Project{
		Lint: *o,
		Read: w.ReadOptions(nil),
		Plan: plan.Options{Version: version, Bundles: l.options.Bundles.Flags()},
	}, nil
}
