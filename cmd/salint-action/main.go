// Command salint-action runs salint as a step of a GitHub workflow. It reads the inputs of action.yml, starts the salint
// program beside it, and reports the results as annotations, outputs and a job summary. Inputs arrive as environment
// variables and never pass through a shell, because a path or a branch name can contain anything. With the argument find-comment, it reads the
// comments of a pull request from standard input, and prints the number of the one that an earlier run wrote.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

const findComment = "find-comment"

func main() { os.Exit(run()) }

func run() int {
	if len(os.Args) == 2 && os.Args[1] == findComment {
		if err := newComment(os.Getenv).find(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "salint-action:", err)
			return failure
		}
		return 0
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "salint-action: finding the folder of this program:", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	step := &Step{
		Salint: filepath.Join(filepath.Dir(self), "salint"+filepath.Ext(self)),
		Getenv: os.Getenv,
		Log:    os.Stdout,
	}
	return step.Run(ctx)
}
