package version

import (
	"runtime/debug"
	"strings"
)

// Version is the version of this program without a leading v, such as 0.1.0, or "devel" where nothing says.
//
// The Makefile stamps it (-ldflags "-X github.com/salint/salint/internal/version.Version=…"), so it must stay a plain
// string without an initialiser: the linker cannot set any other.
var Version string

// A program built by `go install …@v0.1.0` has no stamp; the module's version is in its build information.
func init() {
	info, _ := debug.ReadBuildInfo()
	Version = choose(Version, info)
}

// choose prefers the stamp to the build information, which may be nil.
func choose(stamp string, info *debug.BuildInfo) string {
	version := stamp
	if version == "" && info != nil && info.Main.Version != "(devel)" {
		version = info.Main.Version
	}
	if version == "" {
		return "devel"
	}
	return strings.TrimPrefix(version, "v")
}
