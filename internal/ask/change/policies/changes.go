package policies

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
)

const (
	mutationGroup   = "mutations.gatekeeper.sh"
	gatekeeperGroup = "config.gatekeeper.sh"
	kubewardenGroup = "policies.kubewarden.io"
)

// mutating are the kinds that only change or make objects.
//
// Sources: kyverno/kyverno, api/policies.kyverno.io/v1; open-policy-agent/gatekeeper, apis/mutations/v1.
var mutating = map[string][]string{
	kyvernoNewGroup: {"MutatingPolicy", "NamespacedMutatingPolicy", "GeneratingPolicy", "NamespacedGeneratingPolicy"},
	mutationGroup:   {"Assign", "AssignMetadata", "ModifySet", "AssignImage"},
}

// deleting are the kinds by which Kyverno deletes what exists, which can be a policy or what limits an account.
//
// Source: https://kyverno.io/docs/policy-types/cleanup-policy/.
var deleting = map[string][]string{
	kyvernoGroup: {"CleanupPolicy", "ClusterCleanupPolicy"}, kyvernoNewGroup: {"DeletingPolicy", "NamespacedDeletingPolicy"},
}

// exceptions are the kinds that leave something out of policies.
//
// Sources: https://kyverno.io/docs/exceptions/, https://open-policy-agent.github.io/gatekeeper/website/docs/exempt-namespaces/.
var exceptions = map[string][]string{kyvernoGroup: {"PolicyException"}, kyvernoNewGroup: {"PolicyException"}, gatekeeperGroup: {"Config"}}

// ChangingKinds returns the kinds of objects that change what others write, or leave something out of policies, other than Kinds.
func ChangingKinds() map[string][]string {
	kinds := map[string][]string{"ClusterAdmissionPolicy": {kubewardenGroup}, "AdmissionPolicy": {kubewardenGroup}, "ConfigMap": kyvernoExclusions}
	for _, table := range []map[string][]string{mutating, deleting, exceptions} {
		for group, list := range table {
			for _, kind := range list {
				kinds[kind] = append(kinds[kind], group)
			}
		}
	}
	return kinds
}

// Mutates reports whether an object other than those of Kinds changes what others write.
func Mutates(o *objects.Object) bool {
	return slices.Contains(mutating[o.Group], o.Kind) || o.Group == Group && strings.HasPrefix(o.Kind, "MutatingAdmissionPolicy")
}

// Weakening says what a new or changed object lets pass, or changes, as it follows the name of the object; "" if nothing.
func Weakening(then, now *objects.Object) string {
	if now.Kind == "ConfigMap" && now.Group == "" {
		return kyvernoLeavesOut(then, now)
	}
	if slices.Contains(exceptions[now.Group], now.Kind) {
		return weaker(exempts, then, now)
	}
	return weaker(changes, then, now)
}

// kyvernoExclusions are the settings in the ConfigMap of Kyverno that leave something out of all policies.
//
// Source: https://kyverno.io/docs/installation/customization/#configmap-keys.
var kyvernoExclusions = []string{"resourceFilters", "excludeUsernames", "excludeGroups", "excludeRoles", "excludeClusterRoles"}

// kyvernoLeavesOut describes what the settings of Kyverno newly leave out. A new ConfigMap installs Kyverno.
func kyvernoLeavesOut(then, now *objects.Object) string {
	if then == nil || !strings.Contains(now.Name, "kyverno") {
		return ""
	}
	return weaker(func(o *objects.Object) (string, []any) {
		var parts []any
		for _, setting := range kyvernoExclusions {
			for _, part := range strings.Fields(exclusionEnd.Replace(jsonfield.Text(jsonfield.At(o, "data", setting)))) {
				parts = append(parts, setting+" "+part)
			}
		}
		return "Kyverno leaves out more, with " + words.And(changedSettings(then, now)), parts
	}, then, now)
}

// exclusionEnd separates the exclusions of a setting.
var exclusionEnd = strings.NewReplacer("]", "] ", ", ", ",", "][", "] [")

func changedSettings(then, now *objects.Object) []string {
	return slices.DeleteFunc(slices.Clone(kyvernoExclusions), func(setting string) bool {
		return jsonfield.Text(jsonfield.At(then, "data", setting)) == jsonfield.Text(jsonfield.At(now, "data", setting))
	})
}

// weaker returns the description of the later state if it has parts that the earlier one does not have.
func weaker(describe func(*objects.Object) (string, []any), then, now *objects.Object) string {
	text, parts := describe(now)
	if len(parts) == 0 {
		return ""
	}
	if then != nil {
		_, before := describe(then)
		known := func(part any) bool {
			return slices.ContainsFunc(before, func(old any) bool { return reflect.DeepEqual(old, part) })
		}
		if !slices.ContainsFunc(parts, func(part any) bool { return !known(part) }) {
			return ""
		}
	}
	return text
}

// exempts describes what an exception leaves out.
func exempts(o *objects.Object) (text string, parts []any) {
	if o.Group == gatekeeperGroup {
		return gatekeeperLeavesOut(o)
	}
	var policies []string
	for _, item := range slices.Concat(jsonfield.List(jsonfield.At(o, "spec", "exceptions")), jsonfield.List(jsonfield.At(o, "spec", "policyRefs"))) {
		fields, _ := item.(map[string]any)
		name := jsonfield.Text(fields["policyName"])
		if name == "" {
			name = jsonfield.Text(fields["name"])
		}
		policies = append(policies, name)
	}
	if len(policies) == 0 {
		return "", nil
	}
	return "what it matches passes " + words.And(policies), []any{jsonfield.At(o, "spec")}
}

// gatekeeperLeavesOut describes the namespaces that no constraint or mutation is for when something is written; those that only its audit leaves out
// are not among them.
//
// Source: open-policy-agent/gatekeeper, pkg/controller/config/process/excluder.go.
func gatekeeperLeavesOut(o *objects.Object) (text string, parts []any) {
	var names []any
	for _, match := range jsonfield.List(jsonfield.At(o, "spec", "match")) {
		fields, _ := match.(map[string]any)
		for _, process := range jsonfield.List(fields["processes"]) {
			for _, name := range jsonfield.List(fields["excludedNamespaces"]) {
				switch process {
				case "*":
					parts = append(parts, []any{"webhook", name}, []any{"mutation-webhook", name})
				case "webhook", "mutation-webhook":
					parts = append(parts, []any{process, name})
				default:
					continue
				}
				names = append(names, name)
			}
		}
	}
	return "Gatekeeper leaves out " + namesOf(names), parts
}

func namesOf(values []any) string {
	var names []string
	for _, v := range values {
		names = append(names, jsonfield.Text(v))
	}
	return words.First(3, distinct(names))
}

// changes describes what an object changes in what others write.
func changes(o *objects.Object) (text string, parts []any) {
	switch {
	case slices.Contains(mutating[o.Group], o.Kind):
		return "it can change or make what the API server admits", []any{jsonfield.At(o, "spec")}
	case slices.Contains(deleting[o.Group], o.Kind):
		return "it deletes what exists", []any{jsonfield.At(o, "spec")}
	case o.Group == kubewardenGroup:
		if is, _ := jsonfield.At(o, "spec", "mutating").(bool); is {
			return "it can change what the API server admits", []any{jsonfield.At(o, "spec")}
		}
	case o.Group == kyvernoGroup && (o.Kind == "Policy" || o.Kind == "ClusterPolicy"):
		return rulesThatChange(o)
	}
	return "", nil
}

// rulesThatChange returns the rules of a policy of Kyverno that change or make objects.
func rulesThatChange(o *objects.Object) (text string, parts []any) {
	var kinds, existing []string
	for _, item := range jsonfield.List(jsonfield.At(o, "spec", "rules")) {
		rule, _ := item.(map[string]any)
		mutate, mutates := rule["mutate"].(map[string]any)
		generate, generates := rule["generate"].(map[string]any)
		switch {
		case mutates && len(jsonfield.List(mutate["targets"])) > 0:
			for _, target := range jsonfield.List(mutate["targets"]) {
				fields, _ := target.(map[string]any)
				existing = append(existing, strings.TrimSpace(jsonfield.Text(fields["kind"])+" "+jsonfield.Text(fields["name"])))
			}
		case mutates:
			kinds = append(kinds, matchedKinds(rule)...)
		case generates:
			kinds = append(kinds, "a new "+jsonfield.Text(generate["kind"]))
		default:
			continue
		}
		parts = append(parts, rule)
	}
	if len(existing) > 0 {
		return "it changes what exists: " + words.First(3, distinct(existing)), parts
	}
	return fmt.Sprintf("it changes or makes what others write: %s", words.First(3, distinct(kinds))), parts
}

// matchedKinds returns the kinds that a rule of Kyverno matches.
func matchedKinds(rule map[string]any) []string {
	match, _ := rule["match"].(map[string]any)
	var kinds []string
	for _, filter := range slices.Concat([]any{match}, jsonfield.List(match["any"]), jsonfield.List(match["all"])) {
		fields, _ := filter.(map[string]any)
		resources, _ := fields["resources"].(map[string]any)
		for _, kind := range jsonfield.List(resources["kinds"]) {
			kinds = append(kinds, jsonfield.Text(kind))
		}
	}
	return kinds
}

func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
