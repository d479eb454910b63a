package evalcontext

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/kube/objects"
)

// pendingUnits are deferred units that a question of a rule needs. The rule is evaluated again once they are built: a build inside
// of the evaluation would count against its limits.
type pendingUnits struct {
	mu    sync.Mutex
	units []*objects.Unit
}

var errPending = errors.New("the rule asks about deployment units that are not built yet")

// Need returns errPending if a question needs a deferred unit that is not built.
func (s *Evaluation) Need(may func(*objects.Unit) bool) error {
	var missing []*objects.Unit
	for _, unit := range s.Deferred {
		if unit.Pending() && may(unit) {
			missing = append(missing, unit)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if s.pending == nil { // an evaluation without limits
		for _, unit := range missing {
			unit.Applied()
		}
		return nil
	}
	s.pending.mu.Lock()
	defer s.pending.mu.Unlock()
	s.pending.units = append(s.pending.units, missing...)
	return errPending
}

// HasFileOf reports whether a unit applies objects of the file of a ref.
func HasFileOf(unit *objects.Unit, ref string) bool {
	return slices.ContainsFunc(unit.Objects, func(o *objects.Object) bool { return strings.HasPrefix(ref, o.File+"#") })
}

// BuildPending builds the units that a question needed, and reports whether there were any.
func (s *Evaluation) BuildPending(ctx context.Context) (built bool, err error) {
	s.pending.mu.Lock()
	defer s.pending.mu.Unlock()
	units := s.pending.units
	s.pending.units = nil
	return len(units) > 0, parallel.Do(ctx, len(units), func(i int) { units[i].Applied() })
}
