package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/arguments"
	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/completion"
	"github.com/salint/salint/cmd/salint/internal/interrupts"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/output/terminal"
	"github.com/salint/salint/rules/modules"
)

// The exit codes of all commands.
const (
	exitOK       = 0 // nothing at or above --fail-on
	exitFindings = 1 // findings, or something is missing
	exitError    = 2 // usage error, unreadable input, or internal error
)

// command is the program with its environment, so that tests can run it in process.
type command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Dir is the working directory.
	Dir string
	// Now is the current time.
	Now func() time.Time
	// PolicyCache keeps compiled policies for all rounds of a run; nil is a valid value.
	PolicyCache *modules.Cache

	exit int
	// exact is standard output for what must be written as it is: patches, fixed manifests, and commands that are meant for the
	// runner of a workflow. In Stdout and Stderr, no line can be a command.
	exact io.Writer
	// wrapped is what Stdout writes to. It breaks lines on a terminal, unless what is printed is for programs.
	wrapped *terminal.Wrapped
	// context, if set, is that of the run. Tests set it.
	context context.Context
	// opened, if set, is called with the repository of a run. Tests set it.
	opened func(*repo.Repo)
	// guard ends the run at a signal or at its limit of time.
	guard interrupts.Guard
}

func newCommand() *command {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return &command{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: dir, Now: time.Now, PolicyCache: modules.NewCache(),
	}
}

// Main runs the program with the arguments after its name, and returns the exit code.
func (c *command) Main(args []string) int {
	c.guard.Print = func(text string) { fmt.Fprint(c.Stderr, text) }
	ctx, stop := c.guard.Begin(cmp.Or(c.context, context.Background()))
	defer stop()
	c.exact = c.Stdout
	c.wrapped = terminal.NewWrapped(c.Stdout, terminal.Look(c.Stdout).Columns())
	messages := terminal.NewWrapped(c.Stderr, terminal.Look(c.Stderr).Columns())
	defer func() { _, _ = c.wrapped.Flush(), messages.Flush() }() // what cannot be written was an error before
	stdout := safetext.NewLines(c.wrapped)
	c.Stdout, c.Stderr = stdout, safetext.NewLines(messages)
	if last := len(args) - 1; last >= 0 && args[last] == completion.Flag {
		return c.complete(ctx, args[:last])
	}
	if err := cmp.Or(c.run(ctx, args), stdout.Err()); err != nil {
		if err = ended(ctx, err); context.Cause(ctx) != nil {
			err = c.guard.Unwritten(err)
		}
		fmt.Fprintf(c.Stderr, "salint: %s\n", safetext.WithoutDir(safetext.Error(err), c.Dir)) // it can contain names from manifests
		return interrupts.CodeOf(err)
	}
	return c.exit
}

// ended returns why a run ended: the end of the context takes precedence over the errors that it causes, and what is known of files that
// were written is kept.
func ended(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || errors.Is(err, cause) {
		return err
	}
	return cause
}

func (c *command) run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	app := c.app()
	args, all := arguments.WithoutHelpAll(args)
	commandhelp.Set(app.Commands, "", all)
	args, err := arguments.Reorder(app, args)
	if err != nil {
		return err
	}
	return app.RunContext(ctx, append([]string{app.Name}, args...))
}

func (c *command) app() *cli.App {
	app := &cli.App{
		Name:  "salint",
		Usage: "find and fix deprecated, broken, and over-privileged service accounts in Kubernetes manifests",
		Description: "salint reads the manifests of a Git repository and never contacts a cluster. It shows who can do more\n" +
			"after a change, and migrates OLM v1 ClusterExtensions off spec.serviceAccount.",
		Version:                   version,
		HideHelpCommand:           true,
		HideVersion:               true,
		Reader:                    c.Stdin,
		Writer:                    c.Stdout,
		ErrWriter:                 c.Stderr,
		UseShortOptionHandling:    false,
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              arguments.UsageError,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "version", Usage: "print the version", DisableDefaultText: true},
		},
		Action: c.noCommand,
		Commands: []*cli.Command{
			c.lintCommand(),
			c.preflightCommand(), c.bundleDiffCommand(), c.canICommand(), c.whoCanCommand(), c.usesCommand(), c.diffCommand(), c.planCommand(), c.graphCommand(), c.buildCommand(), c.reportCommand(),
			c.lspCommand(), c.targetsCommand(), c.rulesCommand(), c.schemaCommand(), c.policyCommand(), c.initCommand(), c.demoCommand(), c.versionCommand(),
			c.completionCommand(), c.manCommand(),
		},
	}
	for _, command := range app.Commands {
		command.OnUsageError = arguments.UsageError
		command.HideHelpCommand = true
		command.Before = c.wrapForPeople
	}
	app.CustomAppHelpTemplate = commandhelp.OfApp(app)
	return app
}

func (c *command) noCommand(ctx *cli.Context) error {
	if ctx.Bool("version") {
		return c.printVersion()
	}
	if name := ctx.Args().First(); name != "" {
		return fmt.Errorf("unknown command %q%s; see salint --help", name, arguments.MeantCommand(name, arguments.CommandNames(ctx.App.Commands)))
	}
	if err := cli.ShowAppHelp(ctx); err != nil {
		return err
	}
	c.exit = exitError
	return nil
}

// wrapForPeople lets a terminal break the lines of text, and of nothing else.
func (c *command) wrapForPeople(ctx *cli.Context) error {
	isText := !slices.Contains([]string{"init", "schema", "completion", "man", "lsp"}, ctx.Command.Name)
	if format := ctx.String("format"); format != "" {
		isText = format == "text" || format == "yaml" && ctx.Bool("list") // the table of build --list
	}
	if !isText {
		c.wrapped.Exact()
	}
	return nil
}
