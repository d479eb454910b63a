package judging

import (
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules/evaluate"
)

// place is a position in a file.
type place struct {
	file         string
	line, column int
}

func placeOf(f finding.Finding) place { return place{f.File, f.Range.Line, f.Range.Column} }

// sourceKey returns what two findings about objects of units have in common if they are one finding for the user, who fixes them in one
// place. Units that apply one object, under whatever names, have findings of the same key, and so have all renderings of one line of a
// template, which has no objects, only lines. A subject to which a patch or a variable gives another name, or an overlay
// another namespace, is another finding.
func sourceKey(f finding.Finding, report evaluate.Report) finding.Identity {
	key := finding.Identity{Rule: f.Rule, File: f.File, Line: f.Range.Line, Column: f.Range.Column, Path: f.Path, Case: report.Case}
	o := report.Object
	if charts.Of(o) == nil {
		key.Ref = o.Ref()
		if source := o.Source(); source != nil {
			key.Ref = source.Ref()
		}
	}
	if report.Holder == "" {
		key.Holder = f.Holder
	}
	if f.Source.Variant != "" {
		key.Ignored = ignored(o)
	}
	return key
}
