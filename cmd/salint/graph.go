package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/graph"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/output/picture"
)

// graphFormats are the formats of graphs.
var graphFormats = []string{"mermaid", "dot", "json"}

// defaultEdges is the default number of edges of a graph. Larger graphs are hard to read, and mermaid draws at most
// picture.MermaidEdges.
const defaultEdges = 300

const graphDescription = "Draws extensions, the identities that OLM uses for them, bindings, and roles, for each cluster or unit. What is\n" +
	"effectively cluster-admin, and what is unknown, is marked. Roles in the repository that others aggregate are drawn\n" +
	"after these, and an account that an extension names but OLM ignores has a dashed arrow. A graph has up to 300 arrows,\n" +
	"those of the extensions first, and counts the bindings that it leaves out."

func (c *command) graphCommand() *cli.Command {
	return &cli.Command{
		Name:        "graph",
		Usage:       "draw which identities are bound to which roles",
		ArgsUsage:   "[PATH…]",
		Description: graphDescription,
		Flags: append([]cli.Flag{
			flags.APIVersions(), flags.Members(),
			&cli.StringSliceFlag{Name: "extension", Usage: "draw only the extension `NAME` (repeatable)"},
			&cli.StringSliceFlag{Name: "identity", Usage: "draw only the `USER` or group, such as system:serviceaccount:NAMESPACE:NAME (repeatable)"},
			&cli.BoolFlag{Name: "pods", Usage: "also draw the objects with pods, and the accounts as which these run", DisableDefaultText: true},
			&cli.IntFlag{Name: "limit", Value: -1, Usage: "maximum `NUMBER` of arrows, 0 for all (mermaid draws at most 500)", DefaultText: "300, or all with --format json"},
			&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model, or a release `NAME`; determines which identity OLM uses"},
		}, flags.Scene(graphFormats)...),
		CustomHelpTemplate: commandhelp.Of("salint graph --extension argocd clusters/prod", "salint graph --format dot | dot -Tsvg > rbac.svg"),
		Action:             c.graph,
	}
}

func (c *command) graph(ctx *cli.Context) error {
	if format := ctx.String("format"); !slices.Contains(graphFormats, format) {
		return noFormat(format, graphFormats)
	}
	w, err := c.openWorkspace(ctx, ctx.Args().Slice())
	if err != nil {
		return err
	}
	kinds, starts := loader.Kinds(loader.RBAC(), loader.Installers()), graph.StartsAt
	if ctx.Bool("pods") {
		kinds, starts = loader.Kinds(kinds, graph.PodKinds()), graph.HasPods
	}
	read, err := w.Read(ctx.Context, kinds)
	if err != nil {
		return err
	}
	units := read.About(w.Repo.Selected, starts)
	options := graph.Options{Identities: ctx.StringSlice("identity"), Pods: ctx.Bool("pods")}
	shown, err := graph.Build(read, units, options).Select(picture.Selection{
		Extensions: ctx.StringSlice("extension"), Identities: ctx.StringSlice("identity"), Limit: edgeLimit(ctx),
	})
	if err != nil {
		return err
	}
	questions := access.Scene{Repository: read, Selected: w.Repo.Selected}
	return c.printGraph(ctx, w, shown, questions.NotRead(units))
}

// andPods adds to the bindings that are counted.
func andPods(ctx *cli.Context) string {
	if ctx.Bool("pods") {
		return " and pods"
	}
	return ""
}

func edgeLimit(ctx *cli.Context) int {
	switch limit := ctx.Int("limit"); {
	case limit >= 0:
		return limit
	case ctx.String("format") == "json":
		return 0
	}
	return defaultEdges
}

func (c *command) printGraph(ctx *cli.Context, w *workspace.Workspace, shown *picture.Graph, notRead []access.Doubt) (err error) {
	printer := access.Printer{Rel: w.Rel}
	var doubts []string
	for _, d := range notRead {
		doubts = append(doubts, printer.Doubt(d))
	}
	left := shown.Left
	switch ctx.String("format") {
	case "dot":
		err = shown.Dot(c.Stdout, w.Rel)
	case "json":
		err = shown.JSON(c.Stdout, w.Rel, doubts)
	default:
		left, err = shown.Mermaid(c.Stdout, w.Rel)
	}
	if err != nil {
		return err
	}
	for i, doubt := range doubts {
		doubts[i] = "the graph may be incomplete: " + doubt
	}
	if left > 0 {
		doubts = append(doubts, fmt.Sprintf("%d bindings"+andPods(ctx)+" are not drawn: use --limit, --extension or --identity", left))
	}
	c.warn(doubts)
	return nil
}
