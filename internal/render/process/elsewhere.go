package process

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"sync"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/render/protocol"
)

// The minor versions of Kubernetes between which clusters are expected. Charts test for older ones, too, that are no longer in use.
const (
	oldestMinor = 28
	newestMinor = 40 // that of protocol.NewestKubeVersion
	// maxMinors and maxVersions limit with how many versions of Kubernetes and single API versions a chart is rendered.
	maxMinors, maxVersions = 8, 4
)

var (
	// minorVersion is a version of Kubernetes, as templates compare it.
	minorVersion = lazyregexp.New(`\b1\.(\d\d)\b`)
	// minorNumber finds where templates take the number of a version out of it.
	minorNumber = lazyregexp.New(`\.(Minor|Major)\b|\bsemver\s|\b(must)?(regex|split|substr|trunc)\w*\s[^}]*[kK]ubeVersion|[kK]ubeVersion[^}]*\b(must)?(regex|split|substr|trunc)`)
	// unstable is an API version that clusters do not serve unless they are told to (KEP-3136), or that was removed.
	unstable = lazyregexp.New(`\bv\d+(alpha|beta)\d+\b`)
)

// asked are the API versions that templates of the current rendering asked for. A child process renders one chart at a time, and the
// method of a slice has no other place for them: templates must be able to use the versions as a list.
var asked map[string]bool

// recordedVersions are API versions that record in asked which of them templates test.
type recordedVersions chartutil.VersionSet

// Has is [chartutil.VersionSet.Has].
func (v recordedVersions) Has(version string) bool {
	asked[version] = true
	return chartutil.VersionSet(v).Has(version)
}

// recordedCapabilities is what templates know as .Capabilities.
type recordedCapabilities struct {
	*chartutil.Capabilities
	APIVersions recordedVersions
}

// recordTests makes the rendering with these values record in asked which API versions templates test.
func recordTests(scope chartutil.Values) {
	asked = map[string]bool{}
	if known, ok := scope["Capabilities"].(*chartutil.Capabilities); ok {
		scope["Capabilities"] = &recordedCapabilities{known, recordedVersions(known.APIVersions)}
	}
}

// elsewhere renders a chart as clusters would that have other API versions or another version of Kubernetes, and returns what differs from
// the given texts. Clusters that the chart refuses count as the same.
func elsewhere(clusters []protocol.Elsewhere, request protocol.Chart, texts map[string]string, sources map[string]protocol.Template) []protocol.Elsewhere {
	var found []protocol.Elsewhere
	unsteady := sync.OnceValue(func() map[string]bool { return unsteadyTemplates(request, texts) })
	for _, other := range clusters {
		there := request
		there.KubeVersion, there.Stable = cmp.Or(other.KubeVersion, request.KubeVersion), request.Stable || len(other.Removed) > 0
		there.APIVersions = slices.Concat(request.APIVersions, other.APIVersions)
		rendered, err := renderAs(there, nil)
		if err != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if path.Base(name) != notesFile && rendered[name] != texts[name] && !unsteady()[name] {
				template := sources[name]
				template.Text = rendered[name]
				other.Templates = append(other.Templates, template)
			}
		}
		if len(other.Templates) > 0 {
			found = append(found, other)
		}
	}
	return found
}

// unsteadyTemplates returns the templates that differ without a reason in the cluster: they read the clock.
func unsteadyTemplates(request protocol.Chart, texts map[string]string) map[string]bool {
	found := map[string]bool{}
	again, err := renderAs(request, nil)
	if err != nil {
		return found
	}
	for name, text := range texts {
		found[name] = again[name] != text
	}
	return found
}

// others returns the clusters for which a chart may render something else; none if the request does not ask for them.
func others(c *chart.Chart, request protocol.Chart) []protocol.Elsewhere {
	if !request.Elsewhere {
		return nil
	}
	var all []protocol.Elsewhere
	var composed, removed []string
	for _, version := range slices.Sorted(maps.Keys(asked)) {
		isServed := slices.Contains(chartutil.DefaultVersionSet, version)
		switch {
		case isServed && !request.Stable && unstable().MatchString(version):
			removed = append(removed, version)
		case !isServed && !slices.Contains(request.APIVersions, version) && !isWritten(c, version):
			composed = append(composed, version)
		}
	}
	if len(composed) > maxVersions {
		all = append(all, protocol.Elsewhere{APIVersions: composed})
	} else {
		for _, version := range composed {
			all = append(all, protocol.Elsewhere{APIVersions: []string{version}})
		}
	}
	if len(removed) > 0 {
		all = append(all, protocol.Elsewhere{Removed: removed})
	}
	if request.AnyKubeVersion {
		for _, minor := range testedMinors(c) {
			all = append(all, protocol.Elsewhere{KubeVersion: fmt.Sprintf("v1.%d.0", minor)})
		}
	}
	return all
}

// isWritten reports whether the version is written at a test, which is found without rendering.
func isWritten(c *chart.Chart, version string) bool {
	return anyTemplate(c, func(data []byte) bool {
		return slices.ContainsFunc(protocol.VersionTests(data), func(t protocol.VersionTest) bool { return t.Version == version })
	})
}

// testedMinors returns the minor versions of Kubernetes at which a chart may begin to render something else: those that templates name, with the
// one before each, and the ends of the range if templates compare numbers. It is empty if they only name versions that are no longer in use.
func testedMinors(c *chart.Chart) []int {
	if !anyTemplate(c, func(data []byte) bool { return bytes.Contains(data, []byte("KubeVersion")) }) {
		return nil
	}
	minors := map[int]bool{}
	if anyTemplate(c, minorNumber().Match) {
		minors[oldestMinor], minors[newestMinor] = true, true
	}
	anyTemplate(c, func(data []byte) bool {
		for _, match := range minorVersion().FindAllSubmatch(data, -1) {
			minor, _ := strconv.Atoi(string(match[1]))
			for _, near := range []int{minor - 1, minor} {
				if near >= oldestMinor && near <= newestMinor && len(minors) < maxMinors {
					minors[near] = true
				}
			}
		}
		return false
	})
	return slices.Sorted(maps.Keys(minors))
}

// anyTemplate reports whether a function does so for a template of the chart or of its dependencies.
func anyTemplate(c *chart.Chart, is func([]byte) bool) bool {
	return slices.ContainsFunc(c.Templates, func(f *chart.File) bool { return is(f.Data) }) ||
		slices.ContainsFunc(c.Dependencies(), func(d *chart.Chart) bool { return anyTemplate(d, is) })
}
