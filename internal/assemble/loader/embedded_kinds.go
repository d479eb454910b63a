package loader

import (
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

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
