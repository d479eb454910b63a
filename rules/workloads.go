package rules

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// workloads is the name under which METADATA asks for all kinds that embed a pod.
const workloads = "workloads"

func withoutWorkloads(kinds []string) []string {
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == workloads })
}

// workloadKeys are the kinds that embed a pod, as METADATA names kinds.
func workloadKeys(more []objects.PodSpecKind) []string {
	var keys []string
	for _, kind := range slices.Concat(objects.Workloads(), more) {
		if key := kindKey(kind.Kind, kind.Group); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// addWorkloads adds the kinds that a rule asks for under one name.
func (r *Registry) addWorkloads(rule *Rule) {
	if rule.Workloads {
		rule.Kinds = union(rule.Kinds, workloadKeys(r.pods))
	}
	if slices.Contains(slices.Concat(rule.Reads, rule.ReadsAll), workloads) {
		rule.readsWorkloads = true
		rule.Reads = union(withoutWorkloads(rule.Reads), workloadKeys(r.pods))
		rule.ReadsAll = withoutWorkloads(rule.ReadsAll)
	}
}

// judges says in words what the rule judges; those that embed a pod are called by the name given.
func (r *Rule) judges(ofPods string) string {
	kinds := slices.Clone(r.Kinds)
	if r.Workloads {
		known := workloadKeys(nil)
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return slices.Contains(known, kind) })
		kinds = append([]string{ofPods}, kinds...)
	}
	return strings.Join(kinds, ", ")
}
