package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/cmd/salint/internal/rulechoice"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/output/listing"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/ruledoc"
)

// rulesFormats are the formats of the list of rules.
var rulesFormats = []string{"text", "json", "markdown"}

// listFormats are the formats of the commands that list what salint knows.
var listFormats = []string{"text", "json"}

func (c *command) rulesCommand() *cli.Command {
	return &cli.Command{
		Name:      "rules",
		Usage:     "list the rules, or explain one",
		ArgsUsage: "[RULE]",
		Description: "Without an argument, rules are listed one per line; with a pattern such as 'olm/*', only those that match. The name of a\n" +
			"rule explains it: the reason, a bad and a good example, how to fix it, and how to silence it. Your own rules are among them if\n" +
			".salint.yaml or --policy names them; with --format markdown, the list is a page.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "policy", Usage: "`DIR` or bundle with your own Rego rules, in addition to those of .salint.yaml (repeatable)"},
			flags.Config(), flags.Merge(),
			flags.Format("list", rulesFormats),
		},
		CustomHelpTemplate: commandhelp.Of("salint rules 'olm/*'", "salint rules olm/service-account-deprecated"),
		Action:             c.rules,
	}
}

func (c *command) rules(ctx *cli.Context) error {
	format := ctx.String("format")
	if !slices.Contains(rulesFormats, format) {
		return noFormat(format, rulesFormats)
	}
	if ctx.NArg() > 1 {
		return fmt.Errorf("salint rules takes one rule or pattern; quote a pattern, as in salint rules 'olm/*'")
	}
	registry, err := c.configuredRules(ctx)
	if err != nil {
		return err
	}
	defer registry.Close()
	name := ctx.Args().First()
	chosen, err := rulechoice.Choose(registry, name)
	switch {
	case err != nil:
		return err
	case format == "json":
		return listing.RulesJSON(c.Stdout, chosen)
	case format == "markdown":
		_, err := c.Stdout.Write(ruledoc.Page("Rules", "", "https://github.com/salint/salint/blob/main/docs/", chosen))
		return err
	case name != "" && !rulechoice.IsPattern(name):
		return ruledoc.Explain(c.Stdout, chosen[0])
	}
	return ruledoc.List(c.Stdout, chosen)
}

// configuredRules loads the rules, with those of the configuration and of the command line.
func (c *command) configuredRules(ctx *cli.Context) (*rules.Registry, error) {
	r, err := repo.Open(c.Dir, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	w := c.workspaceOf(ctx, r)
	if err := c.readConfig(ctx, w); err != nil {
		return nil, err
	}
	dirs := w.PolicyFolders()
	for _, dir := range ctx.StringSlice("policy") {
		dirs = append(dirs, c.abs(dir))
	}
	return rules.Load(ctx.Context, rules.Options{PolicyDirs: dirs, Platform: w.PlatformFolders(), OpenDir: r.OpenNamed, PodSpecs: loader.PodSpecs(w.Config), Creators: w.Config.Creators})
}
