package olm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
)

// Model says how a release treats spec.serviceAccount of a ClusterExtension.
type Model string

const (
	// Required rejects an extension without the field; OLM acts as the ServiceAccount it names.
	Required Model = "required"
	// Synthetic has OLM act as the ServiceAccount where the field is set, and impersonate the synthetic identity of the
	// extension where it is not.
	Synthetic Model = "synthetic"
	// Ignored accepts the field, warns, and has OLM act as its own account, a cluster-admin.
	Ignored Model = "ignored"
	// Removed has no such field any more: a manifest that sets it is rejected.
	Removed Model = "removed"
)

// Target is what a repository is judged for: a release of OLM or OpenShift, or a bare model.
type Target struct {
	// Name is the name on the command line, as in olm-1.11, ocp-4.21-proposed or ignored.
	Name string
	// Model is how the target treats the field.
	Model Model
	// Source says where the model is known from.
	Source string
	// Proposed marks a release as an enhancement proposal describes it, not as it was shipped.
	Proposed bool
	// Placeholder tells that a release of this target may have the gate SyntheticPermissions, under which the account
	// name Placeholder stands for the synthetic identity.
	Placeholder bool
}

// OpenShift reports whether the target is a release of OpenShift, or proposed for one: some things are set up there in
// other ways, such as the certificates of webhooks.
func (t Target) OpenShift() bool { return strings.HasPrefix(t.Name, "ocp-") }

// Release reports whether the target is a release, shipped or proposed, and not a bare model.
func (t Target) Release() bool {
	_, ok := parseRelease(t.Name)
	return ok || t.TechPreview()
}

// TargetsPage is the page of the documentation that lists the targets.
const TargetsPage = "docs/targets.md"

// AutoTarget is what users write for the target that the signs in the repository give. It is no target of its own, and
// here only to be offered to those who mistype it.
const AutoTarget = "auto"

// Targets lists the targets that have a row of their own, in the order of the documentation: upstream releases,
// OpenShift releases, proposals, models.
func Targets() []Target {
	return append(slices.Clone(table), models...)
}

// ParseTarget finds a target by its name. A release later than those of the table is taken to be like the last one
// before it, and says so in its Source. The error for an unknown name offers the nearest one.
func ParseTarget(name string) (Target, error) {
	for _, t := range Targets() {
		if t.Name == name {
			return t, nil
		}
	}
	if r, ok := parseRelease(name); ok {
		return laterRelease(name, r)
	}
	return Target{}, unknownTarget(name)
}

// laterRelease finds the last row of the release's family that is not newer than the release.
func laterRelease(name string, asked release) (Target, error) {
	var found Target
	for _, t := range table {
		r, ok := parseRelease(t.Name)
		if !ok || r.family != asked.family || r.proposed != asked.proposed {
			continue
		}
		if asked.before(r) {
			break
		}
		found = t
	}
	if found.Name == "" {
		return Target{}, tooOld(name)
	}
	found.Source = fmt.Sprintf("taken to be like %s, the last release known before it: %s", found.Name, found.Source)
	found.Name = name
	return found, nil
}

func tooOld(name string) error {
	return fmt.Errorf("target %q is older than the releases that are known; for operator-controller v0.12 to v0.18, "+
		"which demand an account, use the model %q; %s lists all targets", name, Required, TargetsPage)
}

func unknownTarget(name string) error {
	if guess := meant(name); guess != "" {
		return fmt.Errorf("unknown target %q: did you mean %q? %s lists all targets", name, guess, TargetsPage)
	}
	return fmt.Errorf("unknown target %q: use %s, a release such as olm-1.11 or ocp-4.20, or a model (%s); %s lists all",
		name, AutoTarget, strings.Join(modelNames(), ", "), TargetsPage)
}

// versionAlone is a version that somebody wrote without the family, with another word for it, or with a patch release.
var versionAlone = regexp.MustCompile(`^[A-Za-z-]*(\d{1,4})\.(\d{1,4})(\.\d+)*$`)

// firstOpenShift is where OpenShift's numbers begin: OLM v1 came with 4.14, operator-controller counts from 0.1.
const firstOpenShift = 4

// meant guesses the target that a name stands for, "" without a good guess.
func meant(name string) string {
	if m := versionAlone.FindStringSubmatch(name); m != nil {
		guess := numberedRelease(number(m[1]), number(m[2])).name()
		if _, err := ParseTarget(guess); err == nil {
			return guess
		}
	}
	if proposed := name + "-proposed"; proposed == techPreviewName {
		return proposed
	}
	names := []string{AutoTarget}
	for _, t := range Targets() {
		names = append(names, t.Name)
	}
	return nearest.Name(name, names)
}

// numberedRelease tells by its number alone whose release it is.
func numberedRelease(major, minor int) release {
	if major >= firstOpenShift {
		return release{family: openshift, major: major, minor: minor}
	}
	return release{family: upstream, major: major, minor: minor}
}

func modelNames() []string {
	var names []string
	for _, m := range models {
		names = append(names, m.Name)
	}
	return names
}

// modelTarget is the target that stands for a model of which no release is known.
func modelTarget(m Model) Target {
	for _, t := range models {
		if t.Model == m {
			return t
		}
	}
	return Target{}
}
