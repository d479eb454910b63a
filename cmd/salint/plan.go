package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/ask/plan"
	"github.com/salint/salint/internal/lint"
	"github.com/salint/salint/internal/output/report"
)

// planFormats are the formats of plans.
var planFormats = []string{"text", "markdown", "json", "html"}

const planDescription = "Each ClusterExtension as it is applied, judged for each target by the rules of salint lint: works, warns or breaks, why,\n" +
	"and the command that prepares for it. Then the steps of each upgrade and downgrade in their order, what to ask the live\n" +
	"objects, and where the proposals for OpenShift are not safe to follow. Nothing is changed."

const planExitCodes = `
EXIT CODES:
   0  no extension breaks on a target that --to or --targets names; always, when neither is given
   1  an extension breaks there
   2  wrong usage, unreadable input, or a fault
`

func (c *command) planCommand() *cli.Command {
	return &cli.Command{
		Name:        "plan",
		Usage:       "say what becomes of every extension on every target, and how to get there and back",
		ArgsUsage:   "[PATH…]",
		Description: planDescription,
		Flags: append([]cli.Flag{
			apiVersions(),
			&cli.StringSliceFlag{Name: "bundle", Usage: "`EXTENSION=DIR`: the bundle of an extension, as bundles: in .salint.yaml names it; may be repeated"},
			&cli.StringFlag{Name: "from", Usage: "`TARGET` to begin the steps at (default: the one that the repository shows)"},
			&cli.StringSliceFlag{Name: "targets", Usage: "`TARGET` to show in place of the usual ones, or with a plus in front (+olm-1.9) beside them; may be repeated, or joined by commas"},
			&cli.StringFlag{Name: "to", Usage: "`TARGET` to plan the steps to (default: each neighbour of each target, up and down)"},
		}, sceneFlags(planFormats)...),
		CustomHelpTemplate: helpWith(planExitCodes, "salint plan --to olm-1.11 clusters/prod", "salint plan --from ocp-4.22-proposed --to ocp-4.20-proposed --format markdown > plan.md"),
		Action:             c.plan,
	}
}

func (c *command) plan(ctx *cli.Context) error {
	format := ctx.String("format")
	if !slices.Contains(planFormats, format) {
		return noFormat(format, planFormats)
	}
	if slices.Contains(ctx.Args().Slice(), "-") {
		return errStdin
	}
	l := &linter{command: c, ctx: ctx, paths: ctx.Args().Slice()}
	options := l.planOptions()
	targets, err := options.Targets()
	if err != nil {
		return err
	}
	for _, step := range []func() error{l.openTree, l.readConfig, l.readBundles, l.readGrant} {
		if err := step(); err != nil {
			return err
		}
	}
	options.Bundles = l.bundlesNamed()
	l.options.Charts, l.options.Now = chartSettings(l.config, l.repo, ctx.String(apiVersionsFlag)), c.Now()
	survey, err := lint.TakeSurvey(ctx.Context, l.options, targets)
	if err != nil {
		return err
	}
	made := plan.Build(survey, options)
	if err := c.checkWay(made, options); err != nil {
		return err
	}
	if err := printPlan(c.Stdout, made, format); err != nil {
		return err
	}
	if made.Breaks() {
		c.exit = exitFindings
	}
	return errors.Join(append(survey.Faults, unread(made))...)
}

// planOptions are what the command line says. The commands of the plan read the repository as this one does.
func (l *linter) planOptions() plan.Options {
	o := plan.Options{
		Version: version, Columns: separated(l.ctx.StringSlice("targets")), From: l.ctx.String("from"), To: l.ctx.String("to"), Paths: l.paths,
		Rel: func(file string) string { return report.Rel(l.repo.Root, l.repo.WorkDir, file) },
	}
	for _, name := range []string{"config", apiVersionsFlag} {
		if value := l.ctx.String(name); value != "" {
			o.Flags = append(o.Flags, "--"+name, value)
		}
	}
	return o
}

// readGrant takes from the configuration what its fixes grant.
func (l *linter) readGrant() (err error) {
	l.options.Fixes.Grant, err = fixers.ParseGrant(l.config.Grant)
	return err
}

// unread is the fault of a plan that knows no extension, perhaps only because files that may hold some cannot be read.
func unread(p *plan.Plan) error {
	broken := slices.DeleteFunc(slices.Clone(p.NotChecked), func(r plan.Remark) bool { return r.Rule != "repo/unparsable" })
	if len(p.Extensions) > 0 || len(broken) == 0 {
		return nil
	}
	return fmt.Errorf("%s:%d: %s, so it is not known which extensions there are: mend it first", broken[0].File, broken[0].Line, broken[0].Message)
}

// bundlesNamed are the extensions whose bundles are named, and what the command line says of them.
func (l *linter) bundlesNamed() map[string]string {
	named := map[string]string{}
	if l.options.Bundles == nil {
		return named
	}
	for extension, source := range l.options.Bundles.Sources {
		flag, ok := strings.CutPrefix(source.Place, "--bundle ")
		if !ok {
			flag = ""
		}
		named[extension] = flag
	}
	return named
}

// separated takes names apart that are joined by commas.
func separated(values []string) []string {
	var names []string
	for _, value := range values {
		for _, name := range strings.Split(value, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// checkWay asks where a way begins that nothing in the repository tells.
func (c *command) checkWay(p *plan.Plan, o plan.Options) error {
	undecided := p.Undecided()
	if o.To == "" || o.From != "" || len(undecided) == 0 {
		return nil
	}
	message := fmt.Sprintf("nothing tells which release %s runs on today: say where the way to %s begins, as in --from olm-1.10, or `target:` in .salint.yaml",
		undecided[0], o.To)
	if len(undecided) == len(p.Extensions) {
		return errors.New(message)
	}
	if more := len(undecided) - 1; more > 0 {
		message = fmt.Sprintf("%s (and of %d more)", message, more)
	}
	c.warn([]string{message})
	return nil
}

func printPlan(w io.Writer, p *plan.Plan, format string) error {
	switch format {
	case "json":
		return p.JSON(w)
	case "markdown":
		return p.Markdown(w)
	case "html":
		return p.HTML(w)
	}
	return p.Text(w)
}
