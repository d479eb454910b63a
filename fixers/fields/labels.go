package fields

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/rules/fixes"
)

// SetLabel gives the object a label, or changes it.
func SetLabel(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return setEntry(c, r, "labels", "label")
}

// RemoveLabel removes a label.
func RemoveLabel(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return removeEntry(c, r, "labels", "label")
}

// SetAnnotation gives the object an annotation, or changes it.
func SetAnnotation(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return setEntry(c, r, "annotations", "annotation")
}

// RemoveAnnotation removes an annotation.
func RemoveAnnotation(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return removeEntry(c, r, "annotations", "annotation")
}

func setEntry(c *engine.Context, r engine.Request, field, noun string) (*engine.Plan, error) {
	key, value := text(r, "key"), text(r, "value")
	p, err := set(c, r, manifest.Path{"metadata", field, key}, value)
	if err != nil {
		return nil, err
	}
	p.Description = "Set the " + noun + " " + key + " to " + value
	p.Kind = kindOf(r, key)
	return p, nil
}

func removeEntry(c *engine.Context, r engine.Request, field, noun string) (*engine.Plan, error) {
	key := text(r, "key")
	p, err := remove(c, r, manifest.Path{"metadata", field, key})
	if err != nil {
		return nil, err
	}
	p.Description = "Remove the " + noun + " " + key
	p.Kind = kindOf(r, key)
	return p, nil
}

// kindOf returns the kind of the request, and Unsafe where a label or annotation can decide what a program does.
func kindOf(r engine.Request, key string) finding.FixKind {
	if r.Kind == finding.Safe && fixes.DecidesMore(key, r.Object.Kind) {
		return finding.Unsafe
	}
	return r.Kind
}
