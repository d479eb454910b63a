package lint

import (
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules"
)

// findingKey is what two findings have in common if they are one finding for the user, who fixes them in one place. A
// judgedFinding gets its key when it is made; see [sourceKey].
type findingKey struct {
	rule string
	// place is where the finding is reported.
	place place
	// object is the ref of the object in its file. It is "" for a rendered object: a template has no objects, only lines.
	object string
	// path is the field of the object.
	path string
	// named is the case of the finding, see [rules.Report]: a rule can say several things about one field.
	named string
	// ignored is the annotation that silences rules on this variant of the object, if the variant is reported separately.
	ignored string
}

// place is a position in a file.
type place struct {
	file         string
	line, column int
}

func placeOf(f finding.Finding) place { return place{f.File, f.Range.Line, f.Range.Column} }

// sourceKey returns the key of a finding about an object of a unit. Units that apply one object, under whatever names,
// have findings of the same key, and so have all renderings of one line of a template.
func sourceKey(f finding.Finding, report rules.Report) findingKey {
	key := findingKey{rule: f.Rule, place: placeOf(f), path: f.Path, named: report.Case}
	o := report.Object
	if charts.Of(o) == nil {
		key.object = o.Ref()
		if source := o.Source(); source != nil {
			key.object = source.Ref()
		}
	}
	if f.Source.Variant != "" {
		key.ignored = ignored(o)
	}
	return key
}

// reportedKey is what two findings have in common if they look alike in the output.
type reportedKey struct {
	rule          string
	place         place
	path, message string
}

// placeKey returns the key of a finding as it is reported. Different objects at one place with the same message share it.
func placeKey(f finding.Finding) reportedKey {
	return reportedKey{f.Rule, placeOf(f), f.Path, f.Message}
}
