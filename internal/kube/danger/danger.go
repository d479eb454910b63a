package danger

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Danger is a permission that allows much more than it states, or an object that ranks with such a permission.
type Danger struct {
	// Text says why, in a few words.
	Text string
	// Rank orders dangers by gravity: 0 is the gravest.
	Rank  int
	Class Class
	// clusterScoped is true if all resources are cluster-scoped, so that a grant in a namespace has no effect.
	clusterScoped bool
	// custom is true for custom resources, which a bundle can define itself.
	custom bool
	// In a list, no values mean all values.
	verbs, groups, resources []string
}

// Class groups dangers by what they lead to. The order of the classes is the order in which a reviewer reads them.
type Class string

// The classes, in their order.
const (
	// ClusterAdmin is every verb on every resource of the cluster.
	ClusterAdmin Class = "cluster-admin"
	// Escalation are permissions with which an identity gives itself others, or acts as others.
	Escalation Class = "escalation"
	// Secrets are tokens of accounts, and Secrets.
	Secrets Class = "secrets"
	// Pods are permissions to run something in pods or on nodes.
	Pods Class = "pods"
	// Admission are webhooks and policies that decide what the API server admits, and definitions of the API.
	Admission Class = "admission"
	// Extensions are permissions to write extensions, which OLM installs.
	Extensions Class = "extensions"
	// Other are the remaining dangers.
	Other Class = "other"
	// None are permissions without a known danger.
	None Class = "none"
)

// Classes returns all classes in their order.
func Classes() []Class {
	return []Class{ClusterAdmin, Escalation, Secrets, Pods, Admission, Extensions, Other, None}
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

// NotDangerous ranks after all dangers.
const NotDangerous = 1000

// The dangers with which objects and webhooks rank, too.
var (
	CreatesPods = Danger{Text: "creates pods, which can use every account and Secret of their namespace", Rank: 20, Class: Pods, verbs: writing,
		groups: []string{"", "apps", "batch", "apps.openshift.io", "build.openshift.io"}, resources: []string{
			"pods", "replicationcontrollers", "deployments", "daemonsets", "statefulsets", "replicasets", "jobs", "cronjobs",
			"deploymentconfigs", "builds", "buildconfigs", "buildconfigs/instantiate", "buildconfigs/instantiatebinary"}}
	ConfiguresNodes = Danger{Text: "machine configuration: runs as root on nodes", Rank: 18, Class: Escalation, clusterScoped: true, verbs: changing, groups: []string{machineGroup},
		resources: []string{"machineconfigs", "machineconfigpools", "kubeletconfigs", "containerruntimeconfigs", "machineosconfigs"}}
	ControlsAdmission = Danger{Text: "controls what the API server admits", Rank: 21, Class: Admission, clusterScoped: true, verbs: changing, groups: []string{admissionGroup},
		resources: []string{"validatingwebhookconfigurations", "validatingadmissionpolicies", "validatingadmissionpolicybindings"}}
	ChangesRequests = Danger{Text: "mutating webhooks or policies: changes what administrators write", Rank: 17, Class: Escalation, clusterScoped: true, verbs: changing,
		groups: []string{admissionGroup}, resources: []string{"mutatingwebhookconfigurations", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"}}
	CoreWebhook = Danger{Text: "a webhook on core types", Rank: 21, Class: Admission}
	DefinesAPI  = Danger{Text: "changes the API: definitions of kinds, and servers of groups", Rank: 22, Class: Admission, clusterScoped: true, verbs: changing,
		groups: []string{"apiextensions.k8s.io", "apiregistration.k8s.io"}, resources: []string{"customresourcedefinitions", "apiservices"}}
	WritesVolumes = Danger{Text: "persistent volumes: can mount any folder of a node", Rank: 23, Class: Other, clusterScoped: true, verbs: writing, groups: []string{""},
		resources: []string{"persistentvolumes"}}
)

// Impersonation begins with a user or an account. A UID and extras are added to one, and the API server rejects a request with them
// alone (kube-apiserver, WithImpersonation).
var (
	actsAsOthers = Danger{Text: "impersonate: can act as others", Rank: 12, Class: Escalation, verbs: []string{"impersonate"}, groups: authentication,
		resources: []string{"users", "groups", "serviceaccounts"}}
	addsAttributes = Danger{Text: "impersonate: UIDs and extras, only together with a user", Rank: 39, Class: Other, verbs: []string{"impersonate"}, groups: authentication,
		resources: []string{"uids", "userextras"}}
	authentication = []string{"", "authentication.k8s.io"}
)

// dangers are sorted by gravity, as a reviewer judges it: first what gives an identity other permissions, or power over
// nodes, over the API, and over other workloads; then what reaches or disturbs them.
var dangers = sortedByRank(append([]Danger{
	{Text: "escalate: can grant itself everything", Rank: 10, Class: Escalation, verbs: []string{"escalate"}, groups: []string{rbacGroup}, resources: []string{"roles", "clusterroles"}},
	{Text: "bind: can grant roles that it does not have", Rank: 11, Class: Escalation, verbs: []string{"bind"}, groups: []string{rbacGroup}, resources: []string{"roles", "clusterroles"}},
	actsAsOthers,
	{Text: "serviceaccounts/token: can act as any account there", Rank: 13, Class: Secrets, verbs: []string{"create"}, groups: []string{""}, resources: []string{"serviceaccounts/token"}},
	{Text: "reads Secrets", Rank: 14, Class: Secrets, verbs: reading, groups: []string{""}, resources: []string{"secrets"}},
	{Text: "writes Secrets", Rank: 15, Class: Secrets, verbs: writing, groups: []string{""}, resources: []string{"secrets"}},
	ChangesRequests,
	ConfiguresNodes,
	{Text: "nodes: affects every workload", Rank: 19, Class: Pods, clusterScoped: true, verbs: changing, groups: []string{""}, resources: []string{"nodes", "nodes/status"}},
	CreatesPods,
	ControlsAdmission,
	DefinesAPI,
	WritesVolumes,
	{Text: "changes namespaces, whose labels select the policies that limit their pods", Rank: 24, Class: Admission, verbs: []string{"update", "patch"}, groups: []string{""},
		resources: []string{"namespaces", "namespaces/finalize"}},
	{Text: "nodes/proxy: reaches every container through the kubelet", Rank: 30, Class: Pods, clusterScoped: true, verbs: calling, groups: []string{""}, resources: []string{"nodes/proxy"}},
	{Text: "runs commands in containers", Rank: 31, Class: Pods, verbs: calling, groups: []string{""}, resources: []string{"pods/exec", "pods/attach"}},
	{Text: "adds containers to running pods", Rank: 32, Class: Pods, verbs: writing, groups: []string{""}, resources: []string{"pods/ephemeralcontainers"}},
	{Text: "reaches ports of pods", Rank: 33, Class: Other, verbs: calling, groups: []string{""}, resources: []string{"pods/portforward", "pods/proxy"}},
	{Text: "installs extensions, which act as cluster-admin from olm-1.11", Rank: 34, Class: Extensions, clusterScoped: true, verbs: writing, groups: []string{olmGroup},
		resources: []string{"clusterextensions", "clusterobjectsets", "clustercatalogs"}},
	{Text: "grants roles", Rank: 35, Class: Other, verbs: writing, groups: []string{rbacGroup}, resources: []string{"rolebindings", "clusterrolebindings"}},
	{Text: "issues certificates, which are identities", Rank: 36, Class: Escalation, clusterScoped: true, verbs: []string{"approve", "sign"}, groups: []string{signingGroup},
		resources: []string{"signers"}},
	{Text: "issues certificates, which are identities", Rank: 36, Class: Escalation, clusterScoped: true, verbs: writing, groups: []string{signingGroup},
		resources: []string{"certificatesigningrequests/approval", "certificatesigningrequests/status"}},
	{Text: "uses SecurityContextConstraints", Rank: 37, Class: Other, verbs: []string{"use"}, groups: []string{"security.openshift.io"},
		resources: []string{"securitycontextconstraints"}},
	{Text: "reads logs of nodes", Rank: 38, Class: Other, clusterScoped: true, verbs: calling, groups: []string{""}, resources: []string{"nodes/log"}},
	addsAttributes,
}, ofControllers()...))

func sortedByRank(all []Danger) []Danger {
	slices.SortStableFunc(all, func(a, b Danger) int { return a.Rank - b.Rank })
	return all
}

// The dangers of wildcards rank first and last: cluster-admin is the gravest, every verb on a harmless resource the least.
var (
	everything     = Danger{Text: "effectively cluster-admin", Rank: 0, Class: ClusterAdmin}
	everythingHere = Danger{Text: "every verb on every resource of the namespace", Rank: 1, Class: Escalation}
	everyResource  = Danger{Text: "*: every resource, including Secrets", Rank: 2, Class: Secrets}
	groupResources = Danger{Text: "*: every resource of the group", Rank: 900, Class: Other}
	everyVerb      = Danger{Text: "*: every verb", Rank: 901, Class: Other}
	everyURL       = Danger{Text: "*: every URL", Rank: 902, Class: Other}
)

// Of returns the dangers of a rule that is granted in a namespace, or with "" cluster-wide, the gravest first.
func Of(rule rbacv1.PolicyRule, namespace string) []Danger {
	var found []Danger
	wild := IsWildcard(rule)
	for _, d := range dangers {
		repeated := func(other Danger) bool { return other.Text == d.Text }
		alone := d.Rank != addsAttributes.Rank || !actsAsOthers.in(rule)
		if d.in(rule) && (!wild || d.special(rule)) && alone && !slices.ContainsFunc(found, repeated) {
			found = append(found, d)
		}
	}
	if wild {
		return append(found, wildcard(rule, namespace))
	}
	switch {
	case slices.Contains(rule.Resources, "*"):
		found = append(found, groupResources)
	case slices.Contains(rule.NonResourceURLs, "*"):
		found = append(found, everyURL)
	}
	if slices.Contains(rule.Verbs, "*") && len(found) == 0 {
		found = append(found, everyVerb)
	}
	return found
}

// EffectiveIn reports whether a grant in a namespace, or with "" cluster-wide, has the danger.
func (d Danger) EffectiveIn(namespace string) bool { return namespace == "" || !d.clusterScoped }

// special reports whether a danger consists of verbs that are neither reading nor writing, and a rule lists one of them.
func (d Danger) special(rule rbacv1.PolicyRule) bool {
	return d.Class == Escalation && !slices.Contains(rule.Verbs, "*") && slices.ContainsFunc(rule.Verbs, func(verb string) bool {
		return slices.Contains(d.verbs, verb) && !slices.Contains(changing, verb)
	})
}

// IsWildcard reports whether a rule is about every resource of every group.
func IsWildcard(rule rbacv1.PolicyRule) bool {
	return slices.Contains(rule.Resources, "*") && slices.Contains(rule.APIGroups, "*") && len(rule.ResourceNames) == 0
}

// InGroup reports whether a danger is about resources of an API group, other than custom resources of tools.
func InGroup(group string) bool {
	return slices.ContainsFunc(dangers, func(d Danger) bool { return !d.custom && slices.Contains(d.groups, group) })
}

func wildcard(rule rbacv1.PolicyRule, namespace string) Danger {
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
func (d Danger) in(rule rbacv1.PolicyRule) bool {
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

// Texts returns the texts of dangers.
func Texts(found []Danger) []string {
	var list []string
	for _, d := range found {
		list = append(list, d.Text)
	}
	return list
}

// RankOf returns the rank of the gravest of sorted dangers, or NotDangerous.
func RankOf(found []Danger) int {
	if len(found) == 0 {
		return NotDangerous
	}
	return found[0].Rank
}
