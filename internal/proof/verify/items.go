package verify

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/fixers/engine"
)

// setItem replaces an item of a list: with a text only a scalar.
func (t *tree) setItem(c engine.Change) error {
	item := find(t.root, c.Path)
	if item == nil || item.Kind != yaml.ScalarNode && c.Op == engine.SetText {
		return fmt.Errorf("%s is not a string in a list", c.Path)
	}
	value, err := t.encode(c.Value)
	if err == nil {
		*item = *value
		t.added[item] = true
	}
	return err
}

// appendItem adds to a list; an empty field becomes a list.
func (t *tree) appendItem(c engine.Change) error {
	list := find(t.root, c.Path)
	if list == nil || list.Kind != yaml.SequenceNode && list.Tag != "!!null" {
		return fmt.Errorf("%s is not a list", c.Path)
	}
	item, err := t.encode(c.Value)
	list.Kind, list.Tag, list.Value = yaml.SequenceNode, "!!seq", ""
	list.Content = append(list.Content, item)
	return err
}
