package fixing

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/settings"
)

func tokens(c *settings.Config) engine.Tokens {
	return engine.Tokens{Audience: c.Tokens.Audience, AudienceGiven: c.Tokens.AudienceGiven, ExpirationSeconds: c.Tokens.ExpirationSeconds}
}
