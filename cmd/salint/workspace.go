package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/flags"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/members"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
)

// workspaceOf returns the workspace of a repository, which is nil for standard input, without the settings.
func (c *command) workspaceOf(ctx *cli.Context, r *repo.Repo) *workspace.Workspace {
	w := &workspace.Workspace{Dir: c.Dir, Repo: r, APIVersions: ctx.String(flags.APIVersionsName)}
	if ctx.Bool(flags.MergeName) && ctx.String("config") != "" {
		w.Platform = c.abs(ctx.String("config"))
	}
	return w
}

// configOf returns the file that replaces the settings of the repository; "" if there is none, or if it narrows them.
func configOf(ctx *cli.Context) (string, error) {
	file := ctx.String("config")
	if !ctx.Bool(flags.MergeName) {
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
	given, err := settings.ParseLimits(ctx.StringSlice(flags.LimitsName))
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
	if !ctx.IsSet(flags.WorkspaceName) {
		if w.Repo, err = repo.Open(c.Dir, paths); err != nil {
			return err
		}
		return w.Repo.Git.CheckWorkTree(ctx.Context)
	}
	if ctx.String("config") != "" && !ctx.Bool(flags.MergeName) {
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
	file := ctx.String(flags.WorkspaceName)
	if file == "" {
		return nil, errors.New("--workspace is empty: name a file, or leave it out")
	}
	read, err := members.Read(c.abs(file), file)
	if err != nil {
		return nil, fmt.Errorf("--workspace: %w", err)
	}
	return read, nil
}
