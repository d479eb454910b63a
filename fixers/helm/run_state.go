package helm

import (
	"github.com/salint/salint/fixers/engine"
)
import "github.com/salint/salint/internal/kube/objects"

// runState is what a run knows of the charts whose templates it changes.
type runState struct {
	renderings map[*objects.Unit][]*rendering
	// removed are the plans for extensions that lose their accounts, and bound those that are granted a role.
	removed, bound planCache
	// aliases are the plans for names of accounts in pods, by the fix and the place of the key.
	aliases map[string]cachedPlan
	files   map[string]bool // that are generated
}

func stateOf(c *engine.Context) *runState {
	return engine.Memo(c, func(*engine.Context) *runState {
		return &runState{
			renderings: map[*objects.Unit][]*rendering{}, removed: planCache{}, bound: planCache{},
			aliases: map[string]cachedPlan{}, files: map[string]bool{},
		}
	})
}

// planCache are plans by all the extensions that they are about: one edit of a template is one plan.
type planCache map[*objects.Object]cachedPlan

type cachedPlan struct {
	plan *engine.Plan
	err  error
}

// get gives the plan for an extension, which is worked out once for all that belong to it.
func (s planCache) get(c *engine.Context, o *objects.Object,
	find func(*engine.Context, *objects.Object) (*reachedExtensions, error), plan func(*engine.Context, *reachedExtensions) (*engine.Plan, error),
) (*engine.Plan, error) {
	if known, ok := s[o]; ok {
		return known.plan, known.err
	}
	g, err := find(c, o)
	done := cachedPlan{err: err}
	if err == nil {
		done.plan, done.err = plan(c, g)
	}
	s[o] = done
	for _, m := range g.members {
		s[m.Object] = done
	}
	return done.plan, done.err
}
