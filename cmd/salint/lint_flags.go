package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/salint/salint/cmd/salint/internal/flags"
)

// checkFlags rejects invalid combinations of flags before the run.
func (l *linter) checkFlags() error {
	switch {
	case !l.stdin && slices.Contains(l.paths, "-"):
		return errors.New("- (standard input) cannot be linted together with other paths")
	case l.ctx.IsSet(flags.WorkspaceName) && l.stdin:
		return errors.New("--workspace cannot be used with standard input")
	case l.ctx.IsSet(flags.WorkspaceName) && l.fixes():
		return errors.New("--workspace cannot be used with --fix and --diff: fix one repository at a time, in its folder")
	case l.ctx.Bool("fix") && l.ctx.Bool("diff"):
		return errors.New("--fix and --diff cannot be used together")
	case !l.fixes() && l.ctx.Bool("unsafe-fixes"):
		return errors.New("--unsafe-fixes requires --fix or --diff")
	case !l.fixes() && l.ctx.Bool("prune"):
		return errors.New("--prune requires --fix or --diff")
	case !l.fixes() && l.ctx.Bool("prune-only"):
		return errors.New("--prune-only requires --fix or --diff")
	case l.ctx.Bool("prune-only") && l.ctx.Bool("unsafe-fixes"):
		return errors.New("--prune-only and --unsafe-fixes cannot be used together")
	case !l.fixes() && l.ctx.Bool("shared"):
		return errors.New("--shared requires --fix or --diff")
	case !l.fixes() && l.ctx.Bool("set-target"):
		return errors.New("--set-target requires --fix or --diff")
	case l.ctx.Bool("set-target") && l.ctx.String("target") == "auto":
		return errors.New("--set-target requires --target")
	case l.stdin && l.ctx.Bool("set-target"):
		return errors.New("--set-target cannot be used with standard input")
	case l.stdin && l.ctx.String("changed-since") != "":
		return errors.New("--changed-since cannot be used with standard input")
	case l.stdin && l.ctx.String("settings-since") != "":
		return errors.New("--settings-since cannot be used with standard input")
	case l.ctx.String("changed-since") != "" && l.ctx.String("settings-since") != "":
		return errors.New("--settings-since and --changed-since cannot be used together: --changed-since also notes changed settings")
	case l.stdin && l.ctx.String("config-from") != "":
		return errors.New("--config-from cannot be used with standard input")
	case l.ctx.String("config") != "" && l.ctx.String("config-from") != "" && !l.ctx.Bool(flags.MergeName):
		return errors.New("--config and --config-from cannot be used together, except with --merge")
	case l.stdin && len(l.ctx.StringSlice("bundle")) > 0:
		return errors.New("--bundle cannot be used with standard input: bundles are read from the repository")
	}
	return l.checkWorkspace()
}

// checkWorkspace rejects what is about one repository.
func (l *linter) checkWorkspace() error {
	if !l.ctx.IsSet(flags.WorkspaceName) {
		return nil
	}
	for _, flag := range []string{"changed-since", "settings-since", "config-from", "repository", "revision", "write-baseline"} {
		if l.ctx.String(flag) != "" {
			return fmt.Errorf("--workspace cannot be used with --%s, which is about one repository", flag)
		}
	}
	return nil
}

const lintExitCodes = `
EXIT CODES:
   0  no findings at or above --fail-on (with --fix, among those that remain), or --write-baseline is given
   1  findings, or --diff printed a change
   2  usage error, unreadable input, or internal error; with --strict also if a selected file was not checked; or --fix changed nothing because fixes require --target, or because --target contradicts .salint.yaml
   130  interrupted by Ctrl-C; 128 and the number of the signal for others
`
