package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/inventory"
)

// sameness is what findings agree in that are one finding for the user: he mends it in one place. Objects that overlays make
// of one source may have other names, so the message counts without them.
type sameness struct {
	rule, ref, file, path, message string
	line, column                   int
}

func samenessOf(f judged) sameness {
	o := f.report.Object
	source := o.Source()
	if source == nil {
		source = o
	}
	message := f.Message
	if source != o {
		message = unnamed(message, o.Name, "\x00name")
		message = unnamed(message, o.Namespace, "\x00namespace")
	}
	return sameness{f.Rule, source.Ref(), f.File, f.Path, message, f.Range.Line, f.Range.Column}
}

// unnamed takes a name out of a message.
func unnamed(message, name, placeholder string) string {
	if name == "" {
		return message
	}
	return strings.ReplaceAll(message, name, placeholder)
}

// distinct leaves each finding once. A file that several units apply has its findings in each of them; the worst stands
// for all, and says which overlays it concerns besides.
func distinct(all []judged) []judged {
	slices.SortStableFunc(all, func(a, b judged) int { return int(b.Severity) - int(a.Severity) })
	seen := map[sameness]int{}
	var once []judged
	told := map[int]map[*inventory.Unit]bool{}
	for _, f := range all {
		key := samenessOf(f)
		i, known := seen[key]
		if !known {
			seen[key], told[len(once)] = len(once), map[*inventory.Unit]bool{f.unit: true}
			once = append(once, f)
			continue
		}
		first := &once[i]
		if (f.unit.Built || first.unit.Built) && !told[i][f.unit] {
			told[i][f.unit] = true
			first.Related = append(first.Related, alsoIn(f))
		}
	}
	return once
}

// alsoIn says that a finding holds in a further unit.
func alsoIn(f judged) finding.Related {
	if len(f.unit.Kustomizations) == 0 {
		return finding.Related{File: f.File, Line: f.Range.Line, Message: "applied as it stands, too"}
	}
	message := "applied by the kustomization " + f.unit.Name + ", too"
	if source := f.report.Object.Source(); source != nil && source.Name != f.Resource.Name {
		message += fmt.Sprintf(", as %s", f.Resource.Name)
	}
	return finding.Related{File: f.unit.Kustomizations[0].Path, Line: 1, Message: message}
}
