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

// releaseTargets returns the function that returns the target of an object for fixers. A chart with its default values that applications
// render with others is not applied by itself. If its target is unknown, it has the one of these applications, if they agree.
func (r *run) releaseTargets() func(*objects.Unit, *objects.Object) olm.Target {
	targets := r.judging.targets
	agreed := sync.OnceValue(func() map[string]olm.Target { return targets.agreed(r.units) })
	return func(unit *objects.Unit, object *objects.Object) olm.Target {
		v := targets.of(unit, object)
		if v.Known || !hasDefaultValues(unit) {
			return v.Target
		}
		if target, ok := agreed()[unit.Root]; ok {
			return target
		}
		return v.Target
	}
}

// agreed returns, by chart, the target of all applications and configured releases that render it. A chart whose releases have several
// targets, or one whose target is unknown, has none.
func (j *targetResolver) agreed(units []*objects.Unit) map[string]olm.Target {
	agreed, several := map[string]olm.Target{}, map[string]bool{}
	for _, u := range units {
		if len(u.Renderings) == 0 || hasDefaultValues(u) || len(u.Objects) == 0 {
			continue
		}
		for _, o := range u.Objects {
			v := j.all.Of(u, o)
			for _, r := range u.Renderings {
				known, there := agreed[r.Chart]
				several[r.Chart] = several[r.Chart] || !v.Known || there && known.Name != v.Target.Name
				agreed[r.Chart] = v.Target
			}
		}
	}
	maps.DeleteFunc(agreed, func(chart string, _ olm.Target) bool { return several[chart] })
	return agreed
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
