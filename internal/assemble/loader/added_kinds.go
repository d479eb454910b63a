package loader

import (
	"slices"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/testfiles"
	"github.com/salint/salint/internal/kube/objects"
)

// PodSpecs returns the kinds with a pod template that the configuration adds. The configuration has the path of the template, whose
// `spec` is the pod specification.
func PodSpecs(c *settings.Config) []objects.PodSpecKind {
	var kinds []objects.PodSpecKind
	for _, p := range c.PodSpecs {
		path, err := manifest.ParsePath(p.Path)
		if err != nil {
			continue // an error when the configuration was read
		}
		kinds = append(kinds, objects.PodSpecKind{Group: p.Group, Kind: p.Kind, Path: path.Join("spec")})
	}
	return kinds
}

// TestPatterns returns the patterns of data of tests that the configuration adds. What it names as that of a cluster is none.
func TestPatterns(c *settings.Config) []testfiles.Pattern {
	patterns := slices.Clone(c.Tests)
	for _, p := range c.PathPatterns() {
		if p.Key == "clusters" {
			patterns = append(patterns, testfiles.Pattern{Path: p.Path, Not: true})
		}
	}
	return patterns
}

// EmbeddedKinds returns the kinds with manifests inside that the configuration adds.
func EmbeddedKinds(c *settings.Config) []objects.EmbeddedKind {
	var kinds []objects.EmbeddedKind
	for _, e := range c.Embedded {
		path, err := manifest.ParsePath(e.Path)
		if err != nil {
			continue // an error when the configuration was read
		}
		kinds = append(kinds, objects.EmbeddedKind{Group: e.Group, Kind: e.Kind, Path: path})
	}
	return kinds
}
