package lint

import (
	"maps"
	"slices"
	"sync"

	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/olm"
	"github.com/salint/salint/internal/world"
)

// judgement works out verdicts, and remembers what anything was judged for.
type judgement struct {
	all *world.Targets

	mu   sync.Mutex
	used map[finding.Target]bool
}

// newJudgement takes the target that the user named for a file.
func newJudgement(asked func(file string) (olm.Target, bool)) *judgement {
	return &judgement{all: world.NewTargets(asked), used: map[finding.Target]bool{}}
}

// of gives the verdict for an object in a unit.
func (j *judgement) of(unit *inventory.Unit, object *inventory.Object) world.Verdict {
	v := j.all.Of(unit, object)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.used[finding.Target{Name: targetName(v), Model: string(v.Target.Model), DetectedFrom: v.DetectedFrom}] = true
	return v
}

// targets gives the targets that anything was judged for, in no order.
func (j *judgement) targets() []finding.Target {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Collect(maps.Keys(j.used))
}
