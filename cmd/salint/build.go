package main

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/ask/built"
	"github.com/salint/salint/internal/kube/objects"
)

// buildFormats are the formats of build.
var buildFormats = []string{"yaml", "json"}

const buildDescription = "Prints what each deployment unit applies, as salint knows it: kustomizations are built, charts are rendered, and what\n" +
	"applications of Argo CD and Flux set is filled in. Comments name the source of each object, and what is not known. The\n" +
	"data of Secrets is masked. With paths, the units that apply or read these files are printed."

const buildExitCodes = `
EXIT CODES:
   0  printed
   2  usage error, unreadable input, or internal error; with --strict also if something of the units is not known
`

func (c *command) buildCommand() *cli.Command {
	return &cli.Command{
		Name:        "build",
		Usage:       "print the objects that each deployment unit applies, and their source files",
		ArgsUsage:   "[PATH…]",
		Description: buildDescription,
		Flags: append([]cli.Flag{
			flags.APIVersions(), flags.Members(),
			&cli.StringFlag{Name: "cluster", Usage: "print only what the cluster `NAME` gets, as --list shows it"},
			&cli.BoolFlag{Name: "list", Usage: "list the units, with their tools and files, without objects", DisableDefaultText: true},
			&cli.BoolFlag{Name: "strict", Usage: "exit with 2 if something of the units is not known", DisableDefaultText: true},
			flags.Release("determines the version of Kubernetes that charts see"),
			&cli.StringSliceFlag{Name: "unit", Usage: "print only the unit `NAME`, as --list shows it (repeatable)"},
		}, flags.Scene(buildFormats)...),
		CustomHelpTemplate: commandhelp.With(buildExitCodes, "salint build --list", "salint build --unit clusters/prod"),
		Action:             c.build,
	}
}

func (c *command) build(ctx *cli.Context) error {
	if format := ctx.String("format"); !slices.Contains(buildFormats, format) {
		return noFormat(format, buildFormats)
	}
	w, err := c.openWorkspace(ctx, ctx.Args().Slice())
	if err != nil {
		return err
	}
	read, err := w.ReadAll(ctx.Context)
	if err != nil {
		return err
	}
	every := func(*objects.Object) bool { return true }
	about := read.About(w.Repo.Selected, every)
	units := []built.Unit(nil)
	if name := ctx.String("cluster"); name == "" {
		units = built.Units(read, about, w.Repo.Selected)
	} else if units, err = built.UnitsOf(read, name, about, w.Repo.Selected); err != nil {
		return err
	}
	if units, err = built.Named(units, ctx.StringSlice("unit")); err != nil {
		return err
	}
	if len(units) == 0 {
		return errors.New("no deployment unit applies or reads these files: name a folder with manifests")
	}
	c.warn(read.Gaps)
	if ctx.Bool("strict") && (len(read.Gaps) > 0 || slices.ContainsFunc(units, func(u built.Unit) bool { return len(u.NotKnown) > 0 })) {
		c.exit = exitError
	}
	switch {
	case ctx.String("format") == "json":
		return built.JSON(c.Stdout, units, ctx.Bool("list"), w.Rel)
	case ctx.Bool("list"):
		return built.List(c.Stdout, units)
	}
	return built.YAML(c.Stdout, units, w.Rel)
}
