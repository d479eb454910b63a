package lint

import (
	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/config"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
)

// podSpecs are the kinds that the configuration says to embed a pod. It names the place of the template, which has the
// specification in its `spec`.
func podSpecs(c *config.Config) []inventory.PodSpecKind {
	var kinds []inventory.PodSpecKind
	for _, p := range c.PodSpecs {
		path, err := manifest.ParsePath(p.Path)
		if err != nil {
			continue // reading the configuration has refused it
		}
		kinds = append(kinds, inventory.PodSpecKind{Group: p.Group, Kind: p.Kind, Path: path.Join("spec")})
	}
	return kinds
}

func tokens(c *config.Config) fixers.Tokens {
	return fixers.Tokens{Audience: c.Tokens.Audience, AudienceGiven: c.Tokens.AudienceGiven, ExpirationSeconds: c.Tokens.ExpirationSeconds}
}
