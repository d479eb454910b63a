package judging

import (
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/evaluate"
)

// Targets resolves the targets of objects, and records all of them for the report.
type Targets struct {
	all *loader.Targets

	mu       sync.Mutex
	used     map[finding.Target]bool
	anyKnown bool // whether the target of any object is known
}

// newTargets takes the targets that it records.
func newTargets(all *loader.Targets) *Targets {
	return &Targets{all: all, used: map[finding.Target]bool{}}
}

// Of returns the target of an object in a unit.
func (t *Targets) Of(unit *objects.Unit, object *objects.Object) loader.ResolvedTarget {
	v := t.all.Of(unit, object)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.anyKnown = t.anyKnown || v.Known
	t.used[finding.Target{Name: targetName(v), Model: string(v.Target.Model), DetectedFrom: v.DetectedFrom}] = true
	return v
}

// targetUnknownPaths returns the patterns of paths under which the configuration can set the target of an object, if the target is
// unknown and the fix of the finding depends on it.
func targetUnknownPaths(unit *objects.Unit, v loader.ResolvedTarget, fix *evaluate.FixRequest) []string {
	if v.Known || fix != nil && !fixers.NeedsTarget(fix.Name) {
		return nil
	}
	return SettablePaths(unit, v)
}

// SettablePaths returns patterns of the paths for which the configuration can set the target of an object.
func SettablePaths(unit *objects.Unit, v loader.ResolvedTarget) []string {
	dir := path.Dir(v.Scope)
	if dir == "." || unit.AppliedBy().Kind == objects.PlainUnit || unit.Kind == objects.ApplicationUnit {
		return []string{v.Scope} // the folder can hold objects of other units
	}
	return []string{dir + "/**"}
}

// AnyKnown reports whether the target of any object is known.
func (t *Targets) AnyKnown() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.anyKnown
}

// recorded returns the targets of everything that was judged, in no order.
func (t *Targets) recorded() []finding.Target {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.used))
}
