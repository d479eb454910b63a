package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/output/listing"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
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
			&cli.StringSliceFlag{Name: "policy", Usage: "`DIR` with your own Rego rules, in addition to those of .salint.yaml (repeatable)"},
			&cli.StringFlag{Name: "config", Usage: "`FILE` to read instead of the nearest .salint.yaml"},
			formatFlag("list", rulesFormats),
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
	chosen, err := chooseRules(registry, name)
	switch {
	case err != nil:
		return err
	case format == "json":
		return listing.RulesJSON(c.Stdout, chosen)
	case format == "markdown":
		_, err := c.Stdout.Write(ruledoc.Page("Rules", "", "https://github.com/salint/salint/blob/main/docs/", chosen))
		return err
	case name != "" && !isPattern(name):
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
	return rules.Load(ctx.Context, rules.Options{PolicyDirs: dirs, OpenDir: r.OpenNamed, PodSpecs: loader.PodSpecs(w.Config)})
}

// isPattern reports whether a text can match several rules.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[{") }

// chooseRules returns the rules that a name or a pattern selects, at least one: all rules for "".
func chooseRules(registry *rules.Registry, name string) ([]metadata.Rule, error) {
	all := registry.Rules()
	switch {
	case name == "":
		return all, nil
	case isPattern(name):
		chosen := slices.DeleteFunc(all, func(r metadata.Rule) bool { return !rules.Match(name, r.Name) })
		if len(chosen) == 0 {
			return nil, fmt.Errorf("no rule matches %q%s; see salint rules", name, arguments.Suggestion(name, familyPatterns(registry)))
		}
		return chosen, nil
	}
	rule, meant, ok := registry.Find(name)
	switch {
	case ok:
		return []metadata.Rule{rule}, nil
	case slices.Contains(familyPatterns(registry), name+"/*"):
		return nil, fmt.Errorf("unknown rule %q; list the rules of this family with salint rules '%s/*'", name, name)
	case meant != "":
		return nil, fmt.Errorf("unknown rule %q; did you mean %s?", name, meant)
	}
	if with := namesWith(registry, name); len(with) > 0 {
		return nil, fmt.Errorf("unknown rule %q; did you mean %s?", name, strings.Join(with, ", or "))
	}
	return nil, fmt.Errorf("unknown rule %q; see salint rules", name)
}

// namesWith returns the rules whose names contain a text; none if there are more than a message can name.
func namesWith(registry *rules.Registry, text string) []string {
	const most = 5
	names := slices.DeleteFunc(registry.Names(), func(name string) bool { return !strings.Contains(name, strings.ToLower(text)) })
	if len(names) > most {
		return nil
	}
	return names
}

// familyPatterns returns a pattern for each family of rules, such as olm/*.
func familyPatterns(registry *rules.Registry) []string {
	var patterns []string
	for _, name := range registry.Names() {
		family, _, _ := strings.Cut(name, "/")
		patterns = append(patterns, family+"/*")
	}
	return slices.Compact(patterns)
}
