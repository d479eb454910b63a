package bundlediff

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// danger is a permission that allows much more than it states. In a field, an empty list means all values.
type danger struct {
	text                     string
	verbs, groups, resources []string
	rank                     int
}

var (
	reading  = []string{"get", "list", "watch"}
	writing  = []string{"create", "update", "patch"}
	changing = []string{"create", "update", "patch", "delete", "deletecollection"}
	calling  = []string{"get", "create"}
)

const (
	rbacGroup      = "rbac.authorization.k8s.io"
	admissionGroup = "admissionregistration.k8s.io"
	signingGroup   = "certificates.k8s.io"
	olmGroup       = "olm.operatorframework.io"
	machineGroup   = "machineconfiguration.openshift.io"
)

// notDangerous ranks after all dangers.
const notDangerous = 1000

// The dangers with which objects and webhooks rank as well.
var (
	createsPods = danger{text: "creates pods, which can use every account and Secret of their namespace", rank: 20, verbs: writing,
		groups: []string{"", "apps", "batch", "apps.openshift.io", "build.openshift.io"}, resources: []string{
			"pods", "replicationcontrollers", "deployments", "daemonsets", "statefulsets", "replicasets", "jobs", "cronjobs",
			"deploymentconfigs", "builds", "buildconfigs", "buildconfigs/instantiate", "buildconfigs/instantiatebinary"}}
	configuresNodes = danger{text: "machine configuration: runs as root on nodes", rank: 18, verbs: changing, groups: []string{machineGroup},
		resources: []string{"machineconfigs", "machineconfigpools", "kubeletconfigs", "containerruntimeconfigs", "machineosconfigs"}}
	controlsAdmission = danger{text: "controls what the API server admits and changes", rank: 21, verbs: changing, groups: []string{admissionGroup},
		resources: []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations", "mutatingadmissionpolicies",
			"validatingadmissionpolicies", "mutatingadmissionpolicybindings", "validatingadmissionpolicybindings"}}
	coreWebhook = danger{text: "a webhook on core types", rank: 21}
	definesAPI  = danger{text: "changes the API: definitions of kinds, and servers of groups", rank: 22, verbs: changing,
		groups: []string{definitionGroup, "apiregistration.k8s.io"}, resources: []string{"customresourcedefinitions", "apiservices"}}
	writesVolumes = danger{text: "persistent volumes: can mount any folder of a node", rank: 23, verbs: writing, groups: []string{""},
		resources: []string{"persistentvolumes"}}
)

// dangers are sorted by gravity, as a reviewer judges it: first what gives an identity other permissions, or power over
// nodes, over the API, and over other workloads; then what reaches or disturbs them.
var dangers = []danger{
	{text: "escalate: can grant itself everything", rank: 10, verbs: []string{"escalate"}, groups: []string{rbacGroup}, resources: []string{"roles", "clusterroles"}},
	{text: "bind: can grant roles that it does not have", rank: 11, verbs: []string{"bind"}, groups: []string{rbacGroup}, resources: []string{"roles", "clusterroles"}},
	{text: "impersonate: can act as others", rank: 12, verbs: []string{"impersonate"}, groups: []string{"", "authentication.k8s.io"},
		resources: []string{"users", "groups", "serviceaccounts", "uids", "userextras"}},
	{text: "serviceaccounts/token: can act as any account there", rank: 13, verbs: []string{"create"}, groups: []string{""}, resources: []string{"serviceaccounts/token"}},
	{text: "reads Secrets", rank: 14, verbs: reading, groups: []string{""}, resources: []string{"secrets"}},
	{text: "writes Secrets", rank: 15, verbs: writing, groups: []string{""}, resources: []string{"secrets"}},
	configuresNodes,
	{text: "nodes: affects every workload", rank: 19, verbs: changing, groups: []string{""}, resources: []string{"nodes", "nodes/status"}},
	createsPods,
	controlsAdmission,
	definesAPI,
	writesVolumes,
	{text: "changes namespaces, whose labels select the policies that limit their pods", rank: 24, verbs: []string{"update", "patch"}, groups: []string{""},
		resources: []string{"namespaces", "namespaces/finalize"}},
	{text: "nodes/proxy: reaches every container through the kubelet", rank: 30, verbs: calling, groups: []string{""}, resources: []string{"nodes/proxy"}},
	{text: "runs commands in containers", rank: 31, verbs: calling, groups: []string{""}, resources: []string{"pods/exec", "pods/attach"}},
	{text: "adds containers to running pods", rank: 32, verbs: writing, groups: []string{""}, resources: []string{"pods/ephemeralcontainers"}},
	{text: "reaches ports of pods", rank: 33, verbs: calling, groups: []string{""}, resources: []string{"pods/portforward", "pods/proxy"}},
	{text: "installs extensions, which act as cluster-admin from olm-1.11", rank: 34, verbs: writing, groups: []string{olmGroup},
		resources: []string{"clusterextensions", "clusterobjectsets", "clustercatalogs"}},
	{text: "grants roles", rank: 35, verbs: writing, groups: []string{rbacGroup}, resources: []string{"rolebindings", "clusterrolebindings"}},
	{text: "issues certificates, which are identities", rank: 36, verbs: []string{"approve", "sign"}, groups: []string{signingGroup},
		resources: []string{"signers"}},
	{text: "issues certificates, which are identities", rank: 36, verbs: writing, groups: []string{signingGroup},
		resources: []string{"certificatesigningrequests/approval", "certificatesigningrequests/status"}},
	{text: "uses SecurityContextConstraints", rank: 37, verbs: []string{"use"}, groups: []string{"security.openshift.io"},
		resources: []string{"securitycontextconstraints"}},
	{text: "reads logs of nodes", rank: 38, verbs: calling, groups: []string{""}, resources: []string{"nodes/log"}},
}

// The dangers of wildcards rank first and last: cluster-admin is the gravest, every verb on a harmless resource the least.
var (
	everything     = danger{text: "effectively cluster-admin", rank: 0}
	everythingHere = danger{text: "every verb on every resource of the namespace", rank: 1}
	everyResource  = danger{text: "*: every resource, including Secrets", rank: 2}
	groupResources = danger{text: "*: every resource of the group", rank: 900}
	everyVerb      = danger{text: "*: every verb", rank: 901}
	everyURL       = danger{text: "*: every URL", rank: 902}
)

// dangersOf returns the dangers of a rule that is granted in a namespace, the gravest first; none if it is only about own
// kinds.
func dangersOf(rule rbacv1.PolicyRule, namespace string, own ownKinds) []danger {
	all := slices.Contains(rule.Resources, "*")
	if all && slices.Contains(rule.APIGroups, "*") && len(rule.ResourceNames) == 0 {
		return []danger{wildcard(rule, namespace)}
	}
	if own.covers(rule) {
		return nil
	}
	var found []danger
	for _, d := range dangers {
		if d.in(rule) {
			found = append(found, d)
		}
	}
	switch {
	case all:
		found = append(found, groupResources)
	case slices.Contains(rule.NonResourceURLs, "*"):
		found = append(found, everyURL)
	}
	if slices.Contains(rule.Verbs, "*") && len(found) == 0 {
		found = append(found, everyVerb)
	}
	return found
}

func wildcard(rule rbacv1.PolicyRule, namespace string) danger {
	switch {
	case !slices.Contains(rule.Verbs, "*"):
		return everyResource
	case namespace == "":
		return everything
	}
	return everythingHere
}

// in reports whether a rule allows some of the danger's permissions. Rules with resource names count as well, because the
// named objects are unknown.
func (d danger) in(rule rbacv1.PolicyRule) bool {
	return len(rule.Resources) > 0 && common(rule.Verbs, d.verbs) && common(rule.APIGroups, d.groups) && commonResource(rule.Resources, d.resources)
}

func common(has, wanted []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(has, func(s string) bool { return s == "*" || slices.Contains(wanted, s) })
}

// commonResource also matches `*/exec`, and subresources such as those of userextras, which are named after fields.
func commonResource(has, wanted []string) bool {
	return common(has, wanted) || slices.ContainsFunc(has, func(s string) bool {
		if strings.HasPrefix(s, "userextras/") {
			return slices.Contains(wanted, "userextras")
		}
		sub, found := strings.CutPrefix(s, "*")
		return found && slices.ContainsFunc(wanted, func(w string) bool { return sub != "" && strings.HasSuffix(w, sub) })
	})
}

func texts(found []danger) []string {
	var list []string
	for _, d := range found {
		list = append(list, d.text)
	}
	return list
}

func rankOf(found []danger) int {
	if len(found) == 0 {
		return notDangerous
	}
	return found[0].rank
}
