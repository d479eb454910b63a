package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/rules"
)

// listFormats are the formats of the commands that list what salint knows.
var listFormats = []string{"text", "json"}

func (c *command) rulesCommand() *cli.Command {
	return &cli.Command{
		Name:      "rules",
		Usage:     "list the rules, or explain one",
		ArgsUsage: "[RULE]",
		Description: "Without an argument, rules are listed one per line; with a pattern such as 'olm/*', only those that match. The name of a\n" +
			"rule explains it: the reason, a bad and a good example, how to fix it, and how to silence it.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "policy", Usage: "`DIR` with your own Rego rules (repeatable)"},
			formatFlag("list", listFormats),
		},
		CustomHelpTemplate: commandHelp("salint rules 'olm/*'", "salint rules olm/service-account-deprecated"),
		Action:             c.rules,
	}
}

func (c *command) rules(ctx *cli.Context) error {
	format := ctx.String("format")
	if !slices.Contains(listFormats, format) {
		return noFormat(format, listFormats)
	}
	if ctx.NArg() > 1 {
		return fmt.Errorf("salint rules takes one rule or pattern; quote a pattern, as in salint rules 'olm/*'")
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
	chosen, err := chooseRules(registry, name)
	switch {
	case err != nil:
		return err
	case format == "json":
		return c.printRulesJSON(chosen)
	case name != "" && !isPattern(name):
		return rules.Explain(c.Stdout, chosen[0])
	}
	return rules.List(c.Stdout, chosen)
}

// isPattern reports whether a text can match several rules.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[{") }

// chooseRules returns the rules that a name or a pattern selects, at least one: all rules for "".
func chooseRules(registry *rules.Registry, name string) ([]rules.Rule, error) {
	all := registry.Rules()
	switch {
	case name == "":
		return all, nil
	case isPattern(name):
		chosen := slices.DeleteFunc(all, func(r rules.Rule) bool { return !rules.Match(name, r.Name) })
		if len(chosen) == 0 {
			return nil, fmt.Errorf("no rule matches %q%s; see salint rules", name, suggestion(name, familyPatterns(registry)))
		}
		return chosen, nil
	}
	rule, meant, ok := registry.Find(name)
	switch {
	case ok:
		return []rules.Rule{rule}, nil
	case slices.Contains(familyPatterns(registry), name+"/*"):
		return nil, fmt.Errorf("unknown rule %q; list the rules of this family with salint rules '%s/*'", name, name)
	case meant != "":
		return nil, fmt.Errorf("unknown rule %q; did you mean %s?", name, meant)
	}
	return nil, fmt.Errorf("unknown rule %q; see salint rules", name)
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

type (
	jsonRules struct {
		SchemaVersion string     `json:"schemaVersion"`
		Rules         []jsonRule `json:"rules"`
	}
	jsonRule struct {
		Name        string       `json:"name"`
		Title       string       `json:"title"`
		Severity    string       `json:"severity"`
		OptIn       bool         `json:"optIn"`
		Kinds       []string     `json:"kinds"`
		Fix         *jsonRuleFix `json:"fix"`
		Description string       `json:"description"`
		Rationale   string       `json:"rationale"`
		HelpURI     string       `json:"helpUri"`
		Links       []rules.Link `json:"links"`
	}
	jsonRuleFix struct {
		Kind        string `json:"kind"`
		Description string `json:"description"`
	}
)

func (c *command) printRulesJSON(list []rules.Rule) error {
	out := jsonRules{SchemaVersion: "1"}
	for _, r := range list {
		described := jsonRule{
			Name: r.Name, Title: r.Title, Severity: r.Severity.String(), OptIn: r.OptIn, Kinds: append([]string{}, r.Kinds...),
			Description: r.Description, Rationale: r.Rationale, HelpURI: judging.HelpURI(r), Links: append([]rules.Link{}, r.Links...),
		}
		if r.Fix.Name != "" {
			described.Fix = &jsonRuleFix{r.Fix.Kind, r.Fix.Description}
		}
		out.Rules = append(out.Rules, described)
	}
	encoder := json.NewEncoder(c.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}
