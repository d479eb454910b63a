package metadata

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/objects"
)

// workloads is the name in METADATA for all kinds that embed a pod.
const workloads = "workloads"

// accountCreators is the name for the kinds for whose objects an operator creates accounts.
const accountCreators = "account_creators"

// controlPlanes is the name for the kinds that set arguments of the control plane, see also [objects.ControlPlanes].
const controlPlanes = "control_planes"

// judgedKinds returns the kinds of a rule without the names that stand for kinds which are known when rules are loaded, and with those of control planes.
func judgedKinds(kinds []string) []string {
	var all []string
	for _, kind := range withoutNames(kinds) {
		if kind == controlPlanes {
			all = append(all, KindGroups[controlPlanes]...)
		} else {
			all = append(all, kind)
		}
	}
	return all
}

// withoutNames returns kinds without the names that stand for kinds which are known when rules are loaded.
func withoutNames(kinds []string) []string {
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == workloads || kind == allKinds })
}

// WorkloadKeys returns the kinds that embed a pod, in the form of METADATA.
func WorkloadKeys(more []objects.PodSpecKind) []string {
	var keys []string
	for _, kind := range slices.Concat(objects.Workloads(), more) {
		if key := KindKey(kind.Kind, kind.Group); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// AddWorkloads adds the kinds that embed a pod to those that the rule names with one name; more are kinds in addition to the known ones.
func (r *Rule) AddWorkloads(more []objects.PodSpecKind) {
	if r.Workloads {
		r.Kinds = withGroups(slices.Concat(r.Kinds, WorkloadKeys(more)))
	}
	if slices.Contains(slices.Concat(r.Reads, r.ReadsAll), workloads) {
		r.ReadsWorkloads = true
		r.Reads = withGroups(slices.Concat(withoutNames(r.Reads), WorkloadKeys(more)))
		r.ReadsAll = withoutNames(r.ReadsAll)
	}
}

// AddCreators adds the kinds for which the configuration names created accounts to what a rule reads that reads the known ones.
func (r *Rule) AddCreators(more []settings.Creator) {
	for _, known := range KindGroups[accountCreators] {
		if !slices.Contains(r.Reads, known) {
			return
		}
	}
	kinds := slices.Clone(r.Reads)
	for _, c := range more {
		kinds = append(kinds, KindKey(c.Kind, c.Group))
	}
	r.Reads = withGroups(kinds)
}

// BareKind removes the group from Kind.group.
func BareKind(kind string) string {
	bare, _, _ := strings.Cut(kind, ".")
	return bare
}

// KindKey is the inverse: the form in which METADATA names a kind.
func KindKey(kind, group string) string {
	if group == "" {
		return kind
	}
	return kind + "." + group
}
