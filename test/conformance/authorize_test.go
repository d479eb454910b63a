package conformance_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/world"
)

// everything is what a world of manifests that an API server takes may contain.
var everything = world.Options{Builtin: true, Aggregated: true, Circles: true}

// TestAuthorize asks whether requests are allowed. Where hardly any is, it would show little, so it counts.
func TestAuthorize(t *testing.T) {
	t.Parallel()
	var asked, allowed atomic.Int64
	forWorlds(t, everything, func(docs []string, w *world.World) (string, error) {
		difference, n, yes, err := compareAnswers(docs, w)
		asked.Add(n)
		allowed.Add(yes)
		return difference, err
	})
	t.Logf("%d requests, of which %d are allowed", asked.Load(), allowed.Load())
	const few = 30
	if *runs >= 100 && allowed.Load()*few < asked.Load() {
		t.Errorf("less than one in %d requests is allowed", few)
	}
}

// TestAuthorizeAmongRefused asks the same where some of the manifests are refused.
func TestAuthorizeAmongRefused(t *testing.T) {
	t.Parallel()
	options := everything
	options.Refused = true
	forWorlds(t, options, func(docs []string, w *world.World) (string, error) {
		difference, _, _, err := compareAnswers(docs, w)
		return difference, err
	})
}

func compareAnswers(docs []string, w *world.World) (difference string, asked, yes int64, err error) {
	u, c, err := sides(docs, w)
	if err != nil {
		return "", 0, 0, err
	}
	authorizer := c.Authorizer()
	for _, who := range w.Identities() {
		for _, r := range w.Requests(12) {
			allowed, reason, err := authorizer.Authorize(who, r)
			if err != nil {
				return "", 0, 0, err
			}
			asked++
			if allowed {
				yes++
			}
			answer := salint.Ask(u, who, r)
			// The reason of a refusal names the roles that were granted and are not there. Refused roles do not count for
			// the API server; salint says of them that they are not known, aggregated ones included.
			missing, unknown := !allowed && reason != "", len(answer.Unknown) > 0
			if salint.Contradicts(answer, allowed, w) || missing && !unknown || unknown && !missing && !w.Options.Refused {
				return fmt.Sprintf("%+v asks for %+v\nKubernetes: allowed %t, %q\nsalint:     allowed %t by %v, unknown %v, partial %v, uncertain %d",
					who, r, allowed, reason, answer.Allowed, answer.Rule, answer.Unknown, answer.Partial, len(answer.Uncertain)), asked, yes, nil
			}
		}
	}
	return "", asked, yes, nil
}
