package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/salint/salint/cmd/salint/internal/commandhelp"
	"github.com/salint/salint/cmd/salint/internal/fastpath"
	"github.com/salint/salint/rules/metadata"
)

// version is the version of the program without a leading v, such as 0.1.0, or "devel" if it is unknown.
var version string

// A program built with `go install …@v0.1.0` has its version in the build information.
func init() {
	info, _ := debug.ReadBuildInfo()
	version = chooseVersion(fastpath.Version, info)
	metadata.Running = version
}

// chooseVersion prefers the linked version to the build information, which can be nil.
func chooseVersion(linked string, info *debug.BuildInfo) string {
	chosen := linked
	if chosen == "" && info != nil && info.Main.Version != "(devel)" {
		chosen = info.Main.Version
	}
	if chosen == "" {
		return "devel"
	}
	return strings.TrimPrefix(chosen, "v")
}

func (c *command) versionCommand() *cli.Command {
	return &cli.Command{
		Name:               "version",
		Usage:              "print the version",
		CustomHelpTemplate: commandhelp.Of("salint version", "salint --version"),
		Action:             func(*cli.Context) error { return c.printVersion() },
	}
}

func (c *command) printVersion() error {
	_, err := fmt.Fprint(c.Stdout, fastpath.VersionLine(version))
	return err
}
