package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/demo"
	"github.com/salint/salint/internal/version"
)

func (c *command) versionCommand() *cli.Command {
	return &cli.Command{
		Name:               "version",
		Usage:              "print the version",
		CustomHelpTemplate: commandHelp("salint version", "salint --version"),
		Action:             func(*cli.Context) error { return c.printVersion() },
	}
}

func (c *command) printVersion() error {
	_, err := fmt.Fprintf(c.Stdout, "salint %s\n", version.Version)
	return err
}

func (c *command) demoCommand() *cli.Command {
	return &cli.Command{
		Name:               "demo",
		Usage:              "lint and fix a small example repository in a temporary folder",
		CustomHelpTemplate: commandHelp("salint demo", "salint demo --color never"),
		Flags:              []cli.Flag{&cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` to use colours: auto, always, never"}},
		Action:             func(ctx *cli.Context) error { return c.demo(ctx.String("color")) },
	}
}

// demo runs the commands that a user would, and shows each.
func (c *command) demo(color string) error {
	dir, err := os.MkdirTemp("", "salint-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := demo.Write(dir); err != nil {
		return err
	}
	for _, step := range []struct {
		why  string
		args []string
	}{
		{"What will happen to the extensions of this repository?", []string{"lint"}},
		{"What would salint change?", []string{"lint", "--diff", "--prune"}},
		{"Change it.", []string{"lint", "--fix", "--prune"}},
		{"And a second time: nothing is left to do.", []string{"lint", "--fix", "--prune"}},
	} {
		fmt.Fprintf(c.Stdout, "\n# %s\n$ salint", step.why)
		for _, arg := range step.args {
			fmt.Fprintf(c.Stdout, " %s", arg)
		}
		fmt.Fprint(c.Stdout, "\n\n")
		run := &command{Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stdout, Dir: dir, Now: c.Now, PolicyCache: c.PolicyCache}
		if run.Main(append(step.args, "--color", color)) == exitFault {
			return errors.New("the demonstration failed")
		}
	}
	return nil
}

func (c *command) completionCommand() *cli.Command {
	return &cli.Command{
		Name:               "completion",
		Usage:              "print a completion script for a shell",
		ArgsUsage:          "SHELL",
		Description:        "SHELL is bash, zsh, fish or powershell.",
		CustomHelpTemplate: commandHelp("source <(salint completion bash)", "salint completion fish > ~/.config/fish/completions/salint.fish"),
		Action: func(ctx *cli.Context) error {
			script, err := completion(ctx.Args().First())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.Stdout, script)
			return err
		},
	}
}
