package catalogs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/kube/bundlesupport"
)

// Bundle is an entry of a catalog.
type Bundle struct {
	Name, Image string
	// Version is the version with its build metadata, as the catalog has it.
	Version string
	// Requires is the type of a property by which the bundle depends on another one, for which operator-controller refuses it; otherwise "".
	Requires string

	version semver.Version
	// explicit is the property release; nil if there is none.
	explicit *string
	valid    bool
}

// setVersion reads the property olm.package.
func (b *Bundle) setVersion(value json.RawMessage) {
	var property struct {
		Version string  `json:"version"`
		Release *string `json:"release"`
	}
	if json.Unmarshal(value, &property) != nil {
		return
	}
	b.Version, b.explicit = property.Version, property.Release
	version, err := semver.Parse(property.Version)
	b.version, b.valid = version, err == nil
}

// problem says why the bundle has no usable version.
func (b *Bundle) problem() string {
	switch {
	case b.Version == "":
		return "it has no version: the property olm.package is missing, or has none"
	case b.valid && b.explicit != nil:
		return fmt.Sprintf("%q is not a release", *b.explicit)
	}
	return fmt.Sprintf("%q is not a version", b.Version)
}

// ordering is how a release of operator-controller compares bundles of one version.
//
// Source: operator-controller at the tags v1.0.0 to v1.11.0: bundleutil/bundle.go, catalogmetadata/compare/compare.go, and from v1.8 to v1.10
// bundle/versionrelease.go.
type ordering struct {
	// builds is set if build metadata is the release of a bundle; otherwise it is ignored. explicit is set if the property release takes
	// precedence.
	builds, explicit bool
	// semver is set if each newer version of the same major version is an upgrade, whatever the channels have.
	semver bool
}

func orderingOf(r bundlesupport.Release) ordering {
	return ordering{builds: r.BuildsAreReleases(), explicit: r.ExplicitReleases(), semver: r.SemverUpgrades()}
}

// releaseOf returns the release of a bundle, by which bundles of one version are ordered; valid is false if operator-controller cannot read
// its version.
func (o ordering) releaseOf(b *Bundle) (release []semver.PRVersion, valid bool) {
	switch {
	case o.explicit && b.valid && b.explicit != nil && *b.explicit != "":
		release, valid = parseRelease(strings.Split(*b.explicit, "."))
		return release, valid
	case o.explicit && b.explicit != nil, !o.builds, !b.valid:
		return nil, b.valid
	}
	release, _ = parseRelease(b.version.Build)
	return release, true
}

func parseRelease(segments []string) (release []semver.PRVersion, valid bool) {
	for _, segment := range segments {
		part, err := semver.NewPRVersion(segment)
		if err != nil {
			return nil, false
		}
		release = append(release, part)
	}
	return release, true
}

// compare orders bundles by version, then by release; invalid ones come first.
func (o ordering) compare(a, b *Bundle) int {
	aRelease, aValid := o.releaseOf(a)
	bRelease, bValid := o.releaseOf(b)
	switch {
	case aValid != bValid && aValid:
		return 1
	case aValid != bValid:
		return -1
	case !aValid:
		return 0
	}
	if c := a.version.Compare(b.version); c != 0 {
		return c
	}
	if len(aRelease) == 0 || len(bRelease) == 0 {
		return len(aRelease) - len(bRelease)
	}
	return semver.Version{Pre: aRelease}.Compare(semver.Version{Pre: bRelease})
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
func (b *Bundle) folder() string { return shell.Path(strings.ReplaceAll(b.Name, "/", "-")) }
