package settings

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/files/manifest"
)

// Error is one mistake in a configuration file.
type Error struct {
	File         string
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// position is the place of a value, for checks after reading.
type position struct{ line, column int }

// decoder reads the tree of a configuration file and collects the mistakes.
type decoder struct {
	file   *manifest.File
	errors []*Error
}

// reader reads one value.
type reader func(*manifest.Node)

func (d *decoder) at(n *manifest.Node) position {
	line, column := d.file.Position(n.Span().Start)
	return position{line, column}
}

// maxErrors is how many mistakes are listed. A file with more is probably not a configuration file.
const maxErrors = 50

func (d *decoder) fail(n *manifest.Node, format string, args ...any) {
	if len(d.errors) == maxErrors {
		return
	}
	p := d.at(n)
	d.errors = append(d.errors, &Error{d.file.Path, p.line, p.column, fmt.Sprintf(format, args...)})
}

// err returns all mistakes in the order of the file, one per line.
func (d *decoder) err() error {
	slices.SortStableFunc(d.errors, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	all := make([]error, len(d.errors))
	for i, e := range d.errors {
		all[i] = e
	}
	return errors.Join(all...)
}

// fields reads a mapping with fixed keys. In messages the mapping is called what.
func (d *decoder) fields(what string, readers map[string]reader) reader {
	return func(n *manifest.Node) {
		d.each(what, n, func(key, value *manifest.Node) {
			if read, ok := readers[key.String()]; ok {
				read(value)
				return
			}
			d.fail(key, "%v", unknownName("key in "+what, key.String(), slices.Sorted(maps.Keys(readers))))
		})
	}
}

// each visits the fields of a mapping. A field with the value null is a mistake: its value was forgotten.
func (d *decoder) each(what string, n *manifest.Node, visit func(key, value *manifest.Node)) {
	if n.Kind() != yaml.MappingNode {
		d.fail(n, "%s must be a mapping (key: value), not %s", what, kindOf(n))
		return
	}
	for _, f := range n.Fields() {
		if f.Value.IsNull() {
			d.fail(f.Key, "%q has no value: give it one, or remove the line", f.Key.String())
			continue
		}
		visit(f.Key, f.Value)
	}
}

// list reads a sequence.
func (d *decoder) list(what string, item reader) reader {
	return func(n *manifest.Node) {
		if n.Kind() != yaml.SequenceNode {
			d.fail(n, "%s must be a list ([a, b], or lines that begin with a dash), not %s", what, kindOf(n))
			return
		}
		for _, i := range n.Items() {
			item(i)
		}
	}
}

// scalar reads a value that parse makes from a text.
func scalar[T any](d *decoder, into *T, parse func(string) (T, error)) reader {
	return func(n *manifest.Node) {
		if n.Kind() != yaml.ScalarNode || n.IsNull() {
			d.fail(n, "a single value is needed here, not %s", kindOf(n))
			return
		}
		value, err := parse(n.String())
		if err != nil {
			d.fail(n, "%v", err)
			return
		}
		*into = value
	}
}

func (d *decoder) text(into *string) reader { return scalar(d, into, anyText) }

func anyText(s string) (string, error) { return s, nil }

// appended reads an item of a list.
func appended[T any](d *decoder, into *[]T, parse func(string) (T, error)) reader {
	return func(n *manifest.Node) {
		before := len(d.errors)
		var value T
		if scalar(d, &value, parse)(n); len(d.errors) == before {
			*into = append(*into, value)
		}
	}
}

func kindOf(n *manifest.Node) string {
	switch {
	case n.Kind() == yaml.AliasNode:
		return "an alias: write the value out"
	case n.Kind() == yaml.MappingNode:
		return "a mapping"
	case n.Kind() == yaml.SequenceNode:
		return "a list"
	case n.IsNull():
		return "nothing"
	}
	return strconv.Quote(n.String())
}

// maxName is how much of an unknown name is compared and repeated.
const maxName = 100

// unknown returns an error that names an unknown name and the most similar known one, or all known ones if none is similar.
func unknownName(what, name string, known []string) error {
	name = name[:min(len(name), maxName)]
	if near := nearest.Name(name, known); near != "" {
		return fmt.Errorf("unknown %s: %q; did you mean %q?", what, name, near)
	}
	return fmt.Errorf("unknown %s: %q; known values: %s", what, name, strings.Join(known, ", "))
}
