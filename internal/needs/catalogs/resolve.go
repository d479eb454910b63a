package catalogs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/versionrange"
)

// Request is what an extension requests.
type Request struct {
	Package string
	// Version is a range, Channels are names; both can be empty.
	Version  string
	Channels []string
	// Installed is the name or the version of the installed bundle; "" for a new installation.
	Installed string
	// Support is the release of operator-controller that resolves.
	Support bundlesupport.Release
}

// Resolution is the bundle that OLM installs.
type Resolution struct {
	Catalog *Catalog
	*Bundle
	// Channels are those that have it.
	Channels []string
	// Deprecated is the message about a deprecated bundle; IsDeprecated is set if it is deprecated.
	Deprecated   string
	IsDeprecated bool
	// Edge is how the installed bundle is upgraded to it: the channel and what its entry says; "" for a new installation, and for the
	// installed bundle itself.
	Edge string
	// Elsewhere is the installed bundle if the catalog does not have it; otherwise nil.
	Elsewhere *Bundle
	// Before is the bundle that releases before v1.8 install, if the release is unknown and they install another one; otherwise nil.
	Before *Bundle
}

// Resolve returns the bundle that OLM installs from catalogs: the newest one that is not deprecated, in the range and the channels, that
// upgrades the installed one. Of several catalogs, that with the highest priority decides. The error says why there is none, or which catalogs
// are equal.
//
// Source: operator-controller at the tags v1.0.0 to v1.11.0, resolve/catalog.go, which differs in what [ordering] says only.
func Resolve(all []*Catalog, r Request) (*Resolution, error) {
	found, err := resolve(all, r, orderingOf(r.Support))
	if err != nil || r.Support.Known() {
		return found, err
	}
	before, err := resolve(all, r, ordering{})
	if err == nil && before.Bundle != found.Bundle {
		found.Before = before.Bundle
	}
	return found, nil
}

func resolve(all []*Catalog, r Request, o ordering) (*Resolution, error) {
	if r.Version != "" {
		if problem := versionrange.Problem(r.Version); problem != "" {
			return nil, fmt.Errorf("version %q: %s", r.Version, problem)
		}
	}
	installed, err := installedIn(all, r.Installed)
	if err != nil {
		return nil, err
	}
	var found []*Resolution
	for _, c := range all {
		candidate := c.newest(r, installed, o)
		switch {
		case candidate == nil:
		case len(found) > 0 && candidate.IsDeprecated && !found[len(found)-1].IsDeprecated:
		case len(found) > 0 && !candidate.IsDeprecated && found[len(found)-1].IsDeprecated:
			found = []*Resolution{candidate}
		default:
			found = append(found, candidate)
		}
	}
	slices.SortStableFunc(found, func(a, b *Resolution) int { return b.Catalog.Priority - a.Catalog.Priority })
	switch {
	case len(found) == 0:
		return nil, noBundle(all, r)
	case len(found) > 1 && found[0].Catalog.Priority == found[1].Catalog.Priority:
		return nil, ambiguous(found, r)
	case !isValid(found[0].Bundle, o):
		return nil, fmt.Errorf("OLM selects %s of %s, and installs nothing, because %s", found[0].Name, found[0].Catalog.Name, found[0].problem())
	}
	return found[0], nil
}

func isValid(b *Bundle, o ordering) bool {
	_, valid := o.releaseOf(b)
	return valid
}

// newest returns the bundle of a catalog that OLM prefers; nil if none can be installed.
func (c *Catalog) newest(r Request, installed *Bundle, o ordering) *Resolution {
	var candidates []*Bundle
	for _, b := range c.Bundles {
		if len(r.Channels) > 0 && len(c.channelsOf(b, r.Channels)) == 0 {
			continue
		}
		if allowed, ok := versionrange.Allows(r.Version, b.version.String()); r.Version != "" && (!ok || !allowed || !isValid(b, o)) {
			continue
		}
		if installed != nil && o.compare(b, installed) != 0 && c.edge(installed, b, r.Channels, o) == "" {
			continue
		}
		candidates = append(candidates, b)
	}
	if len(candidates) == 0 {
		return nil
	}
	slices.SortStableFunc(candidates, func(a, b *Bundle) int {
		_, aDeprecated := c.deprecated[a.Name]
		_, bDeprecated := c.deprecated[b.Name]
		if aDeprecated != bDeprecated {
			if aDeprecated {
				return 1
			}
			return -1
		}
		return o.compare(b, a)
	})
	best := candidates[0]
	message, deprecated := c.deprecated[best.Name]
	resolution := &Resolution{Catalog: c, Bundle: best, Channels: c.channelsOf(best, nil), Deprecated: message, IsDeprecated: deprecated}
	if installed != nil && o.compare(best, installed) != 0 {
		resolution.Edge = c.edge(installed, best, r.Channels, o)
	}
	if installed != nil && installed.Image == "" && !c.has(installed) {
		resolution.Elsewhere = installed
	}
	return resolution
}

func (c *Catalog) has(b *Bundle) bool {
	return slices.ContainsFunc(c.Bundles, func(o *Bundle) bool { return o.Name == b.Name })
}

// installedIn returns the installed bundle by its name or version; nil if nothing is installed. Catalogs drop old bundles: the name of one that
// none has is that by which a channel replaces or skips it, and its version is the end of its name.
func installedIn(all []*Catalog, what string) (*Bundle, error) {
	if what == "" {
		return nil, nil
	}
	version := strings.TrimPrefix(what, "v")
	for _, c := range all {
		for _, b := range c.Bundles {
			if b.Name == what || b.Version == version {
				return b, nil
			}
		}
	}
	unknown := &Bundle{Name: what}
	if unknown.setVersion(versionProperty(version)); unknown.valid {
		if name := replacedName(all, version); name != "" {
			unknown.Name = name
		}
		return unknown, nil
	}
	if _, end, found := strings.Cut(what, ".v"); found {
		unknown.setVersion(versionProperty(end))
	}
	if !unknown.valid {
		return nil, fmt.Errorf("the installed bundle %s is in no catalog, and is neither a version nor a name that ends with one, as in NAME.v1.2.3", what)
	}
	return unknown, nil
}

func versionProperty(version string) []byte { return fmt.Appendf(nil, `{"version":%q}`, version) }

// replacedName returns the name with a version that a channel replaces or skips; "" if there is none.
func replacedName(all []*Catalog, version string) string {
	for _, c := range all {
		for _, channel := range c.Channels {
			for _, e := range channel.Entries {
				for _, name := range append([]string{e.Replaces}, e.Skips...) {
					if strings.HasSuffix(name, ".v"+version) || strings.HasSuffix(name, "."+version) {
						return name
					}
				}
			}
		}
	}
	return ""
}

// edge returns how a channel upgrades one bundle to another; "" if none does. If channels are selected, OLM knows no upgrades of others.
//
// Source: operator-controller v1.10.0, resolve/catalog.go: it empties the channels that are not selected, before it reads successors.
func (c *Catalog) edge(from, to *Bundle, selected []string, o ordering) string {
	if o.semver {
		return semverEdge(from, to)
	}
	for _, channel := range c.Channels {
		if len(selected) > 0 && !slices.Contains(selected, channel.Name) {
			continue
		}
		for _, e := range channel.Entries {
			if e.Name != to.Name || !from.replacedBy(e) {
				continue
			}
			switch {
			case e.Replaces == from.Name:
				return fmt.Sprintf("channel %s: it replaces %s", channel.Name, from.Name)
			case slices.Contains(e.Skips, from.Name):
				return fmt.Sprintf("channel %s: it skips %s", channel.Name, from.Name)
			}
			return fmt.Sprintf("channel %s: its skipRange %s includes %s", channel.Name, e.SkipRange, from.version)
		}
	}
	return ""
}

// semverEdge is [Catalog.edge] while the gate ForceSemverUpgradeConstraints is on (catalogmetadata/filter/successors.go at v1.0.0 and v1.1.0).
func semverEdge(from, to *Bundle) string {
	if allowed, ok := versionrange.Allows("^"+from.version.String(), to.version.String()); !ok || !allowed {
		return ""
	}
	return fmt.Sprintf("it is a newer version of the same major version than %s, because the gate %s is on", from.version, olm.SemverGate)
}

// channelsOf returns the channels that have a bundle, of those with given names, or of all.
func (c *Catalog) channelsOf(b *Bundle, names []string) []string {
	var found []string
	for _, channel := range c.Channels {
		wanted := len(names) == 0 || slices.Contains(names, channel.Name)
		if wanted && slices.ContainsFunc(channel.Entries, func(e Entry) bool { return e.Name == b.Name }) {
			found = append(found, channel.Name)
		}
	}
	return found
}

func (r Request) String() string {
	text := "package " + r.Package
	if r.Version != "" {
		text += fmt.Sprintf(" in the version %s", r.Version)
	}
	if len(r.Channels) > 0 {
		text += " in the channels " + strings.Join(r.Channels, ", ")
	}
	if r.Installed != "" {
		text += " that upgrades " + r.Installed
	}
	return text
}

// noBundle says what the catalogs have instead.
func noBundle(all []*Catalog, r Request) error {
	var versions, channels []string
	found := false
	for _, c := range all {
		found = found || c.found
		for _, b := range c.Bundles {
			versions = append(versions, b.Version)
		}
		for _, channel := range c.Channels {
			channels = append(channels, channel.Name)
		}
	}
	if !found {
		return fmt.Errorf("no catalog has the package %s", r.Package)
	}
	return fmt.Errorf("no bundle of %s: the versions are %s, and the channels %s", r, listed(versions), listed(channels))
}

func listed(names []string) string {
	slices.Sort(names)
	names = slices.Compact(names)
	const shown = 12
	if more := len(names) - shown; more > 0 {
		return fmt.Sprintf("%s, and %d more", strings.Join(names[:shown], ", "), more)
	}
	return strings.Join(names, ", ")
}

func ambiguous(found []*Resolution, r Request) error {
	var names []string
	for _, f := range found {
		if f.Catalog.Priority == found[0].Catalog.Priority {
			names = append(names, fmt.Sprintf("%s (%s)", f.Catalog.Name, f.Name))
		}
	}
	return &ambiguousError{fmt.Sprintf("several catalogs of the same priority have a bundle of %s, so OLM installs none: %s. Set priorities, as in --catalog 10=DIR", r, strings.Join(names, ", "))}
}

// ambiguousError is the error about catalogs of the same priority.
type ambiguousError struct{ text string }

func (e *ambiguousError) Error() string { return e.text }
