package verify

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
)

var sha256Hash = lazyregexp.New(`^[0-9a-f]{64}$`)

// takeChecksums completes the declared changes of an object with the checksums that it is built with. Their values depend on
// the text of a template, which is not compared; everything else about the object is. A value that is no hash is not taken.
func takeChecksums(want []*expectedObject, got []*objects.Object) {
	if len(want) != 1 || len(got) != 1 || want[0].object == nil {
		return
	}
	w := want[0]
	var declared []engine.Change
	for _, c := range w.declared {
		if c.Op != engine.SetChecksum {
			declared = append(declared, c)
			continue
		}
		before, after := w.object.Node.Lookup(c.Path).String(), got[0].Node.Lookup(c.Path).String()
		if sha256Hash().MatchString(before) && sha256Hash().MatchString(after) {
			declared = append(declared, engine.Change{Op: engine.SetText, Path: c.Path, Value: after})
		}
	}
	w.declared = declared
}
