package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
)

//go:embed all:demo
var demoFiles embed.FS

func (c *command) demoCommand() *cli.Command {
	return &cli.Command{
		Name:               "demo",
		Usage:              "lint and fix an example repository in a temporary folder",
		CustomHelpTemplate: commandhelp.Of("salint demo", "salint demo --color never"),
		Flags:              []cli.Flag{&cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` to use colors: auto, always, never"}},
		Action:             func(ctx *cli.Context) error { return c.demo(ctx.String("color")) },
	}
}

// demo runs the commands of a typical user, and prints each of them.
func (c *command) demo(color string) error {
	dir, err := os.MkdirTemp("", "salint-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeDemo(dir); err != nil {
		return err
	}
	for _, step := range []struct {
		why  string
		args []string
	}{
		{"Check the extensions of this repository.", []string{"lint"}},
		{"Show what salint would change.", []string{"lint", "--diff", "--prune"}},
		{"Apply the changes.", []string{"lint", "--fix", "--prune"}},
		{"Run it again: the other account stays, because only a git repository shows that the change is applied.", []string{"lint", "--fix", "--prune"}},
	} {
		fmt.Fprintf(c.Stdout, "\n# %s\n$ salint", step.why)
		for _, arg := range step.args {
			fmt.Fprintf(c.Stdout, " %s", arg)
		}
		fmt.Fprint(c.Stdout, "\n\n")
		run := &command{Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stdout, Dir: dir, Now: c.Now, PolicyCache: c.PolicyCache}
		if run.Main(append(step.args, "--color", color)) == exitError {
			return errors.New("the demo failed")
		}
	}
	return nil
}

// writeDemo copies the example repository into a folder.
func writeDemo(dir string) error {
	files, err := fs.Sub(demoFiles, "demo")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, files)
}
