package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

const canIDescription = "Answers from the RBAC of the repository, without a cluster: yes or no on the first line, then the reason. An account\n" +
	"and the user of an extension are in their default groups; groups given with --as-group replace these, as in\n" +
	"Kubernetes. Without -n, the question is about all namespaces together. Default grants of every cluster, such as\n" +
	"system:basic-user and system:discovery, count and are marked; additional grants of OpenShift are unknown.\n" +
	"-f FILE asks about the deployment units that apply the file, whatever it contains, or about its folder if it is a\n" +
	"plain file. If deployment units differ, one yes is enough, unless --every is given. \"no, as far as known\" means that\n" +
	"unknowns could change the answer; in JSON, certain is false."

const canIExitCodes = `
EXIT CODES:
   0  yes, or --list
   1  no, or unknown
   2  usage error, unreadable input, or internal error; with --strict also if unknowns could change the answer
`

func (c *command) canICommand() *cli.Command {
	return &cli.Command{
		Name:        "can-i",
		Usage:       "check whether a user or account can do something, like kubectl auth can-i",
		ArgsUsage:   "VERB TYPE[.GROUP][/NAME] | VERB /URL",
		Description: canIDescription,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "as", Usage: "`USER` to impersonate, such as system:serviceaccount:NAMESPACE:NAME or olm:clusterextension:NAME"},
			&cli.StringSliceFlag{Name: "as-group", Usage: "`GROUP` to impersonate (repeatable)"},
			&cli.BoolFlag{Name: "list", Usage: "list all allowed actions in the namespace", DisableDefaultText: true},
			&cli.BoolFlag{Name: "no-headers", Usage: "with --list, omit the header row", DisableDefaultText: true},
			&cli.BoolFlag{Name: "every", Usage: "answer yes only if every deployment unit with bindings allows it", DisableDefaultText: true},
		}, questionFlags(answerFormats)...),
		CustomHelpTemplate: commandhelp.With(canIExitCodes,
			"salint can-i create deployments.apps -n argocd --as system:serviceaccount:argocd:installer",
			"salint can-i --list --as olm:clusterextension:argocd -f clusters/prod"),
		Action: c.canI,
	}
}

// questionFlags are the flags of both can-i and who-can.
func questionFlags(formats []string) []cli.Flag {
	return append([]cli.Flag{
		flags.APIVersions(), flags.Members(),
		&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Usage: "`NAMESPACE` to ask about"},
		&cli.BoolFlag{Name: "all-namespaces", Aliases: []string{"A"}, Usage: "ask about all namespaces together", DisableDefaultText: true},
		flags.Release("determines the default roles of the cluster"),
		&cli.StringFlag{Name: "subresource", Usage: "`SUBRESOURCE`, such as log or scale"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no answer, only set the exit code", DisableDefaultText: true},
		&cli.BoolFlag{Name: "strict", Usage: "exit with 2 if unknowns could change the answer", DisableDefaultText: true},
		&cli.StringSliceFlag{Name: "file", Aliases: []string{"f"}, Usage: "`PATH` to ask about instead of the current folder (repeatable)"},
	}, flags.Scene(formats)...)
}

func (c *command) canI(ctx *cli.Context) error {
	if err := checkCanI(ctx); err != nil {
		return err
	}
	who, err := access.Identity(ctx.String("as"), ctx.StringSlice("as-group"))
	if err != nil {
		return err
	}
	if ctx.Bool("list") {
		return c.listAccess(ctx, who)
	}
	a, err := c.newAsker(ctx, access.Kinds(who), ctx.String("namespace"))
	if err != nil {
		return err
	}
	if all, more := access.WithMemberships(a.scene.Repository, who); more {
		if a, err = c.newAsker(ctx, access.Kinds(all), ctx.String("namespace")); err != nil {
			return err
		}
	}
	a.scene.Every, a.scene.Strict = ctx.Bool("every"), ctx.Bool("strict")
	verdict := a.scene.Check(who, a.request)
	if kinds, again := access.KindsOfNamesakes(who, verdict); again {
		if a, err = c.newAsker(ctx, kinds, ctx.String("namespace")); err != nil {
			return err
		}
		a.scene.Every, a.scene.Strict = ctx.Bool("every"), ctx.Bool("strict")
		verdict = a.scene.Check(who, a.request)
	}
	verdict.Warnings = slices.Concat(access.Suspicious(ctx.String("as")), a.warnings, verdict.Warnings)
	if !verdict.Allowed {
		c.exit = exitFindings
	}
	c.strict(ctx, len(verdict.Doubts) > 0)
	if !ctx.Bool("quiet") {
		write := a.printer.Verdict
		if ctx.String("format") == "json" {
			write = a.printer.VerdictJSON
		}
		err = write(c.Stdout, verdict)
	}
	c.warn(verdict.Warnings)
	return err
}

// strict sets the exit code 2 if --strict is given and unknowns could change the answer.
func (c *command) strict(ctx *cli.Context, doubtful bool) {
	if ctx.Bool("strict") && doubtful {
		c.exit = exitError
	}
}

// checkCanI rejects the combinations of flags that kubectl rejects too.
func checkCanI(ctx *cli.Context) error {
	list := ctx.Bool("list")
	switch {
	case list && ctx.NArg() > 0:
		return errors.New("--list takes no arguments: it lists all verbs and types")
	case list && (ctx.Bool("quiet") || ctx.Bool("all-namespaces") || ctx.Bool("every") || ctx.String("subresource") != ""):
		return errors.New("--list cannot be used with --quiet, --all-namespaces, --every or --subresource")
	case !list && ctx.Bool("no-headers"):
		return errors.New("--no-headers requires --list")
	}
	return checkQuestion(ctx)
}

func checkQuestion(ctx *cli.Context) error {
	format := ctx.String("format")
	switch {
	case !slices.Contains(answerFormats, format):
		return noFormat(format, answerFormats)
	case ctx.Bool("all-namespaces") && ctx.String("namespace") != "":
		return errors.New("--all-namespaces and --namespace cannot be used together")
	}
	return nil
}

// answerFormats are the formats of can-i and of who-can without --become.
var answerFormats = []string{"text", "json"}

func noFormat(name string, formats []string) error {
	return fmt.Errorf("--format: %w", nearest.Unknown("format", name, formats))
}

func (c *command) listAccess(ctx *cli.Context, who rbac.Identity) error {
	w, err := c.openWorkspace(ctx, ctx.StringSlice("file"))
	if err != nil {
		return err
	}
	read, err := w.Read(ctx.Context, loader.Kinds(access.Kinds(who), olm.SignalKinds()))
	if err != nil {
		return err
	}
	if all, more := access.WithMemberships(read, who); more {
		if read, err = w.Read(ctx.Context, loader.Kinds(access.Kinds(all), olm.SignalKinds())); err != nil {
			return err
		}
	}
	questions := access.SceneOf(ctx.Context, w, read)
	questions.Strict = ctx.Bool("strict")
	listing := questions.List(who, ctx.String("namespace"))
	listing.Warnings = append(access.Suspicious(ctx.String("as")), listing.Warnings...)
	c.strict(ctx, len(listing.Doubts) > 0)
	printer := access.Printer{Rel: w.Rel, NoHeaders: ctx.Bool("no-headers")}
	write := printer.Listing
	if ctx.String("format") == "json" {
		write = printer.ListingJSON
	}
	if err := write(c.Stdout, listing); err != nil {
		return err
	}
	c.warn(printer.Remarks(listing))
	return nil
}

// asker is a question about the RBAC of a repository that was read.
type asker struct {
	scene    access.Scene
	request  access.Asked
	warnings []string
	printer  access.Printer
}

// newAsker reads the objects of some kinds, and resolves the type of the question with their definitions.
func (c *command) newAsker(ctx *cli.Context, kinds map[string][]string, namespace string) (*asker, error) {
	if ctx.NArg() > 2 {
		return nil, fmt.Errorf("got %d arguments, but expected a verb and a type or URL; write names after the type, as in pods/web", ctx.NArg())
	}
	question := access.Question{
		Verb: ctx.Args().Get(0), Argument: ctx.Args().Get(1), Subresource: ctx.String("subresource"), Namespace: namespace,
	}
	if err := question.Check(); err != nil {
		return nil, err
	}
	w, err := c.openWorkspace(ctx, ctx.StringSlice("file"))
	if err != nil {
		return nil, err
	}
	a := &asker{printer: access.Printer{Rel: w.Rel}}
	a.scene, a.request, a.warnings, err = question.Read(ctx.Context, w, kinds)
	return a, err
}

// warn prints warnings on standard error.
func (c *command) warn(warnings []string) {
	for _, warning := range warnings {
		fmt.Fprintf(c.Stderr, "warning: %s\n", safetext.Text(warning))
	}
}
