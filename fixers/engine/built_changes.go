package engine

import (
	"strings"

	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/files/manifest"
)

// DeclareBuiltChanges declares the effect of file changes in the units that are built. The changed parts of the objects must
// be applied as written.
func (c *Context) DeclareBuiltChanges(p *Plan) {
	for _, change := range p.Changes {
		c.DeclareBuiltChange(p, change)
	}
}

// DeclareBuiltChange declares the effect of one change, see DeclareBuiltChanges.
func (c *Context) DeclareBuiltChange(p *Plan, change Change) {
	for _, m := range c.formsAt(change) {
		if MayBeBuilt(m.Unit) {
			p.declareChangeIn(m, change)
		}
	}
}

// formsAt returns the applied forms of the object that a change is made in, or of all objects that the change removes.
func (c *Context) formsAt(change Change) []applied.Form {
	if change.Op != RemoveDocument {
		if found := c.Repo.FormsAt(change.File, change.Document, change.Path); found != nil {
			return found
		}
	}
	return c.Repo.FormsIn(change.File, change.Document)
}

// declareChangeIn declares the effect of a change on an object that comes from the changed document.
func (p *Plan) declareChangeIn(m applied.Form, c Change) {
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
