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

// judgement works out verdicts, and remembers what anything was judged for.
type judgement struct {
	all *loader.Targets

	mu   sync.Mutex
	used map[finding.Target]bool
	told bool // whether anything told the target of anything
}

// newJudgement takes the target that the user named for a file.
func newJudgement(asked func(file string) (olm.Target, bool)) *judgement {
	return &judgement{all: loader.NewTargets(asked), used: map[finding.Target]bool{}}
}

// of gives the verdict for an object in a unit.
func (j *judgement) of(unit *objects.Unit, object *objects.Object) loader.ResolvedTarget {
	v := j.all.Of(unit, object)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.told = j.told || v.Known
	j.used[finding.Target{Name: targetName(v), Model: string(v.Target.Model), DetectedFrom: v.DetectedFrom}] = true
	return v
}

// untoldPaths is the pattern of paths for which the configuration can name the target of what was judged, if nothing tells it
// and the fix of a finding, if there is one, waits for it.
func untoldPaths(unit *objects.Unit, v loader.ResolvedTarget, fix *rules.FixRequest) []string {
	dir := path.Dir(v.Scope)
	switch {
	case v.Known, fix != nil && !fixers.NeedsTarget(fix.Name):
		return nil
	case dir == "." || unit.Kind == objects.PlainUnit || unit.Kind == objects.ApplicationUnit:
		return []string{v.Scope} // the folder may hold what others tell the target of
	}
	return []string{dir + "/**"}
}

// untold are the paths of findings whose fixes wait for a target, sorted, where others are told theirs, so that no single target
// fits all; else none.
func (j *judgement) untold(all []mended) []string {
	var paths []string
	for _, m := range all {
		if m.report.Fix != nil {
			paths = append(paths, m.untold...)
		}
	}
	slices.Sort(paths)
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.told {
		return nil
	}
	return slices.Compact(paths)
}

// targets gives the targets that anything was judged for, in no order.
func (j *judgement) targets() []finding.Target {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Collect(maps.Keys(j.used))
}
