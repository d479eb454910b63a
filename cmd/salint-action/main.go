// Command salint-action is what action.yml starts: it runs the salint that lies beside it and reports to the workflow.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/salint/salint/internal/action"
)

func main() { os.Exit(run()) }

func run() int {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "salint-action: finding the folder of this program:", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	step := &action.Step{
		Salint: filepath.Join(filepath.Dir(self), "salint"+filepath.Ext(self)),
		Getenv: os.Getenv,
		Log:    os.Stdout,
	}
	return step.Run(ctx)
}
