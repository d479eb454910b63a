// Package kubeversion holds the versions of Kubernetes that a cluster can run, as far as its target determines them.
package kubeversion

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a minor version of Kubernetes: 34 is Kubernetes 1.34.
type Version int

// Oldest and Newest are the versions whose default roles package rbac has.
const (
	Oldest Version = 31
	Newest Version = 37
)

// String returns the version as users write it, as in 1.34.
func (v Version) String() string { return "1." + strconv.Itoa(int(v)) }

// Parse reads a version in the form 1.34. A patch release, or a leading v, is an error.
func Parse(text string) (Version, error) {
	minor, found := strings.CutPrefix(text, "1.")
	n, err := strconv.Atoi(minor)
	if !found || err != nil || n < 0 || Version(n).String() != text {
		return 0, fmt.Errorf("%q is not a version of Kubernetes such as %s", text, Newest)
	}
	return Version(n), nil
}

// Range is the set of versions that a cluster can run. The zero value is any version.
type Range struct {
	// From is the oldest version, and To the newest one; 0 is unknown.
	From, To Version
}

// Exactly returns the range of one version.
func Exactly(v Version) Range { return Range{v, v} }

// AtLeast returns the range of a version and all later ones.
func AtLeast(v Version) Range { return Range{From: v} }

// OrLater returns the range without its upper limit.
func (r Range) OrLater() Range { return Range{From: r.From} }

// Known reports whether the range has only one version.
func (r Range) Known() bool { return r.From == r.To && r.From != 0 }

// Join returns the versions between the oldest and the newest of both ranges.
func (r Range) Join(other Range) Range {
	joined := Range{From: min(r.From, other.From), To: max(r.To, other.To)}
	if r.To == 0 || other.To == 0 {
		joined.To = 0
	}
	return joined
}

// All reports whether all versions of the range have what was added in a version; Oldest is the version of what was never added.
func (r Range) All(since Version) bool { return since <= max(r.From, Oldest) }

// Before reports whether all versions of the range are older than the one that removed something.
func (r Range) Before(until Version) bool { return r.To != 0 && r.To < until }

// Last returns the range of the newest version that the cluster can run, or of all that are newer than the known ones.
func (r Range) Last() Range {
	if r.To == 0 {
		return AtLeast(max(r.From, Newest))
	}
	return Exactly(r.To)
}

// String returns the range in a form for tables: 1.34, 1.35 or later, or unknown.
func (r Range) String() string {
	switch {
	case r.Known():
		return r.From.String()
	case r.To != 0:
		return max(r.From, Oldest).String() + " to " + r.To.String()
	case r.From != 0:
		return r.From.String() + " or later"
	}
	return "unknown"
}

// AsOf says of what all versions of the range have which versions these are, as in "Kubernetes 1.34".
func (r Range) AsOf() string {
	if r.Known() {
		return "Kubernetes " + r.From.String()
	}
	return "Kubernetes " + max(r.From, Oldest).String() + " and later"
}
