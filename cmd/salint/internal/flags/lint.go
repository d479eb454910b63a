package flags

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/internal/output/report"
)

// Lint returns the flags of salint lint.
func Lint() []cli.Flag {
	return []cli.Flag{
		Members(),
		&cli.StringFlag{Name: "target", Value: "auto", Usage: "a release `NAME` such as olm-1.11 or ocp-4.20, a model (required, synthetic, ignored, removed), or auto"},
		&cli.BoolFlag{Name: "fix", Usage: "apply the safe fixes", DisableDefaultText: true},
		&cli.BoolFlag{Name: "unsafe-fixes", Usage: "with --fix or --diff, also apply fixes that can change behavior", DisableDefaultText: true},
		&cli.BoolFlag{Name: "diff", Usage: "print the changes of --fix as a unified diff, without changing files", DisableDefaultText: true},
		&cli.StringFlag{Name: "grant", Usage: "`HOW` --fix grants permissions to a synthetic identity, or to the account if one is required: carry-over, least-privilege (what the bundle needs), group, role=NAME (default: carry-over)"},
		&cli.StringSliceFlag{Name: "bundle", Usage: "bundle of an extension as `EXTENSION=DIR`, like bundles: in .salint.yaml (repeatable)"},
		&cli.BoolFlag{Name: "prune", Usage: "with --fix or --diff, also remove what only the removed field kept in use", DisableDefaultText: true},
		&cli.BoolFlag{Name: "prune-only", Usage: "like --prune, but make no other fixes", DisableDefaultText: true},
		&cli.BoolFlag{Name: "set-target", Usage: "with --fix or --diff, also set the target of .salint.yaml to --target where the two differ; without it, nothing is fixed if they contradict each other", DisableDefaultText: true},
		&cli.BoolFlag{Name: "shared", Usage: "with --fix or --diff, also edit files that deployment units outside of the paths share", DisableDefaultText: true},
		Format("report (--output FORMAT=FILE also writes one to a file)", report.Formats()),
		Output(),
		&cli.StringFlag{Name: "fail-on", Usage: "minimum `SEVERITY` that causes exit code 1: error, warning, note, never (default: warning)"},
		&cli.BoolFlag{Name: "strict", Usage: "exit with 2 if a selected file was not checked", DisableDefaultText: true},
		&cli.StringSliceFlag{Name: "enable", Usage: "`RULE` or glob to turn on, even if it is opt-in or off (repeatable)"},
		&cli.StringSliceFlag{Name: "disable", Usage: "`RULE` or glob to turn off (repeatable)"},
		&cli.StringSliceFlag{Name: "only", Usage: "evaluate no other rules than `RULE` or a glob; repo/* still reports what is not checked (repeatable)"},
		&cli.StringFlag{Name: "min-severity", Usage: "list no findings below `SEVERITY` (error, warning, note); they still count"},
		&cli.StringFlag{Name: "group", Value: string(report.ByCause), Usage: "`HOW` the text format joins findings: " + strings.Join(report.Groupings(), ", ")},
		&cli.BoolFlag{Name: "statistics", Usage: "in the text format, print the number of findings of each rule instead of the findings", DisableDefaultText: true},
		&cli.StringSliceFlag{Name: "policy", Usage: "`DIR` or bundle with your own Rego rules (repeatable)"},
		&cli.StringFlag{Name: "baseline", Usage: "`FILE` with known findings that are not reported (default: the one of the configuration)"},
		&cli.StringFlag{Name: "write-baseline", Usage: "write the findings of this run, and those that the baseline hides, to `FILE` as a baseline, then exit 0"},
		&cli.BoolFlag{Name: "show-suppressed", Usage: "also list the findings that comments, annotations, and the baseline silence", DisableDefaultText: true},
		&cli.StringFlag{Name: "changed-since", Usage: "report only on files that git says changed since `REV`"},
		&cli.StringFlag{Name: "settings-since", Usage: "note which settings, policies, baselines, and ignore comments differ from `REV`; --changed-since does that, too"},
		Config(), Merge(),
		&cli.StringFlag{Name: "config-from", Usage: "read .salint.yaml and the policies that it names as they were at `REV`, and not those of a pull request"},
		&cli.StringFlag{Name: "repository", Usage: "`NAME` or address of the repository for JSON and SARIF reports (default: the remote origin of git, without credentials)"},
		&cli.StringFlag{Name: "revision", Usage: "`COMMIT` for JSON and SARIF reports (default: the one that is checked out)"},
		&cli.BoolFlag{Name: "chains", Usage: "in JSON reports, also list who can become cluster-admin, with the shortest chain of steps, which salint plan --reports lists", DisableDefaultText: true},
		Limits(),
		APIVersions(),
		&cli.StringFlag{Name: "cache", Usage: "folder `DIR` with the results of earlier builds, which later runs read; --fix, --diff, and SARIF reports do not use it"},
		&cli.StringFlag{Name: "now", Usage: "`TIME` in RFC 3339 to use as the current time (default: now)"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print only the findings", DisableDefaultText: true},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "list all notes and places, with the target and the title of each rule", DisableDefaultText: true},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` to use colors: auto, always, never"},
		Progress(),
		&cli.BoolFlag{Name: "stats", Usage: "print the work of the run to standard error: files, builds, evaluations, milliseconds", DisableDefaultText: true},
		&cli.BoolFlag{Name: "version", Usage: "print the version", DisableDefaultText: true},
	}
}
