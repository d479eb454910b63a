package overlay

import (
	"slices"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// tracer finds what sets the fields of built objects.
type tracer struct {
	builder *builder
	unit    *objects.Unit
	edit    *Edit
	times   map[string]int // how often each source was built
	// built are the keys of the objects that charts render.
	built map[*objects.Object]builtKey

	once    sync.Once
	patches []patch
	stages  []stage

	mu      sync.Mutex
	known   map[traceKey][]objects.Trace
	trials  trials
	writing []writer
	written map[traceKey][]objects.Writer
}

type traceKey struct {
	object *objects.Object
	path   string
}

func newTracer(b *builder, u *objects.Unit) *tracer {
	return &tracer{builder: b, unit: u, edit: b.Edits[u], built: map[*objects.Object]builtKey{}, known: map[traceKey][]objects.Trace{}, trials: trials{built: map[trialKey]*buildOutput{}}}
}

// trace implements [objects.Applied.Trace]. It caches results.
func (t *tracer) trace(o *objects.Object, path manifest.Path) []objects.Trace {
	t.once.Do(t.readPatches)
	t.mu.Lock()
	defer t.mu.Unlock()
	key := traceKey{o, path.String()}
	if t.known[key] == nil {
		t.known[key] = t.find(o, path)
	}
	return t.known[key]
}

func (t *tracer) readPatches() {
	t.patches, t.stages = patchesOf(t.unit, t.edit, t.builder.files), stages(t.unit, t.edit)
}

func (t *tracer) find(o *objects.Object, path manifest.Path) []objects.Trace {
	source := sourceOf(o)
	if source == nil {
		return []objects.Trace{{Doc: o.Doc, Path: o.Path, What: objects.Base}}
	}
	for len(path) > 0 && o.Node.Lookup(path) == nil {
		path = path[:len(path)-1]
	}
	at, end := followPath(source.Node, o.Node, path)
	if len(path) == 0 {
		return []objects.Trace{baseTrace(source, at, true)}
	}
	base := baseTrace(source, at, false)
	candidates := t.candidates(o, path)
	if same(end, o.Node.Lookup(path)) && !(len(candidates) > 0 && t.deletes(o, path)) {
		base = baseTrace(source, at, len(candidates) == 0)
		return append([]objects.Trace{base}, places(candidates)...)
	}
	if first, ok := t.decide(o, path, candidates); ok {
		others := slices.DeleteFunc(slices.Clone(candidates), func(c candidate) bool { return c.patch == first.patch })
		return append(append([]objects.Trace{first.trace(true)}, places(others)...), base)
	}
	if transformer, ok := t.transformer(o, path); ok && len(candidates) == 0 {
		if slices.Equal(path, namePath) { // a finding about an object is shown at the object, not at the prefix that many objects share
			return []objects.Trace{base, transformer}
		}
		return []objects.Trace{transformer, base}
	}
	return append([]objects.Trace{base}, places(candidates)...)
}

// candidate is a patch that sets a field to its value, if it is applied to the object.
type candidate struct {
	*patch
	path manifest.Path
	hits certainty
}

func (c candidate) trace(exact bool) objects.Trace {
	if c.shown != nil {
		shown := *c.shown
		shown.What, shown.Exact = c.what, exact
		return shown
	}
	return objects.Trace{Doc: c.doc, Path: c.path, What: c.what, Exact: exact}
}

func places(candidates []candidate) []objects.Trace {
	var all []objects.Trace
	for _, c := range slices.Backward(candidates) {
		all = append(all, c.trace(false))
	}
	return all
}

func (t *tracer) candidates(o *objects.Object, path manifest.Path) []candidate {
	var all []candidate
	for i := range t.patches {
		p := &t.patches[i]
		hits := p.appliesTo(o)
		if hits == no {
			continue
		}
		if at, ok := p.sets(o.Node, path); ok {
			all = append(all, candidate{p, at, hits})
		}
	}
	return all
}

// deletes reports whether a patch removes the field: then the base no longer sets it.
func (t *tracer) deletes(o *objects.Object, path manifest.Path) bool {
	return slices.ContainsFunc(t.patches, func(p patch) bool {
		_, effect := p.writes(o, path)
		return effect == objects.Deletes && p.appliesTo(o) != no
	})
}

// decide returns the candidate that set a field: the only one, if it is certainly applied, otherwise the last one without
// which the build differs there.
func (t *tracer) decide(o *objects.Object, path manifest.Path, candidates []candidate) (candidate, bool) {
	if len(candidates) == 1 && candidates[0].hits == certain && candidates[0].what != objects.Replacement &&
		t.times[t.keyOf(o).source] == 1 {
		return candidates[0], true
	}
	for _, c := range slices.Backward(candidates) {
		if t.differsWithout(c.patch, o, path) {
			return c, true
		}
	}
	return candidate{}, false
}

var (
	namePath      = manifest.Path{"metadata", "name"}
	namespacePath = manifest.Path{"metadata", "namespace"}
)

// transformer returns the field of a kustomization that changed a name or namespace, if only one could have.
func (t *tracer) transformer(o *objects.Object, path manifest.Path) (found objects.Trace, ok bool) {
	var fields []string
	switch {
	case slices.Equal(path, namePath):
		fields = []string{"namePrefix", "nameSuffix"}
	case slices.Equal(path, namespacePath):
		fields = []string{"namespace"}
	default:
		return found, false
	}
	value := o.Node.Lookup(path).String()
	var by *manifest.Document
	for _, s := range t.stages {
		for _, transform := range s.Transforms {
			if !s.reaches[fileOf(o)] || !slices.Contains(fields, transform.Field) {
				continue
			}
			isName := transform.Field != "namespace"
			if by != nil && (isName || by == s.Doc) {
				return objects.Trace{}, false
			}
			by = s.Doc
			// Of several namespaces the last one, that of the outermost kustomization, takes effect.
			ok = isName || transform.Value == value
			found = t.edit.field(s.Kustomization, transform.Field)
		}
	}
	return found, ok
}
