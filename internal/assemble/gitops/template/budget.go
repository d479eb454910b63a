package template

import (
	"reflect"
	"text/template"
)

// Budget limits the steps of templates, and the data that they handle. It is not safe for concurrent use.
type Budget struct {
	steps, data int
	// parsed are the templates that were already parsed, because an ApplicationSet fills in the same ones for each
	// application.
	parsed map[string]*template.Template
	// functions are those that templates call, each charging this budget; nil before the first call.
	functions template.FuncMap
}

// maxParsed limits the templates that are kept.
const maxParsed = 1000

// NewBudget returns a budget that is far above what the ApplicationSets of a repository need.
func NewBudget() *Budget {
	return &Budget{steps: 2_000_000, data: 512 << 20, parsed: map[string]*template.Template{}}
}

func (b *Budget) step() error {
	if b.steps--; b.steps < 0 {
		return &LimitError{"stopped: the templates take too many steps"}
	}
	return nil
}

// Spend charges work that is done for templates outside this package, in bytes. The error is a *LimitError.
func (b *Budget) Spend(data int) error { return b.spend(data) }

func (b *Budget) spend(data int) error {
	if b.data -= data; b.data < 0 {
		return &LimitError{"stopped: the templates process too much data"}
	}
	return nil
}

// maxNesting limits the nesting of values.
const maxNesting = 100

// measure returns the size of a value when written out; shared parts count each time. It is false for a value that is
// larger than maxValue, or nested too deeply, for example in a cycle.
func measure(v reflect.Value) (size int, ok bool) {
	m := measurer{left: maxValue}
	m.walk(v, 0)
	return maxValue - m.left, m.left >= 0
}

type measurer struct{ left int }

func (m *measurer) walk(v reflect.Value, depth int) {
	if m.left--; m.left < 0 {
		return
	}
	if depth > maxNesting {
		m.left = -1
		return
	}
	switch v.Kind() {
	case reflect.String:
		m.left -= v.Len()
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			m.walk(v.Elem(), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && m.left >= 0; i++ {
			m.walk(v.Index(i), depth+1)
		}
	case reflect.Map:
		for each := v.MapRange(); m.left >= 0 && each.Next(); {
			m.walk(each.Key(), depth+1)
			m.walk(each.Value(), depth+1)
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && m.left >= 0; i++ {
			m.walk(v.Field(i), depth+1)
		}
	}
}
