package conditions

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// usesSyntheticIdentity reports whether the evaluated object is an extension that OLM can install as its synthetic identity.
func (s *Evaluated) usesSyntheticIdentity() bool {
	e, ok := s.installedExtension()
	return ok && (e.Account.State == olm.Absent || e.Account.State == olm.Null || e.Account.Name == olm.Placeholder)
}

// identityUnbound is for olm/synthetic-identity-unbound. Bindings to groups of all users do not count.
func identityUnbound(s *Evaluated) bool {
	return s.usesSyntheticIdentity() && !slices.ContainsFunc(s.bindingsOfInstaller(), func(b rbac.Binding) bool {
		return b.Via == "" || b.Via == olm.Group
	})
}

// gateOff is for olm/synthetic-gate-off. If signals contradict each other, the gate is not off.
func gateOff(s *Evaluated) bool {
	return s.usesSyntheticIdentity() && slices.ContainsFunc(s.Signals, turnsGateOff)
}

// turnsGateOff reports whether a signal turns synthetic identities off, as gate_of of rego/lib/olm_gates.rego.
func turnsGateOff(signal olm.Signal) bool {
	on, set := signal.Gates["SyntheticPermissions"]
	if !set {
		on, set = signal.Gates["AllAlpha"]
	}
	return set && !on
}

// userUnknown is for olm/synthetic-binding-dangling. The extension of the user exists if the deployment unit has it.
func userUnknown(s *Evaluated) bool {
	return s.hasSubject(func(subject *manifest.Node) bool {
		name, is := strings.CutPrefix(subject.Get("name").String(), olm.User(""))
		return is && !s.hasExtension(name)
	})
}

// hasExtension reports whether the deployment unit has an extension of a name.
func (s *Evaluated) hasExtension(name string) bool {
	group := olm.APIGroup
	return name != "" && len(s.Unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind, Name: name})) > 0
}

// subjectMistyped is for olm/synthetic-subject-mistyped, which also reports the API group of a subject.
func subjectMistyped(s *Evaluated) bool {
	return s.hasSubject(func(subject *manifest.Node) bool {
		_, _, _, mistyped := olm.Mistyped(subject.Get("kind").String(), subject.Get("name").String())
		return mistyped || !hasUsualGroup(subject)
	})
}

// hasUsualGroup reports whether a subject has the API group of users and groups, or none.
func hasUsualGroup(subject *manifest.Node) bool {
	group := subject.Get("apiGroup")
	return group == nil || group.IsNull() || group.IsString() && (group.String() == "" || group.String() == rbac.Group)
}

// hasSubject reports whether a condition holds for a subject of the evaluated binding; true if the subjects are no list, or an alias.
func (s *Evaluated) hasSubject(holds func(*manifest.Node) bool) bool {
	subjects := s.Object.Node.Get("subjects")
	if !subjects.IsSequence() || len(subjects.Items()) == 0 { // the items of an alias are those of its anchor
		return subjects != nil
	}
	return slices.ContainsFunc(subjects.Items(), holds)
}
