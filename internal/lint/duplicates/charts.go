package duplicates

import (
	"fmt"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// ofCharts returns a finding about each object that a chart renders with the identity of an earlier one and other contents. Hooks run at different times,
// so two of them can have one name.
func ofCharts(units []*objects.Unit) []finding.Finding {
	var found []finding.Finding
	seen := map[string]bool{}
	for _, u := range units {
		if len(u.Renderings) == 0 {
			continue
		}
		first := map[identity]*objects.Object{}
		for _, o := range u.Objects {
			id := identity{o.Group, o.Kind, o.Namespace, o.Name}
			if !id.isPlain() || isHook(o) {
				continue
			}
			before, again := first[id]
			if !again {
				first[id] = o
				continue
			}
			at := o.Position(namePath).String()
			if seen[at] || areEqual(before.JSON(), o.JSON()) || objects.AreVariants(before.Node, o.Node) {
				continue
			}
			seen[at] = true
			found = append(found, ofChart(u, id, before, o))
		}
	}
	return found
}

func isHook(o *objects.Object) bool {
	return o.Node.Lookup(manifest.Path{"metadata", "annotations", "helm.sh/hook"}) != nil
}

func ofChart(u *objects.Unit, id identity, first, second *objects.Object) finding.Finding {
	file, span := second.Locate(namePath)
	at := first.Position(namePath)
	f := finding.AboutFile(Rule, file.Path, finding.RangeIn(file, span), fmt.Sprintf(
		"%s is rendered from %s, too, in %s, with other contents. Helm fails to install the second, or replaces the first. Rename one of them, or remove it.",
		called(id), at, u))
	f.Related = []finding.Related{{File: at.File, Line: at.Line, Message: "the other object of this name"}}
	return f
}
