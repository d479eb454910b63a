package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/rules"
)

func (c *command) rulesCommand() *cli.Command {
	return &cli.Command{
		Name:      "rules",
		Usage:     "list the rules, or explain one",
		ArgsUsage: "[RULE]",
		Description: "Without an argument, rules are listed one per line. With an argument, explains the rule: the reason, a bad and a good\n" +
			"example, how to fix it, and how to silence it.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "policy", Usage: "`DIR` with your own Rego rules (repeatable)"},
		},
		CustomHelpTemplate: commandHelp("salint rules", "salint rules olm/service-account-deprecated"),
		Action:             c.rules,
	}
}

func (c *command) rules(ctx *cli.Context) error {
	if ctx.NArg() > 1 {
		return fmt.Errorf("salint rules explains one rule at a time")
	}
	var dirs []string
	for _, dir := range ctx.StringSlice("policy") {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(c.Dir, dir)
		}
		dirs = append(dirs, dir)
	}
	registry, err := rules.Load(ctx.Context, rules.Options{PolicyDirs: dirs, OpenDir: c.openNamed})
	if err != nil {
		return err
	}
	defer registry.Close()
	name := ctx.Args().First()
	if name == "" {
		return rules.List(c.Stdout, registry.Rules())
	}
	rule, meant, ok := registry.Find(name)
	if !ok && meant != "" {
		return fmt.Errorf("unknown rule %q; did you mean %s?", name, meant)
	}
	if !ok {
		return fmt.Errorf("unknown rule %q; see salint rules", name)
	}
	return rules.Explain(c.Stdout, rule)
}

func (c *command) policyCommand() *cli.Command {
	return &cli.Command{
		Name:               "policy",
		Usage:              "develop your own Rego rules",
		CustomHelpTemplate: commandHelp("salint policy test policy/", "salint lint --policy policy/"),
		Action:             func(*cli.Context) error { return fmt.Errorf("a subcommand is required: salint policy test DIR") },
		Subcommands: []*cli.Command{{
			Name:               "test",
			Usage:              "run the unit tests of a folder of Rego rules, with salint's built-in functions",
			ArgsUsage:          "DIR",
			CustomHelpTemplate: commandHelp("salint policy test policy/", "salint policy test ."),
			OnUsageError:       usageError,
			HideHelpCommand:    true,
			Action:             c.policyTest,
		}},
	}
}

func (c *command) policyTest(ctx *cli.Context) error {
	dir := ctx.Args().First()
	if dir == "" || ctx.NArg() > 1 {
		return fmt.Errorf("salint policy test takes one folder")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.Dir, dir)
	}
	_, failed, err := rules.TestPolicies(ctx.Context, dir, c.openNamed, c.Stdout)
	if failed > 0 {
		c.exit = exitFindings
	}
	return err
}
