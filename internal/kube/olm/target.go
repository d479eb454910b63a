package olm

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/kubeversion"
)

// Model is the way in which a release treats spec.serviceAccount of a ClusterExtension.
type Model string

const (
	// Required rejects an extension without the field; OLM acts as the ServiceAccount that it names.
	Required Model = "required"
	// Synthetic makes OLM act as the ServiceAccount if the field is set, and impersonate the synthetic identity of the
	// extension if it is not.
	Synthetic Model = "synthetic"
	// Ignored accepts the field, warns, and makes OLM act as its own account, a cluster-admin.
	Ignored Model = "ignored"
	// Removed no longer has the field: a manifest that sets it is rejected.
	Removed Model = "removed"
	// Unknown is the model of a release that was neither requested nor detected. It is one of the models of the shipped
	// releases, so only what holds under all of them is known.
	Unknown Model = "unknown"
)

// IdentitiesMayCount reports whether OLM acts as the identity of each extension, or can do so because the model is unknown.
func (m Model) IdentitiesMayCount() bool { return m == Required || m == Synthetic || m == Unknown }

// Target is what a repository is checked against: a release of OLM or OpenShift, or a bare model.
type Target struct {
	// Name is the name on the command line, as in olm-1.11, ocp-4.21-proposed, or ignored.
	Name string
	// Model is how the target treats the field.
	Model Model
	// Source is the source for the model.
	Source string
	// Kubernetes are the versions of Kubernetes that the target can run. Only a release of OpenShift determines them.
	Kubernetes kubeversion.Range
	// Proposed is true for a release as an enhancement proposal describes it, not as it was shipped.
	Proposed bool
	// Placeholder is true if a release of this target can have the gate SyntheticPermissions, with which the account name
	// Placeholder represents the synthetic identity.
	Placeholder bool
	// Assumed is the name of the release that this one is treated like, if this one is later than all known releases.
	Assumed string
	// ReleasedWith is the name of an older release that was released at the same time, so that no upgrade leads from it to this
	// one; "" if there is none.
	ReleasedWith string
}

// UnknownTarget is the target of objects whose release was neither requested nor detected.
func UnknownTarget() Target {
	return Target{Name: AutoTarget, Model: Unknown, Source: "no target is set, and no signal was detected"}
}

// AssumptionNote returns a sentence about what is assumed of a release that is later than all known ones, otherwise "".
func (t Target) AssumptionNote() string {
	if t.Assumed == "" {
		return ""
	}
	note := fmt.Sprintf("%s is not a release that this version of salint knows. It is treated like %s, the last known one: the model is `%s`",
		t.Name, t.Assumed, t.Model)
	if isFarFrom(t.Name, t.Assumed) {
		note += fmt.Sprintf(". Did you mean %s?", t.Assumed)
	}
	return note
}

// isFarFrom reports whether a release is so much later than the last known one that its number is probably a typing error.
func isFarFrom(name, last string) bool {
	asked, _ := parseRelease(name)
	known, ok := parseRelease(last)
	const far = 20
	return ok && asked.major == known.major && asked.minor > known.minor+far
}

// OpenShift reports whether the target is a shipped or proposed release of OpenShift: some details differ there, such as
// the certificates of webhooks.
func (t Target) OpenShift() bool { return strings.HasPrefix(t.Name, "ocp-") }

// Release reports whether the target is a release, shipped or proposed, and not a bare model.
func (t Target) Release() bool {
	_, ok := parseRelease(t.Name)
	return ok || t.TechPreview()
}

// TargetsPage is the page of the documentation that lists the targets.
const TargetsPage = "docs/targets.md"

// listCommand is the command that lists the targets, for messages: the page of the documentation may not be at hand.
const listCommand = "`salint targets`"

// AutoTarget is the name that selects the target detected in the repository. It is not a target, and exists here only as a
// suggestion for misspelled names.
const AutoTarget = "auto"

// Targets lists the targets with a row, in the order of the documentation: upstream releases, OpenShift releases,
// proposals, models.
func Targets() []Target {
	all := append(slices.Clone(table), models...)
	for i := range all {
		all[i].Kubernetes = kubernetesOf(all[i])
	}
	return all
}

// targetsByName holds the targets of Targets. Policies ask for one by its name for each object.
var targetsByName = sync.OnceValue(func() map[string]Target {
	byName := map[string]Target{}
	for _, t := range Targets() {
		byName[t.Name] = t
	}
	return byName
})

// ParseTarget returns the target of a name. A release later than those of the table is treated like the last one before it,
// and its Source states that. The error for an unknown name suggests the nearest one.
func ParseTarget(name string) (Target, error) {
	if t, known := targetsByName()[name]; known {
		return t, nil
	}
	if r, ok := parseRelease(name); ok {
		return laterRelease(name, r)
	}
	return Target{}, unknownTarget(name)
}

// laterRelease finds the last row of the release's family that is not newer than the release.
func laterRelease(name string, asked release) (Target, error) {
	var found Target
	for _, t := range Targets() {
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
		return Target{}, tooOld(name, asked.family)
	}
	found.Source = fmt.Sprintf("treated like %s, the last release known before it: %s", found.Name, found.Source)
	found.Name, found.Assumed = name, found.Name
	found.Kubernetes = found.Kubernetes.OrLater()
	return found, nil
}

func tooOld(name string, family string) error {
	if family == openshift {
		return fmt.Errorf("target %q is older than the known releases of OpenShift: see %s", name, listCommand)
	}
	return fmt.Errorf("target %q is older than the known releases; for operator-controller v0.12 to v0.18, "+
		"which require an account, use the model %q; see %s", name, Required, listCommand)
}

func unknownTarget(name string) error {
	if strings.HasPrefix(name, "kubernetes-") || strings.HasPrefix(name, "k8s-") {
		return fmt.Errorf("unknown target %q: targets are releases of OLM and OpenShift; one of OpenShift determines the version of Kubernetes, "+
			"such as ocp-4.20 for 1.33; see %s", name, listCommand)
	}
	if guess := guessTarget(name); guess != "" {
		return fmt.Errorf("unknown target %q: did you mean %q? See %s", name, guess, listCommand)
	}
	return fmt.Errorf("unknown target %q: use %s, a release such as olm-1.11 or ocp-4.20, or a model (%s); see %s",
		name, AutoTarget, strings.Join(modelNames(), ", "), listCommand)
}

// versionAlone matches a version without the family, with another word for it, or with a patch release.
var versionAlone = lazyregexp.New(`^[A-Za-z-]*(\d{1,4})\.(\d{1,4})(\.\d+)*$`)

// firstOpenShift is the lowest major version of OpenShift with OLM v1 (4.14); operator-controller counts from 0.1.
const firstOpenShift = 4

// guessTarget returns the target that a name probably means, or "".
func guessTarget(name string) string {
	if m := versionAlone().FindStringSubmatch(name); m != nil {
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

// numberedRelease returns the release of a version, whose family follows from the number alone.
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

// modelTarget is the target of a model without a known release.
func modelTarget(m Model) Target {
	for _, t := range models {
		if t.Model == m {
			return t
		}
	}
	return Target{}
}
