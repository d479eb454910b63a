package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// outcome is what a comparison gave.
type outcome struct {
	// Cause is why the answers differ, or how they are the same. It begins with unexplained if the reason is unknown.
	Cause            string
	Upstream, Salint string
}

const unexplained = "unexplained: "

// installed compares whether a bundle is installed.
func installed(a Answer, v verdict, refused string) outcome {
	reason := refusal(a)
	o := outcome{Upstream: reason, Salint: refused + v.Unread}
	switch {
	case v.Unread != "" && reason == "":
		o.Cause = unexplained + "salint cannot read the bundle"
	case v.Unread != "":
		o.Cause = "both refuse it: " + reasonOf(reason)
	case reason == "" && refused == "":
		o.Cause = "both install it"
	case reason == "":
		o.Cause = unexplained + "only salint refuses it"
	case refused == "":
		o.Cause = unexplained + "only operator-controller refuses it"
	default:
		o.Cause = "both refuse it: " + reasonOf(reason)
	}
	return o
}

// reasons are the reasons of refusals, by a part of operator-controller's message.
var reasons = []struct{ part, reason string }{
	{"has a dependency declared", "dependencies"},
	{"apiServiceDefintions are not supported", "API services"},
	{"webhookDefinitions are not supported", "webhooks"},
	{"install mode", "install modes"},
	{"watchNamespace", "install modes"},
	{"target namespace", "install modes"},
	{"error parsing objects", "manifests that do not parse"},
	{"subdirectories are not allowed", "folders below manifests"},
	{"no ClusterServiceVersion found", "no ClusterServiceVersion"},
	{"annotations.yaml", "no annotations.yaml"},
	{"properties", "properties that do not parse"},
}

func reasonOf(text string) string {
	for _, r := range reasons {
		if strings.Contains(text, r.part) {
			return r.reason
		}
	}
	return "the validation of the bundle"
}

// grows is a part of a note of preflight about default roles.
const grows = "which has more rules from Kubernetes"

// sufficient compares what preflight lists with what the pre-authorizer misses.
func sufficient(a Answer, v verdict) outcome {
	o := outcome{Upstream: textOf(a.Missing) + a.Unchecked}
	switch {
	case o.Upstream == "":
		o.Cause = "sufficient"
	case slices.ContainsFunc(v.Notes, func(n string) bool { return strings.Contains(n, grows) }):
		o.Cause = "a default role that grows with Kubernetes, as a note says"
	default:
		o.Cause = unexplained + "not sufficient"
	}
	return o
}

// necessary reports whether each listed permission is necessary.
func necessary(a Answer) outcome {
	o := outcome{Upstream: a.Unweighed, Salint: textOf(a.Unneeded)}
	switch left := exceptWebhooks(a.Unneeded); {
	case strings.Contains(a.Unweighed, "to use an aggregationRule"):
		o.Cause = "every permission, which a role with an aggregationRule requires"
	case a.Unweighed != "":
		o.Cause = unexplained + "operator-controller does not list what is missing"
	case len(a.Unneeded) == 0:
		o.Cause = "each permission is necessary"
	case len(left) == 0:
		o.Cause = "each but those on webhook configurations, for which operator-controller asks in a namespace, and the API server everywhere"
	case onlyBind(left):
		o.Cause = "each but bind on roles that the cluster of the comparison does not have, so that their rules are unknown"
	default:
		o.Cause = unexplained + "not all permissions are necessary"
	}
	return o
}

// exceptWebhooks leaves out rules about webhook configurations. operator-controller renders them with a namespace, which the API server
// ignores (rukpak/render/registryv1/generators/generators.go).
func exceptWebhooks(all []Scoped) []Scoped {
	return except(all, func(r rbacv1.PolicyRule) bool {
		return slices.Equal(r.APIGroups, []string{"admissionregistration.k8s.io"})
	})
}

// onlyBind reports whether all rules allow to bind roles with names.
func onlyBind(all []Scoped) bool {
	return len(except(all, func(r rbacv1.PolicyRule) bool {
		return slices.Equal(r.Verbs, []string{"bind"}) && len(r.ResourceNames) > 0
	})) == 0
}

// blockedName is the name of a definition in operator-controller's message.
var blockedName = regexp.MustCompile(`validating upgrade for CRD "([^"]+)"`)

// blocked compares which definitions block an upgrade.
func blocked(a Answer, g growth) outcome {
	var names []string
	for _, match := range blockedName.FindAllStringSubmatch(a.Blocked, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	o := outcome{Upstream: a.Blocked + a.Fault, Salint: fmt.Sprint(g.Blocked, g.Unread)}
	notCompared := slices.ContainsFunc(g.Notes, func(n string) bool {
		return strings.Contains(n, "checks what changes in definitions by separate rules")
	})
	switch {
	case g.Unread != "":
		o.Cause = unexplained + "salint cannot compare the bundles"
	case strings.Contains(a.Fault, "crdify/pkg/validations/crd/existingfieldremoval"), strings.Contains(a.Fault, "crdupgradesafety.NoExistingFieldRemoved"):
		o.Cause = "operator-controller crashes for a definition without a schema, which no API server accepts"
	case a.Fault != "":
		o.Cause = unexplained + "operator-controller crashes"
	case notCompared && len(names) > 0:
		o.Cause = "blocked by separate rules of the release, which a note calls not compared"
	case notCompared:
		o.Cause = "not blocked, and a note calls the rules of the release not compared"
	case a.Blocked != "" && len(names) == 0:
		o.Cause = unexplained + "operator-controller fails otherwise"
	case !slices.Equal(names, g.Blocked):
		o.Cause = unexplained + "other definitions"
	case len(names) > 0:
		o.Cause = "both block it"
	default:
		o.Cause = "neither blocks it"
	}
	return o
}

// named reports whether bundle-diff names what the account of the old version lacks: before is with its permissions, after with what
// bundle-diff names in addition. It leaves out the names of generated roles, which it counts in a note.
func named(before, after Answer, g growth) outcome {
	lacks := exceptRoles(after.Missing)
	o := outcome{Upstream: textOf(lacks) + after.Unchecked, Salint: textOf(g.More)}
	switch {
	case g.Unread != "":
		o.Cause = unexplained + "salint cannot compare the bundles"
	case o.Upstream != "" && slices.ContainsFunc(g.Notes, func(n string) bool { return strings.Contains(n, grows) }):
		o.Cause = "a default role that grows with Kubernetes, as a note says"
	case o.Upstream != "":
		o.Cause = unexplained + "bundle-diff leaves out what is new"
	case len(g.More) == 0:
		o.Cause = "nothing is new"
	case g.Installer && len(before.Missing) == 0 && before.Unchecked == "":
		o.Cause = unexplained + "bundle-diff calls new what the account has"
	default:
		o.Cause = "all that is new is named"
	}
	return o
}

// roleKinds are the resources whose objects get generated names.
var roleKinds = []string{"roles", "rolebindings", "clusterroles", "clusterrolebindings"}

func exceptRoles(all []Scoped) []Scoped {
	return except(all, func(r rbacv1.PolicyRule) bool {
		return len(r.ResourceNames) > 0 && !slices.ContainsFunc(r.Resources, func(name string) bool { return !slices.Contains(roleKinds, name) })
	})
}

// except returns the rules without some of them.
func except(all []Scoped, isLeftOut func(rbacv1.PolicyRule) bool) []Scoped {
	var kept []Scoped
	for _, s := range all {
		if s.Rules = slices.DeleteFunc(slices.Clone(s.Rules), isLeftOut); len(s.Rules) > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

func textOf(all []Scoped) string {
	var texts []string
	for _, s := range all {
		for _, r := range s.Rules {
			texts = append(texts, fmt.Sprintf("%q: %v %v %v %v%v", s.Namespace, r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs))
		}
	}
	return strings.Join(texts, "; ")
}
