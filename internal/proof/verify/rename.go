package verify

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/fixers/engine"
)

// rename gives a field another key. A field from a merge key is not in the mapping itself, and the new key must not exist.
func (t *tree) rename(c engine.Change) error {
	last := len(c.Path) - 1
	parent, key := find(t.root, c.Path[:last]), fmt.Sprint(c.Value)
	if parent == nil || parent.Kind != yaml.MappingNode {
		return fmt.Errorf("%s is not in a mapping", c.Path)
	}
	at := keyIndex(parent, c.Path[last])
	if at < 0 || keyIndex(parent, key) >= 0 {
		return fmt.Errorf("%s is not in the state that %q requires", c.Path, c.Op)
	}
	parent.Content[at].Value = key
	return nil
}
