package main

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
)

// diffFormats are the formats of diff.
var diffFormats = []string{"text", "markdown", "json", "html", "sarif", "github"}

const diffDescription = "Compares effective permissions between a revision and the working tree: which identity can do more, through which binding\n" +
	"and role, the most dangerous changes first. Without REV, the commit at which the branch left the default branch is\n" +
	"compared. Both states are read through git, with their overlays and charts. Moving files changes nothing."

const diffExitCodes = `
EXIT CODES:
   0  nothing at or above --fail-on
   1  new power, a weaker admission policy, or something that can no longer be read, at or above --fail-on
   2  usage error, unreadable input, or internal error; with --strict also if not everything could be read
`

func (c *command) diffCommand() *cli.Command {
	return &cli.Command{
		Name:        "diff",
		Usage:       "show which identities can do more than in a revision",
		ArgsUsage:   "[REV] [PATH…]",
		Description: diffDescription,
		Flags: append([]cli.Flag{
			apiVersions(),
			&cli.StringFlag{Name: "fail-on", Usage: "minimum `SEVERITY` that causes exit code 1: error, warning, note, never (default: warning)"},
			&cli.BoolFlag{Name: "strict", Usage: "exit with 2 if not everything could be read", DisableDefaultText: true},
			&cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model, or a release `NAME`; determines which identity OLM uses"},
			&cli.StringFlag{Name: "config-from", Usage: "read .salint.yaml as it was at `REV` for both states"},
			outputFlag(),
		}, sceneFlags(diffFormats)...),
		CustomHelpTemplate: helpWith(diffExitCodes, "salint diff", "salint diff origin/main clusters/prod --format markdown"),
		Action:             c.diff,
	}
}

func (c *command) diff(ctx *cli.Context) error {
	if err := checkDiffFormat(ctx.String("format")); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	d, err := c.openDiff(ctx)
	if err != nil {
		return err
	}
	defer d.repo.Close()
	defer d.revision.Close()
	r, err := d.report()
	if err != nil {
		return err
	}
	if r.Fails(d.failOn) {
		c.exit = exitFindings
	}
	if ctx.Bool("strict") && !r.Complete() {
		c.exit = exitError
	}
	return d.write(r)
}

func checkDiffFormat(format string) error {
	if !slices.Contains(diffFormats, format) {
		return nearest.Unknown("format", format, diffFormats)
	}
	return nil
}

// diffRun is one run of salint diff.
type diffRun struct {
	*command
	*scene

	ctx *cli.Context
	// name is the revision as the user named it.
	name     string
	revision *repo.Revision
	paths    repoPaths
	// was is the scene of the revision.
	was     *scene
	failOn  finding.Severity
	files   *linter // the additional reports
	notRead []string
}

// repoPaths are paths of the command line, relative to the root of the repository. No paths select all files.
type repoPaths []string

func (p repoPaths) selects(file string) bool {
	return slices.ContainsFunc(p, func(dir string) bool { return dir == "." || file == dir || strings.HasPrefix(file, dir+"/") })
}

// openDiff reads the arguments, and opens both states.
func (c *command) openDiff(ctx *cli.Context) (*diffRun, error) {
	args := ctx.Args().Slice()
	if slices.Contains(args, "-") {
		return nil, errStdin
	}
	r, err := c.openAround(args)
	if err != nil {
		return nil, err
	}
	d := &diffRun{command: c, ctx: ctx, scene: &scene{repo: r}}
	if err := d.open(args); err != nil {
		r.Close()
		return nil, err
	}
	return d, nil
}

// openAround opens the repository of the paths among the arguments that exist; without any, that of the working directory. A path can
// exist in the revision only.
func (c *command) openAround(args []string) (*repo.Repo, error) {
	var paths []string
	for _, arg := range args {
		if c.exists(arg) {
			paths = append(paths, arg)
		}
	}
	return repo.Open(c.Dir, paths)
}

func (c *command) exists(name string) bool {
	_, err := filepath.EvalSymlinks(c.abs(name))
	return err == nil
}

func (d *diffRun) open(args []string) (err error) {
	ctx := d.ctx.Context
	if err := d.repo.CheckMerged(ctx); err != nil {
		return err
	}
	if d.name, args, err = d.splitArguments(args); err != nil {
		return err
	}
	if d.revision, err = d.repo.Revision(ctx, d.name); err != nil {
		return err
	}
	for _, step := range []func() error{func() error { return d.readPaths(args) }, d.readConfigs, d.readFailOn, d.readOutputs} {
		if err := step(); err != nil {
			d.revision.Close()
			return err
		}
	}
	return nil
}

// splitArguments returns the revision and the paths. The first argument is the revision if git knows it.
func (d *diffRun) splitArguments(args []string) (rev string, paths []string, err error) {
	if len(args) > 0 {
		if args[0] == "" { // an unset variable of a script is not the default branch
			return "", nil, errors.New("the first argument is empty: name a revision or a path, or pass no argument for the default branch")
		}
		known, err := d.repo.HasRevision(d.ctx.Context, args[0])
		exists := d.exists(args[0])
		switch {
		case err != nil:
			return "", nil, err
		case known && exists:
			return "", nil, fmt.Errorf("%s is a revision and a path: write ./%[1]s for the path, or refs/heads/%[1]s for the branch", args[0])
		case known:
			return args[0], args[1:], nil
		case !exists && !d.wasPath(args[0]):
			return "", nil, d.unknownRevision(args[0])
		}
	}
	rev, err = d.repo.DefaultBranch(d.ctx.Context)
	return rev, args, err
}

// wasPath reports whether an argument that does not exist is a path of the default branch, or has the form of one.
func (d *diffRun) wasPath(name string) bool {
	if strings.HasPrefix(name, "./") || repo.IsManifest(name) || strings.HasSuffix(name, "/") {
		return true
	}
	inside, err := d.insidePath(name)
	if err != nil {
		return false
	}
	branch, err := d.repo.DefaultBranch(d.ctx.Context)
	if err != nil {
		return false
	}
	v, err := d.repo.Revision(d.ctx.Context, branch)
	if err != nil {
		return false
	}
	defer v.Close()
	return v.Has(inside)
}

// unknownRevision returns the error about a revision, which for a shallow clone says so.
func (d *diffRun) unknownRevision(rev string) error {
	v, err := d.repo.Revision(d.ctx.Context, rev)
	if err == nil {
		v.Close()
		err = &repo.RevisionError{Revision: rev}
	}
	return err
}

// readPaths converts the paths. Each has to exist in one of the states.
func (d *diffRun) readPaths(args []string) error {
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, arg := range args {
		inside, err := d.insidePath(arg)
		if err != nil {
			return err
		}
		if !d.exists(arg) && !d.revision.Has(inside) {
			return fmt.Errorf("%s: no such file or folder, neither in the working tree nor at %s", arg, d.name)
		}
		d.paths = append(d.paths, inside)
	}
	return nil
}

// insidePath returns a path relative to the root of the repository.
func (d *diffRun) insidePath(arg string) (string, error) {
	abs := d.abs(arg)
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	} else if rel, err := filepath.Rel(d.Dir, abs); err == nil {
		abs = filepath.Join(d.repo.WorkDir, rel)
	}
	inside, err := filepath.Rel(d.repo.Root, abs)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s is outside the repository %s", arg, d.repo.Root)
	}
	return path.Clean(filepath.ToSlash(inside)), nil
}

// readConfigs reads the configuration of each state. One that changed can hide what the other state shows.
func (d *diffRun) readConfigs() (err error) {
	l := &linter{command: d.command, ctx: d.ctx, repo: d.repo}
	var base *settings.Config
	switch from := d.ctx.String("config-from"); {
	case from == "" && d.ctx.IsSet("config-from"):
		return errors.New("--config-from is empty: name a revision, or leave it out")
	case from != "" && d.ctx.String("config") != "":
		return errors.New("--config and --config-from cannot be used together")
	case from != "":
		if err := l.readConfigFrom(from); err != nil {
			return err
		}
		d.config, base = l.config, l.config
	default:
		if d.config, err = d.readConfigFor(d.ctx, d.repo); err != nil {
			return err
		}
		if base, err = d.configThen(l); err != nil {
			return err
		}
	}
	if d.requested, err = loader.ReadRequestedTargets(d.ctx.String("target"), d.config); err != nil {
		return err
	}
	d.warn(d.requested.AssumptionNotes())
	d.was = &scene{repo: d.repo, config: base}
	d.was.requested, err = loader.ReadRequestedTargets(d.ctx.String("target"), base)
	return err
}

// configThen returns the configuration of the revision, or that of --config.
func (d *diffRun) configThen(l *linter) (*settings.Config, error) {
	if d.ctx.String("config") != "" {
		return d.config, nil
	}
	base, err := l.limited(d.ctx, func(given settings.GivenLimits) (*settings.Config, error) { return l.configAt(d.revision, given) })
	if err == nil && !readsAlike(base, d.config) {
		d.notRead = append(d.notRead, settings.FileName+" sets exclude, limits, helm, or embedded differently from the one of the revision; "+
			"pass --config-from REV to read both states with one configuration")
	}
	return base, err
}

// readsAlike reports whether two configurations read and build the same of a repository.
func readsAlike(a, b *settings.Config) bool {
	return slices.Equal(a.ExcludePatterns(), b.ExcludePatterns()) && a.Limits == b.Limits && reflect.DeepEqual(a.Helm, b.Helm) &&
		reflect.DeepEqual(a.Embedded, b.Embedded)
}

func (d *diffRun) readFailOn() (err error) {
	d.failOn = d.config.FailOn
	if flag := d.ctx.String("fail-on"); flag != "" {
		if d.failOn, err = settings.ParseFailOn(flag); err != nil {
			return fmt.Errorf("--fail-on: %w", err)
		}
	}
	return nil
}

// readOutputs reads --output, and checks before the comparison that the files can be written.
func (d *diffRun) readOutputs() error {
	d.files = &linter{command: d.command, ctx: d.ctx, repo: d.repo, config: d.config}
	if err := d.files.readOutputsOf(checkDiffFormat); err != nil {
		return err
	}
	return d.files.checkReportFiles()
}
