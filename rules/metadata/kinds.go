package metadata

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// workloads is the name in METADATA for all kinds that embed a pod.
const workloads = "workloads"

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
