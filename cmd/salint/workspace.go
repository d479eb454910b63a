package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/members"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
)

// workspaceOf returns the workspace of a repository, which is nil for standard input, without the settings.
func (c *command) workspaceOf(ctx *cli.Context, r *repo.Repo) *workspace.Workspace {
	w := &workspace.Workspace{Dir: c.Dir, Repo: r, APIVersions: ctx.String(apiVersionsFlag)}
	if ctx.Bool(mergeFlag) && ctx.String("config") != "" {
		w.Platform = c.abs(ctx.String("config"))
	}
	return w
}

// configOf returns the file that replaces the settings of the repository; "" if there is none, or if it narrows them.
func configOf(ctx *cli.Context) (string, error) {
	file := ctx.String("config")
	if !ctx.Bool(mergeFlag) {
		return file, nil
	}
	if file == "" {
		return "", errors.New("--merge requires --config: name the file that narrows the settings of the repository")
	}
	return "", nil
}

// readConfig reads the configuration file that --config names, or the nearest one of the repository. If there is none, it
// returns the defaults. The limits are those of --limits, and the run ends when its time is over.
func (c *command) readConfig(ctx *cli.Context, w *workspace.Workspace) error {
	given, err := givenLimits(ctx)
	if err != nil {
		return err
	}
	file, err := configOf(ctx)
	if err != nil {
		return err
	}
	var config *settings.Config
	var remarks []string
	if w.Members == nil {
		config, err = w.ReadConfig(file, given, nil)
	} else {
		config, remarks, err = w.ReadMembersConfig(given, nil)
	}
	if err != nil {
		return err
	}
	w.Config = config.WithLimits(given)
	c.limitRun(w.Config)
	c.warn(slices.Concat(w.Remarks(), remarks))
	return nil
}

// givenLimits returns the limits of --limits.
func givenLimits(ctx *cli.Context) (settings.GivenLimits, error) {
	given, err := settings.ParseLimits(ctx.StringSlice(limitFlag))
	if err != nil {
		return nil, fmt.Errorf("--limits: %w", err)
	}
	return given, nil
}

// limitRun ends the run when the time of a configuration is over.
func (c *command) limitRun(config *settings.Config) {
	c.guard.LimitTime(config.Limits.RunTime)
}

// abs returns a path that is relative to the working directory as an absolute path.
func (c *command) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}

// openNamed opens a folder of the command line for commands that do not read the repository. A path in the repository is not followed
// out of it.
func (c *command) openNamed(dir string, limit int64) (regular.Dir, error) {
	r, err := repo.Open(c.Dir, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.OpenNamed(c.abs(dir), limit)
}

// errStdin is the error of commands that read a repository and get "-" as a path.
var errStdin = errors.New("- (standard input) is supported by salint lint only: pass files or folders")

// openWorkspace opens the repository that encloses the paths; without paths, the one of the working directory.
func (c *command) openWorkspace(ctx *cli.Context, paths []string) (*workspace.Workspace, error) {
	if slices.Contains(paths, "-") {
		return nil, errStdin
	}
	w := c.workspaceOf(ctx, nil)
	err := c.openRepository(ctx, w, paths)
	if err != nil {
		return nil, err
	}
	if err := c.readConfig(ctx, w); err != nil {
		return nil, err
	}
	if w.Requested, err = loader.ReadRequestedTargets(ctx.String("target"), w.Config); err != nil {
		return nil, err
	}
	if ctx.String("target") != "" { // the other commands do not depend on the target
		c.warn(w.Requested.AssumptionNotes())
	}
	return w, nil
}

// openRepository opens the repository of a command, or those of --workspace.
func (c *command) openRepository(ctx *cli.Context, w *workspace.Workspace, paths []string) (err error) {
	if !ctx.IsSet(workspaceFlag) {
		w.Repo, err = repo.Open(c.Dir, paths)
		return err
	}
	if ctx.String("config") != "" && !ctx.Bool(mergeFlag) {
		return errors.New("--config and --workspace cannot be used together, except with --merge: each repository has its own settings")
	}
	if w.Members, err = c.readMembers(ctx); err != nil {
		return err
	}
	w.Repo, err = workspace.OpenMembers(c.Dir, w.Members, paths)
	return err
}

// readMembers reads the file of --workspace.
func (c *command) readMembers(ctx *cli.Context) (*members.File, error) {
	file := ctx.String(workspaceFlag)
	if file == "" {
		return nil, errors.New("--workspace is empty: name a file, or leave it out")
	}
	read, err := members.Read(c.abs(file), file)
	if err != nil {
		return nil, fmt.Errorf("--workspace: %w", err)
	}
	return read, nil
}

const workspaceFlag = "workspace"

// membersFlag returns the flag that names several repositories.
func membersFlag() cli.Flag {
	return &cli.StringFlag{Name: workspaceFlag, Usage: "`FILE` with repositories, which are read as one, and the clusters that they feed"}
}

// sceneFlags returns the flags of all commands that ask about a repository. The default format is the first.
func sceneFlags(formats []string) []cli.Flag {
	return []cli.Flag{
		formatFlag("answer", formats),
		configFlag(), merge(),
		limits(),
	}
}

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "`FILE` to read instead of the nearest .salint.yaml"}
}

const mergeFlag = "merge"

// merge returns the flag with which --config replaces no settings.
func merge() cli.Flag {
	return &cli.BoolFlag{Name: mergeFlag, DisableDefaultText: true,
		Usage: "the file of --config only narrows the settings of the repository: rules on, severities up, ignores capped"}
}

const limitFlag = "limits"

// limits returns the flag that sets limits, also above those that a file of the repository can set.
func limits() cli.Flag {
	return &cli.StringSliceFlag{Name: limitFlag, EnvVars: []string{"SALINT_LIMITS"},
		Usage: "set a limit, as `NAME=VALUE` such as renderTime=60s, like limits: in .salint.yaml (repeatable)"}
}

// releaseFlag returns the flag --target of a command that takes something from the release, such as its default roles.
func releaseFlag(use string) cli.Flag {
	return &cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model, or a release `NAME` such as ocp-4.20; " + use}
}

const apiVersionsFlag = "helm-api-versions"

// apiVersions returns the flag of all commands that render charts.
func apiVersions() cli.Flag {
	return &cli.StringFlag{Name: apiVersionsFlag,
		Usage: "comma-separated API `VERSIONS`; charts that test .Capabilities.APIVersions are rendered with and without them"}
}
