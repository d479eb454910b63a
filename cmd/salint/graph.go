package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/graph"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/output/picture"
)

// graphFormats are the formats of graphs.
var graphFormats = []string{"mermaid", "dot", "json"}

// defaultEdges is how many edges a picture has unless the user says otherwise: more are not read by anybody, and more
// than picture.MermaidEdges are not drawn.
const defaultEdges = 300

const graphDescription = "Extensions, the identities that OLM acts as for them, bindings and roles, for each deployment unit. What is a\n" +
	"cluster-admin in effect, and what is not known, is marked. Roles of the repository that others are aggregated from are\n" +
	"drawn behind these, and an account that an extension names and OLM ignores has a dashed arrow. A picture has up to 300\n" +
	"arrows, those of the extensions first, and says how many bindings it leaves out."

func (c *command) graphCommand() *cli.Command {
	return &cli.Command{
		Name:        "graph",
		Usage:       "draw which identity is bound to which role",
		ArgsUsage:   "[PATH…]",
		Description: graphDescription,
		Flags: append([]cli.Flag{
			apiVersions(),
			&cli.StringSliceFlag{Name: "extension", Usage: "`NAME` of an extension to draw alone; may be repeated"},
			&cli.StringSliceFlag{Name: "identity", Usage: "`USER` or group to draw alone, as in system:serviceaccount:NAMESPACE:NAME; may be repeated"},
			&cli.IntFlag{Name: "limit", Value: -1, Usage: "`NUMBER` of arrows to draw at most, 0 for all (of mermaid never more than the 500 it takes)", DefaultText: "300, and all in json"},
			&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a `MODEL` or a release: it tells as whom OLM acts"},
		}, sceneFlags(graphFormats)...),
		CustomHelpTemplate: commandHelp("salint graph --extension argocd clusters/prod", "salint graph --format dot | dot -Tsvg > rbac.svg"),
		Action:             c.graph,
	}
}

func (c *command) graph(ctx *cli.Context) error {
	if format := ctx.String("format"); !slices.Contains(graphFormats, format) {
		return noFormat(format, graphFormats)
	}
	s, err := c.openScene(ctx, ctx.Args().Slice())
	if err != nil {
		return err
	}
	w, err := s.read(ctx, loader.Kinds(loader.RBAC(), loader.Installers()))
	if err != nil {
		return err
	}
	units := w.About(s.repo.Selected, isDrawn)
	shown, err := graph.Build(w, units, ctx.StringSlice("identity")).Select(picture.Selection{
		Extensions: ctx.StringSlice("extension"), Identities: ctx.StringSlice("identity"), Limit: edgeLimit(ctx),
	})
	if err != nil {
		return err
	}
	questions := access.Scene{Repository: w, Selected: s.repo.Selected}
	return c.printGraph(ctx, s, shown, questions.NotRead(units), questions.Unreadable())
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

func (c *command) printGraph(ctx *cli.Context, s *scene, shown *picture.Graph, notRead []access.Doubt, failed []loader.Problem) (err error) {
	printer := access.Printer{Rel: s.rel}
	var doubts []string
	for _, d := range notRead {
		doubts = append(doubts, printer.Doubt(d))
	}
	left := shown.Left
	switch ctx.String("format") {
	case "dot":
		err = shown.Dot(c.Stdout, s.rel)
	case "json":
		err = shown.JSON(c.Stdout, s.rel, doubts)
	default:
		left, err = shown.Mermaid(c.Stdout, s.rel)
	}
	if err != nil {
		return err
	}
	for i, doubt := range doubts {
		doubts[i] = "the graph may be incomplete: " + doubt
	}
	if left > 0 {
		doubts = append(doubts, fmt.Sprintf("%d bindings are not drawn: see --limit, --extension and --identity", left))
	}
	c.warn(doubts)
	return faults(failed, s.rel)
}
