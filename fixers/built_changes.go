package fixers

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// declareBuiltChanges declares for the units that are built what becomes there of changes to files. They have to be changes of objects
// that are applied as they stand in their files, as far as is changed.
func (r *Repository) declareBuiltChanges(p *Plan) {
	for _, change := range p.Changes {
		r.declareBuiltChange(p, change)
	}
}

func (r *Repository) declareBuiltChange(p *Plan, change Change) {
	r.indexed.Do(r.index)
	for _, m := range r.formsAt(change) {
		if mayBeBuilt(m.unit) {
			p.declareChangeIn(m, change)
		}
	}
}

// declareChangeIn declares what becomes of an object by a change of the document that it comes of.
func (p *Plan) declareChangeIn(m unitObject, c Change) {
	source := m.object.Source()
	applied := AppliedChange{Unit: m.unit, Object: m.object, Op: c.Op, Value: c.Value}
	switch {
	case c.Op == RemoveDocument, c.Op == RemoveValue && isWithin(c.Path, source.Path):
		applied.Op = RemoveDocument
	case isWithin(source.Path, c.Path):
		applied.Path = c.Path[len(source.Path):].Join()
	default:
		return
	}
	p.Applied = append(p.Applied, applied)
}

// isWithin tells whether a path leads to another or below it.
func isWithin(around, path manifest.Path) bool {
	return len(around) <= len(path) && strings.Join(around, "\x00") == strings.Join(path[:len(around)], "\x00")
}
