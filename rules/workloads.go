package rules

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// workloads is the name in METADATA for all kinds that embed a pod.
const workloads = "workloads"

func withoutWorkloads(kinds []string) []string {
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == workloads })
}

// workloadKeys returns the kinds that embed a pod, in the form of METADATA.
func workloadKeys(more []objects.PodSpecKind) []string {
	var keys []string
	for _, kind := range slices.Concat(objects.Workloads(), more) {
		if key := kindKey(kind.Kind, kind.Group); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// addWorkloads adds the kinds that embed a pod to those that the rule names with one name; more are kinds in addition to the known ones.
func (r *Rule) addWorkloads(more []objects.PodSpecKind) {
	if r.Workloads {
		r.Kinds = withGroups(slices.Concat(r.Kinds, workloadKeys(more)))
	}
	if slices.Contains(slices.Concat(r.Reads, r.ReadsAll), workloads) {
		r.ReadsWorkloads = true
		r.Reads = withGroups(slices.Concat(withoutWorkloads(r.Reads), workloadKeys(more)))
		r.ReadsAll = withoutWorkloads(r.ReadsAll)
	}
}

// bareKind removes the group from Kind.group.
func bareKind(kind string) string {
	bare, _, _ := strings.Cut(kind, ".")
	return bare
}

// kindKey is the inverse: the form in which METADATA names a kind.
func kindKey(kind, group string) string {
	if group == "" {
		return kind
	}
	return kind + "." + group
}
