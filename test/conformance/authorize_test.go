package conformance_test

import (
	"fmt"
	"testing"

	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/world"
)

// everything is what a world of manifests that an API server takes may contain.
var everything = world.Options{Builtin: true, Aggregated: true, Circles: true}

// TestAuthorize asks whether requests are allowed.
func TestAuthorize(t *testing.T) {
	t.Parallel()
	forWorlds(t, everything, compareAnswers)
}

// TestAuthorizeAmongRefused asks the same where some of the manifests are refused.
func TestAuthorizeAmongRefused(t *testing.T) {
	t.Parallel()
	options := everything
	options.Refused = true
	forWorlds(t, options, compareAnswers)
}

func compareAnswers(docs []string, w *world.World) (string, error) {
	u, c, err := sides(docs, w)
	if err != nil {
		return "", err
	}
	authorizer := c.Authorizer()
	for _, who := range w.Identities() {
		for _, r := range w.Requests(12) {
			allowed, reason, err := authorizer.Authorize(who, r)
			if err != nil {
				return "", err
			}
			answer := salint.Ask(u, who, r)
			// The reason of a refusal names the roles that were granted and are not there. Refused roles do not count for
			// the API server; salint says of them that they are not known, aggregated ones included.
			missing, unknown := !allowed && reason != "", len(answer.Unknown) > 0
			if answer.Allowed != allowed || missing && !unknown || unknown && !missing && !w.Options.Refused {
				return fmt.Sprintf("%+v asks for %+v\nKubernetes: allowed %t, %q\nsalint:     allowed %t by %v, unknown %v, partial %v, uncertain %d",
					who, r, allowed, reason, answer.Allowed, answer.Rule, answer.Unknown, answer.Partial, len(answer.Uncertain)), nil
			}
		}
	}
	return "", nil
}
