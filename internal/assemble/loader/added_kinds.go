package loader

import (
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
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
