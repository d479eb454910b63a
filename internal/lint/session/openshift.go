package session

import (
	"slices"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// openShiftAPI matches a manifest, or a template of one, of an API that every OpenShift cluster has and no other cluster. The
// groups of OpenShift's optional operators do not count: many of these operators run on other clusters as well.
var openShiftAPI = lazyregexp.New(`(?m)^[ \t]*(?:- +)?\{?[ \t]*"?apiVersion"?:[ \t]*["']?` +
	`(?:apps|build|config|console|image|imageregistry\.operator|machine|machineconfiguration|network|oauth|operator|project|quota|route|security|template|user)` +
	`\.openshift\.io/v`)

// onOpenShift reports whether the repository is for OpenShift: the target of an extension is a release of it, or a file has an object of
// its API. Such objects are not read otherwise, so the bytes decide.
func (s *surveyor) onOpenShift(extensions []Surveyed) bool {
	if slices.ContainsFunc(extensions, func(e Surveyed) bool { return e.Today.Known && e.Today.Target.OpenShift() }) {
		return true
	}
	if !slices.ContainsFunc(extensions, func(e Surveyed) bool { return !e.Today.Known }) {
		return false // the answer decides nothing
	}
	for _, data := range s.session.snapshot.Texts(func(string) bool { return true }) {
		if openShiftAPI().Match(data) {
			return true
		}
	}
	return false
}
