package lint

import (
	"github.com/salint/salint/fixers/engine"
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

func tokens(c *settings.Config) engine.Tokens {
	return engine.Tokens{Audience: c.Tokens.Audience, AudienceGiven: c.Tokens.AudienceGiven, ExpirationSeconds: c.Tokens.ExpirationSeconds}
}
