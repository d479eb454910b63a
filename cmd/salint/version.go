package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// version is the version of this program without a leading v, such as 0.1.0, or "devel" where it is unknown.
//
// The Makefile stamps it (-ldflags "-X main.version=…"), so it must stay a plain
// string without an initialiser: the linker cannot set any other.
var version string

// A program built by `go install …@v0.1.0` has no stamp; the module's version is in its build information.
func init() {
	info, _ := debug.ReadBuildInfo()
	version = chooseVersion(version, info)
}

// chooseVersion prefers the stamp to the build information, which may be nil.
func chooseVersion(stamp string, info *debug.BuildInfo) string {
	chosen := stamp
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
		CustomHelpTemplate: commandHelp("salint version", "salint --version"),
		Action:             func(*cli.Context) error { return c.printVersion() },
	}
}

func (c *command) printVersion() error {
	_, err := fmt.Fprintf(c.Stdout, "salint %s\n", version)
	return err
}
