package judging

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// accountName returns the name of the account that an extension names; "" if it names none, or a placeholder.
func accountName(e olm.Extension) string {
	if e.Account.State != olm.Named {
		return ""
	}
	return e.Account.Name
}

// accountPlace returns where findings about the account of an extension are; zero without an account.
func accountPlace(o *objects.Object, e olm.Extension) finding.Place {
	if e.Account.State == olm.Absent {
		return finding.Place{}
	}
	file, span := o.Locate(e.Account.Path)
	return finding.Place{File: file.Path, Line: finding.RangeIn(file, span).Line}
}

// Extensions returns the extensions in the reported files, once for each unit that applies them. Extensions that no enabled
// rule needs are not read, and not among them.
func (r *Report) Extensions() []finding.Extension {
	var all []finding.Extension
	for _, unit := range objects.NotReplaced(r.snapshot.Units) {
		for _, o := range unit.Objects {
			extension, ok := o.Extension()
			if !ok {
				continue
			}
			file, span := o.Locate(nil)
			if !r.Reported(file.Path) {
				continue
			}
			v := r.judge.Targets.all.Of(unit, o)
			all = append(all, finding.Extension{
				Name: finding.ResourceOf(o).Name, Package: extension.Package, File: file.Path, Line: finding.RangeIn(file, span).Line,
				AccountPlace: accountPlace(o, extension),
				Target:       targetName(v), Model: string(v.Target.Model), Account: string(extension.Account.State), AccountName: accountName(extension), Namespace: extension.Namespace, Version: extension.Version,
				Channels: extension.Channels, Clusters: r.judge.clusters.names(unit), Origin: originOf(unit, o),
			})
		}
	}
	slices.SortFunc(all, func(a, b finding.Extension) int {
		return cmp.Or(
			strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name),
			strings.Compare(a.Origin.Kustomization, b.Origin.Kustomization), strings.Compare(a.Origin.Chart, b.Origin.Chart),
			strings.Compare(a.Origin.Unit, b.Origin.Unit), strings.Compare(a.Target, b.Target),
		)
	})
	return all
}
