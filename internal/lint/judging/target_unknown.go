package judging

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// shownUnknown is the number of extensions that the note about unknown targets lists after the first one.
const shownUnknown = 5

// targetUnknown returns one note on all reported extensions whose target is unknown, at the first of them; nil if there is none.
func (r *Report) targetUnknown() []finding.Finding {
	if !r.options.judgesExtensions() {
		return nil
	}
	places := r.unknownExtensions()
	if len(places) == 0 {
		return nil
	}
	note := places[0]
	note.Message = r.targetUnknownMessage(len(places))
	for i, other := range places[1:] {
		if i == shownUnknown {
			note.Related = append(note.Related, finding.Related{
				File: other.File, Line: other.Range.Line, Message: fmt.Sprintf("%d more", len(places)-1-shownUnknown),
			})
			break
		}
		note.Related = append(note.Related, finding.Related{
			File: other.File, Line: other.Range.Line, Message: fmt.Sprintf("%s %s: the release is unknown here, too", other.Resource.Kind, other.Resource.Name),
		})
	}
	return []finding.Finding{note}
}

// unknownExtensions returns the places of the extensions whose target is unknown in a unit that applies them, each place once.
func (r *Report) unknownExtensions() []finding.Finding {
	var all []finding.Finding
	for _, unit := range objects.NotReplaced(r.snapshot.Units) {
		for _, o := range unit.Objects {
			if f, ok := r.unknownExtension(unit, o); ok {
				all = append(all, f)
			}
		}
	}
	slices.SortFunc(all, func(a, b finding.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Range.Line, b.Range.Line), strings.Compare(a.Resource.Name, b.Resource.Name))
	})
	return slices.CompactFunc(all, func(a, b finding.Finding) bool { return placeOf(a) == placeOf(b) })
}

func (r *Report) unknownExtension(unit *objects.Unit, o *objects.Object) (finding.Finding, bool) {
	if _, ok := o.Extension(); !ok {
		return finding.Finding{}, false
	}
	v := r.judge.Targets.Of(unit, o)
	path := manifest.Path{"metadata", "name"}
	file, span := o.Locate(path)
	if v.Known || !r.Reported(file.Path) {
		return finding.Finding{}, false
	}
	f := finding.AboutFile(finding.RuleTargetUnknown, file.Path, finding.RangeIn(file, span), "")
	f.Resource, f.Path, f.Target, f.Origin = finding.ResourceOf(o), path.String(), targetName(v), originOf(unit, o)
	return f, true
}

func (r *Report) targetUnknownMessage(extensions int) string {
	subject := "the ClusterExtension is"
	if extensions > 1 {
		subject = fmt.Sprintf("%d ClusterExtensions are", extensions)
	}
	return fmt.Sprintf("The OLM release to which %s applied is unknown. Only what is wrong on every shipped release is reported, and fixes that "+
		"depend on the release are not offered. Run `%s` or, on OpenShift, `%s` to find the release. "+
		"Set `target:` in .salint.yaml, there under `overrides:` for these paths alone, or pass --target (see `salint targets`).",
		subject, olm.UpstreamReleaseCommand, olm.OpenShiftReleaseCommand)
}
