package permission

import (
	"reflect"
	"sync"
)

// Difference is what an identity gains and loses. Its scopes are made when a report asks for them: most reports show a few of thousands
// of differences. Nil is no difference.
type Difference struct {
	gained, lost Effect
	scopes       func() []Scope
}

// Differ returns a difference. The effects must not be changed later.
func Differ(gained, lost Effect) *Difference {
	return &Difference{gained, lost, sync.OnceValue(func() []Scope { return Scopes(gained, lost) })}
}

// DifferenceIn returns the difference with these scopes.
func DifferenceIn(scopes ...Scope) *Difference {
	gained, lost := effects(scopes)
	return &Difference{gained, lost, func() []Scope { return scopes }}
}

// Scopes returns what is gained and lost in each scope, in the form of [Scopes].
func (d *Difference) Scopes() []Scope {
	if d == nil {
		return nil
	}
	return d.scopes()
}

// Gains reports whether something is gained.
func (d *Difference) Gains() bool { return d != nil && !d.gained.Empty() }

// Loses reports whether something is lost.
func (d *Difference) Loses() bool { return d != nil && !d.lost.Empty() }

// Empty reports whether nothing is gained or lost.
func (d *Difference) Empty() bool { return !d.Gains() && !d.Loses() }

// Equal reports whether two differences have the same scopes.
func (d *Difference) Equal(other *Difference) bool {
	return reflect.DeepEqual(d.Scopes(), other.Scopes())
}
