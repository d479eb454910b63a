package overlay

import (
	"encoding/json"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// trials are builds without one entry of a kustomization.
type trials struct {
	built map[trialKey]*buildOutput
	over  bool
}

type trialKey struct {
	file, field string
	index       int
}

// maxTrials limits the trial builds for one unit.
const maxTrials = 50

// differsWithout reports whether a field of an object has another value in a build without the entry of a patch. If the texts of the patches
// do not show it, such a build does.
func (t *tracer) differsWithout(p *patch, o *objects.Object, path manifest.Path) bool {
	if differs, known := t.foresee(p, o, path); known {
		return differs
	}
	return t.tried(p, o, path)
}

// tried is differsWithout with a build.
func (t *tracer) tried(p *patch, o *objects.Object, path manifest.Path) bool {
	without := t.trial(p)
	if without == nil {
		return false
	}
	key := t.keyOf(o)
	for _, other := range without.objects {
		if other.key() != key.source {
			continue
		}
		if key.before == 0 {
			return !same(other.Node.Lookup(path), o.Node.Lookup(path))
		}
		key.before--
	}
	return false
}

// trial builds the unit without an entry; nil if that fails, or if there were too many trials.
func (t *tracer) trial(p *patch) *buildOutput {
	key := trialKey{p.Path, p.field, p.index}
	built, done := t.trials.built[key]
	if done || t.trials.over {
		return built
	}
	if data, ok := t.without(p); ok {
		var err error
		edited := t.edit.withFiles(t.builder.filesOf(t.unit), map[string][]byte{p.Path: data})
		if built, err = t.builder.kustomize(t.unit, edited, render.ForTrial); err != nil {
			built = nil
		}
	}
	t.trials.built[key] = built
	t.trials.over = len(t.trials.built) >= maxTrials
	return built
}

// without returns the kustomization without the entry of a patch.
func (t *tracer) without(p *patch) ([]byte, bool) {
	doc := p.Doc
	if t.edit.isFile(p.Path) {
		doc = t.edit.doc()
	}
	fields, _ := doc.Root.Decode().(map[string]any)
	list, _ := fields[p.field].([]any)
	if p.index >= len(list) {
		return nil, false
	}
	fields[p.field] = slices.Delete(slices.Clone(list), p.index, p.index+1)
	data, err := json.Marshal(fields)
	return data, err == nil
}
