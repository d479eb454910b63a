package engine

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// DeclareBuiltChanges declares the effect of file changes in the units that are built. The changed parts of the objects must
// be applied as written.
func (r *Repository) DeclareBuiltChanges(p *Plan) {
	for _, change := range p.Changes {
		r.DeclareBuiltChange(p, change)
	}
}

// DeclareBuiltChange declares the effect of one change, see DeclareBuiltChanges.
func (r *Repository) DeclareBuiltChange(p *Plan, change Change) {
	r.indexed.Do(r.index)
	for _, m := range r.formsAt(change) {
		if MayBeBuilt(m.Unit) {
			p.declareChangeIn(m, change)
		}
	}
}

// declareChangeIn declares the effect of a change on an object that comes from the changed document.
func (p *Plan) declareChangeIn(m UnitObject, c Change) {
	source := m.Object.Source()
	applied := AppliedChange{Unit: m.Unit, Object: m.Object, Op: c.Op, Value: c.Value}
	switch {
	case c.Op == RemoveDocument, c.Op == RemoveValue && IsWithin(c.Path, source.Path):
		applied.Op = RemoveDocument
	case IsWithin(source.Path, c.Path):
		applied.Path = c.Path[len(source.Path):].Join()
	default:
		return
	}
	p.Applied = append(p.Applied, applied)
}

// IsWithin reports whether a path is another one or lies below it.
func IsWithin(around, path manifest.Path) bool {
	return len(around) <= len(path) && strings.Join(around, "\x00") == strings.Join(path[:len(around)], "\x00")
}
