package catalogs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/blang/semver/v4"
)

// Bundle is an entry of a catalog.
type Bundle struct {
	Name, Image string
	// Version is the version with its release, as the catalog has it.
	Version string
	// Requires is the type of a property by which the bundle depends on another one, for which operator-controller refuses it; otherwise "".
	Requires string

	version semver.Version
	// release is the build metadata of the version, which orders bundles of one version.
	release []semver.PRVersion
	valid   bool
}

// setVersion reads the property olm.package. An invalid version sorts last, and matches no range.
//
// Source: operator-controller v1.10.0, bundle/versionrelease.go (NewLegacyRegistryV1VersionRelease).
func (b *Bundle) setVersion(value json.RawMessage) {
	var property struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(value, &property) != nil {
		return
	}
	b.Version = property.Version
	version, err := semver.Parse(property.Version)
	if err != nil {
		return
	}
	b.version, b.valid = version, true
	release, err := releaseOf(version.Build)
	if err == nil && len(release) > 0 {
		b.release, b.version.Build = release, nil
	}
}

// problem says why the bundle has no usable version.
func (b *Bundle) problem() string {
	if b.Version == "" {
		return "it has no version: the property olm.package is missing, or has none"
	}
	return fmt.Sprintf("%q is not a version", b.Version)
}

func releaseOf(build []string) ([]semver.PRVersion, error) {
	var release []semver.PRVersion
	for _, segment := range build {
		part, err := semver.NewPRVersion(segment)
		if err != nil {
			return nil, err
		}
		release = append(release, part)
	}
	return release, nil
}

// compare orders bundles by version, then by release; invalid ones come first.
func (b *Bundle) compare(other *Bundle) int {
	switch {
	case b.valid != other.valid:
		if b.valid {
			return 1
		}
		return -1
	case !b.valid:
		return 0
	}
	if c := b.version.Compare(other.version); c != 0 {
		return c
	}
	if len(b.release) == 0 || len(other.release) == 0 {
		return len(b.release) - len(other.release)
	}
	return semver.Version{Pre: b.release}.Compare(semver.Version{Pre: other.release})
}

// replacedBy reports whether an entry of a channel upgrades the bundle. Its ranges are those of OLM v0.
//
// Source: operator-controller v1.10.0, catalogmetadata/filter/successors.go.
func (b *Bundle) replacedBy(e Entry) bool {
	if e.Replaces == b.Name || slices.Contains(e.Skips, b.Name) {
		return true
	}
	if e.SkipRange == "" || !b.valid {
		return false
	}
	skips, err := semver.ParseRange(e.SkipRange)
	return err == nil && skips(semver.Version{Major: b.version.Major, Minor: b.version.Minor, Patch: b.version.Patch, Pre: b.version.Pre})
}

// folder is a folder for the bundle, which no command takes for a flag.
func (b *Bundle) folder() string {
	name := strings.ReplaceAll(b.Name, "/", "-")
	if strings.HasPrefix(name, "-") {
		return "./" + name
	}
	return name
}
