package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/lint/authoring"
	"github.com/salint/salint/internal/output/destination"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/scaffold"
	"github.com/salint/salint/rules/testreport"
)

func (c *command) policyCommand() *cli.Command {
	return &cli.Command{
		Name:               "policy",
		Usage:              "develop your own Rego rules",
		CustomHelpTemplate: commandhelp.Of("salint policy init policy/", "salint lint --policy policy/"),
		Action: func(ctx *cli.Context) error {
			if name := ctx.Args().First(); name != "" {
				return nearest.Unknown("subcommand", name, arguments.CommandNames(ctx.Command.Subcommands))
			}
			return errors.New("a subcommand is required: salint policy init, salint policy test, or salint policy eval")
		},
		Subcommands: []*cli.Command{c.policyInitCommand(), c.policyTestCommand(), c.policyEvalCommand()},
	}
}

func (c *command) policyTestCommand() *cli.Command {
	return &cli.Command{
		Name:      "test",
		Usage:     "run the unit tests and examples of a folder of Rego rules, with salint's built-in functions",
		ArgsUsage: "DIR",
		Description: "Tests are rules named test_… in files named …_test.rego. Each `bad` example must have a finding of its rule, and each\n" +
			"`good` one none. The exit code is 1 if one of them fails.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "also list what passed, with what it printed", DisableDefaultText: true},
			&cli.StringFlag{Name: "run", Usage: "run only the tests and examples whose names match the regular expression `REGEX`"},
			&cli.BoolFlag{Name: "coverage", Usage: "report the lines of the rules that no test and no example reaches", DisableDefaultText: true},
			flags.Format("results", testreport.Formats()),
		},
		CustomHelpTemplate: commandhelp.Of("salint policy test --verbose --run pinned policy/", "salint policy test --coverage policy/"),
		OnUsageError:       arguments.UsageError,
		HideHelpCommand:    true,
		Action:             c.policyTest,
	}
}

func (c *command) policyTest(ctx *cli.Context) error {
	dir, format := ctx.Args().First(), ctx.String("format")
	if dir == "" || ctx.NArg() > 1 {
		return fmt.Errorf("salint policy test takes one folder")
	}
	if !slices.Contains(testreport.Formats(), format) {
		return noFormat(format, testreport.Formats())
	}
	report, err := rules.TestPolicies(ctx.Context, c.abs(dir), rules.TestOptions{
		OpenDir: c.openNamed, Run: ctx.String("run"), Coverage: ctx.Bool("coverage"), Repository: authoring.Repository, Cache: c.PolicyCache,
	})
	if err != nil {
		return err
	}
	if report.Failures() > 0 {
		c.exit = exitFindings
	}
	if len(report.Results) == 0 && ctx.String("run") != "" {
		return fmt.Errorf("--run %s: no test and no example has such a name", ctx.String("run"))
	}
	report.RelativeTo(c.Dir)
	c.warn(report.Notes)
	return report.Write(c.Stdout, format, ctx.Bool("verbose"))
}

func (c *command) policyEvalCommand() *cli.Command {
	return &cli.Command{
		Name:      "eval",
		Usage:     "evaluate one rule on one file, and show its input, what it prints, and its result",
		ArgsUsage: "RULE FILE",
		Description: "RULE is the name of a rule, as in custom/owner-label, or its .rego file. The repository that encloses FILE is read as salint\n" +
			"lint does, so the input is the object as it is applied. Data of Secrets is not shown.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "policy", Usage: "`DIR` or bundle with your own Rego rules, in addition to those of .salint.yaml (repeatable)"},
			&cli.BoolFlag{Name: "explain", Usage: "also show the trace of the evaluation (your own rules only)", DisableDefaultText: true},
			&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model, or a release `NAME` such as ocp-4.20 (see salint targets)"},
			flags.Config(),
			&cli.StringFlag{Name: "now", Usage: "`TIME` in RFC 3339 to use as the current time (default: now)"},
		},
		CustomHelpTemplate: commandhelp.Of("salint policy eval custom/pinned-version base/argocd.yaml --policy policy", "salint policy eval --explain policy/pinned_version.rego base/argocd.yaml"),
		OnUsageError:       arguments.UsageError,
		HideHelpCommand:    true,
		Action:             c.policyEval,
	}
}

func (c *command) policyEval(ctx *cli.Context) (err error) {
	if ctx.NArg() != 2 {
		return errors.New("salint policy eval takes a rule and a file, as in: salint policy eval custom/owner-label account.yaml")
	}
	rule, file := ctx.Args().Get(0), ctx.Args().Get(1)
	w, err := c.openWorkspace(ctx, []string{file})
	if err != nil {
		return err
	}
	defer w.Repo.Close()
	run := authoring.Run{Workspace: w, Rule: rule, Explain: ctx.Bool("explain"), Target: ctx.String("target"), PolicyCache: c.PolicyCache}
	if run.Now, err = c.parseNow(ctx.String("now")); err != nil {
		return err
	}
	run.Policies = w.PolicyFolders()
	for _, dir := range ctx.StringSlice("policy") {
		run.Policies = append(run.Policies, c.abs(dir))
	}
	if filepath.Ext(rule) == ".rego" {
		run.Rule, run.IsFile = c.abs(rule), true
	}
	return run.Evaluate(ctx.Context, c.Stdout)
}

func (c *command) policyInitCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a rule to start with, and what OPA's tools need to check rules",
		ArgsUsage: "DIR",
		Description: "Writes a rule with its test and examples, unless DIR has policies; the capabilities, the schema of input, and the helpers of\n" +
			"salint for opa (" + filepath.Dir(scaffold.Input) + "); and a configuration of regal. Run it again after an update of salint: your own files stay as they are.",
		CustomHelpTemplate: commandhelp.Of("salint policy init policy/", "salint policy init . && regal lint ."),
		OnUsageError:       arguments.UsageError,
		HideHelpCommand:    true,
		Action:             c.policyInit,
	}
}

func (c *command) policyInit(ctx *cli.Context) error {
	if ctx.NArg() != 1 {
		return errors.New("salint policy init takes one folder, such as policy/")
	}
	dir := ctx.Args().First()
	starter, err := scaffold.Starter()
	if err != nil {
		return err
	}
	if has, err := hasPolicies(c.abs(dir)); has || err != nil {
		starter = nil
		if err != nil {
			return err
		}
	}
	forTools, err := scaffold.ForTools()
	if err != nil {
		return err
	}
	for _, f := range append(starter, scaffold.ForRegal()) {
		if err := c.writePolicyFile(dir, f, false); err != nil {
			return err
		}
	}
	for _, f := range forTools {
		if err := c.writePolicyFile(dir, f, true); err != nil {
			return err
		}
	}
	shown := filepath.ToSlash(filepath.Clean(dir))
	return c.printf("\nAdd the folder to .salint.yaml:  policies: [%s]\nCheck the rules:\n  %s\n",
		shown, strings.Join(scaffold.Commands(shell.Quote(shown)), "\n  "))
}

// writePolicyFile writes a file. One that exists is only overwritten if it is not the user's.
func (c *command) writePolicyFile(dir string, f scaffold.File, overwrite bool) error {
	name := filepath.Join(dir, filepath.FromSlash(f.Name))
	path := c.abs(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := destination.Check(c.Dir, path); err != nil {
		return fmt.Errorf("%s: %w", filepath.ToSlash(name), err)
	}
	if _, err := os.Lstat(path); err == nil && !overwrite {
		return c.printf("kept %s\n", filepath.ToSlash(name))
	}
	if err := regular.WriteFile(path, f.Text); err != nil {
		return err
	}
	return c.printf("wrote %s\n", filepath.ToSlash(name))
}

// hasPolicies reports whether a folder has policies of the user.
func hasPolicies(dir string) (bool, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.rego"))
	return len(names) > 0, err
}
