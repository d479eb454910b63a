package judging

import (
	"slices"

	"github.com/salint/salint/internal/assemble/applied"
)

// The rules about a binding that makes its subject cluster-admin: in a deployment unit whose release acts as the subject, and in others.
const (
	installerIsAdmin = "olm/cluster-admin-grant"
	subjectIsAdmin   = "rbac/cluster-admin-grant"
)

// withoutSecondAdmin drops the finding that a subject is cluster-admin if another deployment unit, with another release, has the finding that
// the subject of the same binding installs an extension: it is one grant.
func withoutSecondAdmin(found []Finding) []Finding {
	type grant struct{ object, holder string }
	of := func(f Finding) grant {
		holder := f.Holder
		if f.Subject != nil {
			holder = f.Subject.String()
		}
		return grant{applied.SourceKey(f.Report.Object), holder}
	}
	reported := map[grant]bool{} // whether the paths of the command line select the finding
	for _, f := range found {
		if f.Rule == installerIsAdmin {
			reported[of(f)] = reported[of(f)] || f.Selected
		}
	}
	if len(reported) == 0 {
		return found
	}
	return slices.DeleteFunc(found, func(f Finding) bool {
		selected, is := reported[of(f)]
		return f.Rule == subjectIsAdmin && is && (selected || !f.Selected)
	})
}
