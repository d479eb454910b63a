package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/assemble/workspace"
)

// chainFormats are the formats of who-can --become.
var chainFormats = append(slices.Clone(answerFormats), "mermaid")

// checkBecome rejects flags and arguments that only the question about one permission has.
func checkBecome(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return errors.New("--become takes no verb and type: it follows all permissions")
	}
	if ctx.String("become") == "" {
		return fmt.Errorf("--become requires %s, a user, system:serviceaccount:NAMESPACE:NAME, or grafana-admin:NAMESPACE/NAME", escalation.ClusterAdmin)
	}
	if _, name, isGrafana := escalation.GrafanaOf(ctx.String("become")); isGrafana && name == "" {
		return fmt.Errorf("--become %s: an administrator of a Grafana is grafana-admin:NAMESPACE/NAME", ctx.String("become"))
	}
	for _, flag := range []string{"namespace", "all-namespaces", "subresource", "no-headers"} {
		if ctx.IsSet(flag) {
			return fmt.Errorf("--become cannot be used with --%s", flag)
		}
	}
	if format := ctx.String("format"); !slices.Contains(chainFormats, format) {
		return noFormat(format, chainFormats)
	}
	return nil
}

// whoCanBecome lists who can become an identity, and by which steps.
func (c *command) whoCanBecome(ctx *cli.Context) error {
	if err := checkBecome(ctx); err != nil {
		return err
	}
	w, err := c.openWorkspace(ctx, ctx.StringSlice("file"))
	if err != nil {
		return err
	}
	read, err := w.Read(ctx.Context, escalation.ObjectKinds())
	if err != nil {
		return err
	}
	questions := access.Scene{Repository: read, Selected: w.Repo.Selected, Strict: ctx.Bool("strict")}
	answer := escalation.Become(questions, ctx.String("become"))
	if !answer.Any() {
		c.exit = exitFindings
	}
	c.strict(ctx, len(answer.Doubts) > 0)
	if !ctx.Bool("quiet") {
		err = c.printChains(ctx, w, answer)
	}
	c.warn(answer.Warnings)
	return err
}

func (c *command) printChains(ctx *cli.Context, w *workspace.Workspace, answer escalation.Answer) error {
	printer := escalation.Printer{Printer: access.Printer{Rel: w.Rel}}
	switch ctx.String("format") {
	case "json":
		return printer.JSON(c.Stdout, answer)
	case "mermaid":
		_, err := answer.Picture().Mermaid(c.Stdout, w.Rel)
		return err
	}
	return printer.Text(c.Stdout, answer)
}
