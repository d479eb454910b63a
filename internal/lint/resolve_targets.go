package lint

import (
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules"
)

// targetResolver resolves the targets of objects, and records all of them for the report.
type targetResolver struct {
	all *loader.Targets

	mu       sync.Mutex
	used     map[finding.Target]bool
	anyKnown bool // whether the target of any object is known
}

// newTargetResolver takes the function that returns the requested target of a file.
func newTargetResolver(asked func(file string) (olm.Target, bool)) *targetResolver {
	return &targetResolver{all: loader.NewTargets(asked), used: map[finding.Target]bool{}}
}

// of returns the target of an object in a unit.
func (j *targetResolver) of(unit *objects.Unit, object *objects.Object) loader.ResolvedTarget {
	v := j.all.Of(unit, object)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.anyKnown = j.anyKnown || v.Known
	j.used[finding.Target{Name: targetName(v), Model: string(v.Target.Model), DetectedFrom: v.DetectedFrom}] = true
	return v
}

// targetUnknownPaths returns the patterns of paths under which the configuration can set the target of an object, if the target is
// unknown and the fix of the finding depends on it.
func targetUnknownPaths(unit *objects.Unit, v loader.ResolvedTarget, fix *rules.FixRequest) []string {
	dir := path.Dir(v.Scope)
	switch {
	case v.Known, fix != nil && !fixers.NeedsTarget(fix.Name):
		return nil
	case dir == "." || unit.AppliedBy().Kind == objects.PlainUnit || unit.Kind == objects.ApplicationUnit:
		return []string{v.Scope} // the folder can hold objects of other units
	}
	return []string{dir + "/**"}
}

// unknownPaths returns the sorted paths of findings whose fixes depend on an unknown target. It returns nil if no target is known:
// then one target can be set for all.
func (j *targetResolver) unknownPaths(all []fixResult) []string {
	var paths []string
	for _, m := range all {
		if m.report.Fix != nil {
			paths = append(paths, m.targetUnknown...)
		}
	}
	slices.Sort(paths)
	if !j.anyTargetKnown() {
		return nil
	}
	return slices.Compact(paths)
}

func (j *targetResolver) anyTargetKnown() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.anyKnown
}

// recorded returns the targets of everything that was judged, in no order.
func (j *targetResolver) recorded() []finding.Target {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Collect(maps.Keys(j.used))
}
