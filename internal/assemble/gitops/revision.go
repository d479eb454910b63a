package gitops

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/base/lazyregexp"
)

// fixedRevision matches a tag or version, a commit, and a range of versions.
var fixedRevision = lazyregexp.New(`^refs/tags/|^v?\d+(?:\.(?:\d+|[xX*]))*(?:[-+][\w.+-]+)?$|^[0-9a-f]{7,40}$|[*^~<>=]`)

// isOtherRevision reports whether a revision is fixed, or a branch that is not checked out: its files are not those of the tree. A branch
// that is filled in later counts as checked out, and so does every branch if git does not know which one is, and branches are nil.
func isOtherRevision(revision string, branches []string) bool {
	switch {
	case revision == "", revision == "HEAD", strings.ContainsAny(revision, "${%"):
		return false
	case fixedRevision().MatchString(revision):
		return true
	}
	return len(branches) > 0 && !slices.Contains(branches, strings.TrimPrefix(revision, "refs/heads/"))
}

// addOtherRevision records a source of this repository at another revision.
func (r *reader) addOtherRevision(a *Application, s sources.Source) {
	if s.OtherRevision && s.Repository.Is != sources.OtherRepository && !s.Absent && s.Kind != sources.Reference {
		a.addNotChecked(s.Location, "the source %s was not checked: its revision is %s, and not what is checked out", shown(s.Path.Value), s.Revision.Value)
	}
}
