package verify

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/fixers/engine"
)

// rename gives a field another key. A field that a merge key brings in is not the mapping's own, and neither may there be one
// of the new key.
func (t *tree) rename(c engine.Change) error {
	last := len(c.Path) - 1
	parent, key := find(t.root, c.Path[:last]), fmt.Sprint(c.Value)
	if parent == nil || parent.Kind != yaml.MappingNode {
		return fmt.Errorf("%s is in no mapping", c.Path)
	}
	at := keyIndex(parent, c.Path[last])
	if at < 0 || keyIndex(parent, key) >= 0 {
		return fmt.Errorf("%s: it is not as %q expects it", c.Path, c.Op)
	}
	parent.Content[at].Value = key
	return nil
}
