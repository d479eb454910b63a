package lint

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// podSpecs are the kinds that the configuration says to embed a pod. It names the place of the template, which has the
// specification in its `spec`.
func podSpecs(c *settings.Config) []objects.PodSpecKind {
	var kinds []objects.PodSpecKind
	for _, p := range c.PodSpecs {
		path, err := manifest.ParsePath(p.Path)
		if err != nil {
			continue // reading the configuration has refused it
		}
		kinds = append(kinds, objects.PodSpecKind{Group: p.Group, Kind: p.Kind, Path: path.Join("spec")})
	}
	return kinds
}

func tokens(c *settings.Config) engine.Tokens {
	return engine.Tokens{Audience: c.Tokens.Audience, AudienceGiven: c.Tokens.AudienceGiven, ExpirationSeconds: c.Tokens.ExpirationSeconds}
}
