package identity

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// patchesFieldAway reports whether the unit of a variant is known to apply the extension without the account that its file names. If
// the file no longer names it, the unit applies the same, and needs no patch. A patch for several extensions stays, because the
// others can keep the field.
func patchesFieldAway(c *engine.Context, v *Variant) bool {
	unit := v.Units[0]
	source := v.Object.Source()
	if v.Account.State != olm.Absent || source == nil || unit.NotBuilt || c.CheckBuild(unit, v.Object) != nil {
		return false
	}
	if read, ok := olm.ReadExtension(source.Node); !ok || read.Account.State == olm.Absent {
		return false
	}
	var shared engine.Plan
	for _, path := range v.accountPaths() {
		noteSharedPatches(&shared, v, path, v.writers(path))
	}
	return len(shared.SharedPatches) == 0
}

// removeOrFold removes the field from its file if no unit outside of the paths applies it any longer, together with the patches that
// remove it there: overlays that are migrated one by one otherwise leave the field in the base and a patch in each. It adds a patch
// if other units need the field, or if their patches cannot be edited.
func removeOrFold(c *engine.Context, p *engine.Plan, f *appliedVariants, leaving, keeping, folding []*Variant) error {
	if len(keeping) == 0 || len(folding) > 0 {
		return removeField(c, p, f, leaving, keeping)
	}
	before := *p
	if err := removeField(c, p, f, leaving, nil); err == nil {
		var outside []*objects.Unit
		for _, v := range keeping {
			outside = append(outside, v.Units[0])
		}
		p.AddNote("%s is removed from %s although the given paths do not include %s: a patch removes it there already, and goes too",
			leaving[0].Account.Path, engine.FileOf(f.object), engine.UnitList(outside))
		return nil
	}
	*p = before
	return removeField(c, p, f, leaving, keeping)
}
