package conformance_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/world"
)

// everything is all that a world of valid manifests can contain.
var everything = world.Options{Builtin: true, Aggregated: true, Circles: true}

// TestAuthorize asks whether requests are allowed. If hardly any were allowed, the comparison would be weak, so it counts.
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

// TestAuthorizeAmongRefused asks the same with some refused manifests.
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
			// The reason of a denial names the granted roles that do not exist. Refused roles do not exist for the API
			// server; salint reports them as unknown, including aggregated ones.
			missing, unknown := !allowed && reason != "", len(answer.Unknown) > 0
			if salint.Contradicts(answer, allowed, w) || missing && !unknown || unknown && !missing && !w.Options.Refused {
				return fmt.Sprintf("%+v asks for %+v\nKubernetes: allowed %t, %q\nsalint:     allowed %t by %v, unknown %v, partial %v, uncertain %d",
					who, r, allowed, reason, answer.Allowed, answer.Rule, answer.Unknown, answer.Partial, len(answer.Uncertain)), asked, yes, nil
			}
		}
	}
	return "", asked, yes, nil
}
