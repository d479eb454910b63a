// Package enginetest answers the questions of fixers in tests that have no lint run.
package enginetest

import (
	"errors"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/consumers"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Lookups are answers about a repository of which every file was read and can be edited, and that no text, link, or application
// outside of its units uses. What a field does not answer is refused.
type Lookups struct {
	Targets func(*objects.Unit, *objects.Object) olm.Target
	Find    func(names []string) (map[string][]uses.Place, error)
	Needs   func(*objects.Unit, *objects.Object, rbac.Subject) (engine.BundleNeeds, error)
	Build   func(contents map[string][]byte, parsed map[string]*manifest.File, also func(*objects.Unit) bool) ([]*objects.Unit, error)
}

var _ engine.Lookups = &Lookups{}

// Target asks Targets.
func (l *Lookups) Target(u *objects.Unit, o *objects.Object) olm.Target { return l.Targets(u, o) }

// References asks Find.
func (l *Lookups) References(names []string) (map[string][]uses.Place, error) {
	if l.Find == nil {
		return nil, engine.Refuse("the files of the repository cannot be searched, so other uses of the account are unknown")
	}
	return l.Find(names)
}

// GroupReferences asks Find.
func (l *Lookups) GroupReferences(names []string) (map[string][]uses.Place, error) {
	return l.References(names)
}

// BundleNeeds asks Needs.
func (l *Lookups) BundleNeeds(u *objects.Unit, extension *objects.Object, identity rbac.Subject) (engine.BundleNeeds, error) {
	if l.Needs == nil {
		return engine.BundleNeeds{}, engine.Refuse("the bundle of ClusterExtension %s is unknown: name its folder with "+
			"`bundles:` in .salint.yaml or --bundle %s=DIR", extension.Name, extension.Name)
	}
	return l.Needs(u, extension, identity)
}

// Rebuild asks Build.
func (l *Lookups) Rebuild(contents map[string][]byte, parsed map[string]*manifest.File, also func(*objects.Unit) bool) ([]*objects.Unit, error) {
	if l.Build == nil {
		return nil, errors.New("nothing is built again in this test")
	}
	return l.Build(contents, parsed, also)
}

// Unread returns "".
func (*Lookups) Unread([]string) (place, why string) { return "", "" }

// GrantedElsewhere returns "".
func (*Lookups) GrantedElsewhere(objects.Account) (place string, err error) { return "", nil }

// Violations returns an error: templates of Gatekeeper are not evaluated.
func (*Lookups) Violations(admission.Template, []string) ([]bool, error) {
	return nil, errors.New("nothing is evaluated in this test")
}

// WriteProtected returns "".
func (*Lookups) WriteProtected(string) (why string) { return "" }

// RulesBeside knows no rules.
func (*Lookups) RulesBeside(*objects.Unit, rbac.RoleRef) (rules []rbacv1.PolicyRule, known bool) {
	return nil, false
}

// Beside returns nil.
func (*Lookups) Beside(*objects.Unit, rbac.Subject) []*objects.Unit { return nil }

// Apart returns false.
func (*Lookups) Apart(_, _ *objects.Unit) bool { return false }

// Unrenderable returns "".
func (*Lookups) Unrenderable(string) (place, why string) { return "", "" }

// Excluded returns "".
func (*Lookups) Excluded(string) (place, why string) { return "", "" }

// HelmRuns returns nil.
func (*Lookups) HelmRuns(string) []consumers.HelmRun { return nil }

// AppliedByName returns false.
func (*Lookups) AppliedByName(string) (uses.FileReference, bool) { return uses.FileReference{}, false }

// Consumer returns none.
func (*Lookups) Consumer(string) (consumers.Consumer, bool) { return consumers.Consumer{}, false }

// FilesIn returns nil.
func (*Lookups) FilesIn(string) []string { return nil }
