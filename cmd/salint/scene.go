package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint"
	"github.com/salint/salint/internal/output/report"
	"github.com/salint/salint/internal/render"
)

// rootOf returns the folder to which paths of the configuration are relative: the root of the repository or, if r is nil, the
// working directory.
func (c *command) rootOf(r *repo.Repo) string {
	if r != nil {
		return r.Root
	}
	return c.Dir
}

// readConfigFor reads the configuration file that --config names, or the nearest one of the repository. If there is none, it
// returns the defaults. The limits are those of --limits, and the run ends when its time is over.
func (c *command) readConfigFor(ctx *cli.Context, r *repo.Repo) (*settings.Config, error) {
	return c.limited(ctx, func(given settings.GivenLimits) (*settings.Config, error) {
		return c.readConfigFile(ctx.String("config"), r, given)
	})
}

// limited reads a configuration and gives it the limits of --limits, with which read checks its own.
func (c *command) limited(ctx *cli.Context, read func(settings.GivenLimits) (*settings.Config, error)) (*settings.Config, error) {
	given, err := settings.ParseLimits(ctx.StringSlice(limitFlag))
	if err != nil {
		return nil, fmt.Errorf("--limits: %w", err)
	}
	config, err := read(given)
	if err != nil {
		return nil, err
	}
	config = config.WithLimits(given)
	if c.limitTime != nil {
		c.limitTime(config.Limits.RunTime)
	}
	return config, nil
}

func (c *command) readConfigFile(file string, r *repo.Repo, given settings.GivenLimits) (*settings.Config, error) {
	if file != "" {
		file = c.abs(file)
	} else {
		start, root := c.Dir, ""
		if r != nil {
			start, root = r.ConfigDir(), r.Root
		}
		file = settings.Find(start, root)
	}
	if file == "" {
		return settings.Default(), nil
	}
	read := regular.ReadFile
	switch {
	case c.unsaved != nil:
		read = c.unsaved
	case r != nil:
		read = r.ReadNamed
	}
	loaded, err := settings.Load(file, read)
	if err != nil {
		return nil, err
	}
	loaded = loaded.RelativeTo(c.rootOf(r))
	if r != nil && r.Contains(file) {
		return loaded, errors.Join(loaded.CheckInside(), loaded.CheckLimits(given))
	}
	return loaded, nil
}

// abs returns a path that is relative to the working directory as an absolute path.
func (c *command) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}

// scene is the repository about which a command asks, with its configuration.
type scene struct {
	repo      *repo.Repo
	config    *settings.Config
	requested *loader.RequestedTargets
}

// errStdin is the error of commands that read a repository and get "-" as a path.
var errStdin = errors.New("- (standard input) is supported by salint lint only: pass files or folders")

// openScene opens the repository that encloses the paths; without paths, the one of the working directory.
func (c *command) openScene(ctx *cli.Context, paths []string) (*scene, error) {
	if slices.Contains(paths, "-") {
		return nil, errStdin
	}
	r, err := repo.Open(c.Dir, paths)
	if err != nil {
		return nil, err
	}
	s := &scene{repo: r}
	if s.config, err = c.readConfigFor(ctx, r); err != nil {
		return nil, err
	}
	if s.requested, err = loader.ReadRequestedTargets(ctx.String("target"), s.config); err != nil {
		return nil, err
	}
	if ctx.String("target") != "" { // the other commands do not depend on the target
		c.warn(s.requested.AssumptionNotes())
	}
	return s, nil
}

// read reads the objects of some kinds, see [loader.Read].
func (s *scene) read(ctx *cli.Context, kinds map[string][]string) (*loader.Repository, error) {
	w, err := s.readTree(ctx.Context, loader.FromRepo(s.repo), loader.Kinds(kinds, access.AuthorizationKinds()), ctx.String(apiVersionsFlag))
	if err != nil {
		return nil, err
	}
	unread, err := s.repo.UnreadSubmodules(ctx.Context)
	if err != nil {
		return nil, err
	}
	for _, dir := range unread {
		w.Gaps = append(w.Gaps, notCheckedOut(dir))
	}
	return w, nil
}

// notCheckedOut says that nothing is known of a submodule.
func notCheckedOut(submodule string) string {
	return "the submodule " + submodule + " is not checked out"
}

// readTree reads the objects of some kinds of a tree of the repository.
func (s *scene) readTree(ctx context.Context, tree loader.Tree, kinds map[string][]string, apiVersions string) (*loader.Repository, error) {
	return loader.Read(ctx, tree, loader.Options{
		Kinds:     kinds,
		Walk:      repo.WalkOptions{Exclude: s.config.ExcludePatterns(), MaxFileSize: s.config.Limits.FileSize},
		Asked:     s.requested.For,
		Overrides: s.requested.Overrides,
		Limits:    render.Limits{Time: s.config.Limits.RenderTime, Memory: s.config.Limits.RenderMemory},
		Charts:    chartSettings(s.config, s.repo, apiVersions), Embedded: lint.EmbeddedKinds(s.config),
	})
}

// rel returns the path of a file of the repository relative to the working directory.
func (s *scene) rel(file string) string { return report.Rel(s.repo.Root, s.repo.WorkDir, file) }

// sceneFlags returns the flags of all commands that ask about a repository. The default format is the first.
func sceneFlags(formats []string) []cli.Flag {
	return []cli.Flag{
		formatFlag("answer", formats),
		&cli.StringFlag{Name: "config", Usage: "`FILE` to read instead of the nearest .salint.yaml"},
		limits(),
	}
}

const limitFlag = "limits"

// limits returns the flag that sets limits, also above those that a file of the repository can set.
func limits() cli.Flag {
	return &cli.StringSliceFlag{Name: limitFlag, EnvVars: []string{"SALINT_LIMITS"},
		Usage: "limit as `NAME=VALUE`, such as renderTime=60s, like limits: in .salint.yaml, which can only lower them (repeatable)"}
}

// releaseFlag returns the flag --target of a command that takes something from the release, see versionsOf.
func releaseFlag(use string) cli.Flag {
	return &cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model, or a release `NAME` such as ocp-4.20; " + use}
}
