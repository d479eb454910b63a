package flags

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// Names of flags that commands read, without the dashes.
const (
	WorkspaceName   = "workspace"
	MergeName       = "merge"
	LimitsName      = "limits"
	APIVersionsName = "helm-api-versions"
)

// Format returns the flag --format, and -o as in kubectl. The first format is the default.
func Format(of string, formats []string) cli.Flag {
	return &cli.StringFlag{Name: "format", Aliases: []string{"o"}, Value: formats[0], Usage: "`FORMAT` of the " + of + ": " + strings.Join(formats, ", ")}
}

// Output returns the flag for additional reports.
func Output() cli.Flag {
	return &cli.StringSliceFlag{Name: "output", Usage: "also write a report to a file, as `FORMAT=FILE`; --format is that of standard output (repeatable)"}
}

// Progress returns the flag that shows how far a run is.
func Progress() cli.Flag {
	return &cli.StringFlag{Name: "progress", Value: "auto", Usage: "`WHEN` to show a progress line in a run of more than a second: auto, always, never"}
}

// Members returns the flag that names several repositories.
func Members() cli.Flag {
	return &cli.StringFlag{Name: WorkspaceName, Usage: "`FILE` with repositories, which are read as one, and the clusters that they feed"}
}

// Scene returns the flags of all commands that ask about a repository. The default format is the first.
func Scene(formats []string) []cli.Flag {
	return []cli.Flag{
		Format("answer", formats),
		Config(), Merge(),
		Limits(),
	}
}

// Config returns the flag that names the settings.
func Config() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "`FILE` to read instead of the nearest .salint.yaml"}
}

// Merge returns the flag with which --config replaces no settings.
func Merge() cli.Flag {
	return &cli.BoolFlag{Name: MergeName, DisableDefaultText: true,
		Usage: "the file of --config only narrows the settings of the repository: rules on, severities up, ignores capped"}
}

// Limits returns the flag that sets limits, also above those that a file of the repository can set.
func Limits() cli.Flag {
	return &cli.StringSliceFlag{Name: LimitsName, EnvVars: []string{"SALINT_LIMITS"},
		Usage: "set a limit, as `NAME=VALUE` such as renderTime=60s, like limits: in .salint.yaml (repeatable)"}
}

// Release returns the flag --target of a command that takes something from the release, such as its default roles.
func Release(use string) cli.Flag {
	return &cli.StringFlag{Name: "target", Value: "auto", Usage: "auto, a model, or a release `NAME` such as ocp-4.20; " + use}
}

// APIVersions returns the flag of all commands that render charts.
func APIVersions() cli.Flag {
	return &cli.StringFlag{Name: APIVersionsName,
		Usage: "comma-separated API `VERSIONS`; charts that test .Capabilities.APIVersions are rendered with and without them"}
}
