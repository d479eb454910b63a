package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/usage"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
)

const usesDescription = "Lists every place of the repository that uses an account, a Secret, a role, or an audience of tokens, with the pods and\n" +
	"what they are granted, and answers whether it can be deleted: yes, no, or unknown on the first line. KIND is\n" +
	"serviceaccount (sa), secret, role, clusterrole, or audience. Names in scripts, in strings inside of manifests, and in what\n" +
	"could not be built may be uses. Bindings of an account are listed as what is to be deleted with it. Without -n, the\n" +
	"answer covers each namespace in which the name is defined. What the cluster or other repositories use is unknown."

const usesExitCodes = `
EXIT CODES:
   0  nothing in the repository uses it
   1  something uses it
   2  unknown; or usage error, unreadable input, or internal error
`

func (c *command) usesCommand() *cli.Command {
	return &cli.Command{
		Name:        "uses",
		Usage:       "list what uses an account, Secret, role, or audience, and whether it can be deleted",
		ArgsUsage:   "KIND/NAME",
		Description: usesDescription,
		Flags: append([]cli.Flag{
			flags.APIVersions(), flags.Members(),
			&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Usage: "`NAMESPACE` of the object (default: each in which the name is defined)"},
			&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model, or a release `NAME`; determines whether OLM uses the account of an extension"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no answer, only set the exit code", DisableDefaultText: true},
		}, flags.Scene(answerFormats)...),
		CustomHelpTemplate: commandhelp.With(usesExitCodes, "salint uses serviceaccount/argocd-installer -n argocd", "salint uses clusterrole/deployer --format json"),
		Action:             c.uses,
	}
}

func (c *command) uses(ctx *cli.Context) error {
	if format := ctx.String("format"); !slices.Contains(answerFormats, format) {
		return noFormat(format, answerFormats)
	}
	if ctx.NArg() > 1 {
		return fmt.Errorf("got %d arguments, but expected one, KIND/NAME", ctx.NArg())
	}
	question, err := usage.Parse(ctx.Args().First(), ctx.String("namespace"))
	if err != nil {
		return err
	}
	w, err := c.openWorkspace(ctx, nil)
	if err != nil {
		return err
	}
	read, err := w.ReadAll(ctx.Context)
	if err != nil {
		return err
	}
	from := access.UsesOf(w, read)
	answer, err := usage.Find(ctx.Context, usage.Sources{
		Scene: access.Scene{Repository: read, Selected: w.Repo.Selected}, Index: uses.New(from), Text: from.Text, Pods: loader.PodSpecs(w.Config),
	}, question)
	if err != nil {
		return err
	}
	c.exit = map[usage.Deletable]int{usage.Yes: exitOK, usage.No: exitFindings, usage.Unknown: exitError}[answer.Deletable()]
	if ctx.Bool("quiet") {
		return nil
	}
	printer := usage.Printer{Printer: access.Printer{Rel: w.Rel}}
	if ctx.String("format") == "json" {
		return printer.JSON(c.Stdout, answer)
	}
	return printer.Text(c.Stdout, answer)
}
