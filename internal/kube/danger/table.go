package danger

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
)

// The sources of most rows.
const (
	goodPractices  = "https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks"
	impersonation  = "k8s.io/apiserver/pkg/endpoints/filters/impersonation: users, groups, and accounts are asked in the core group, UIDs and extras in authentication.k8s.io"
	constrained    = "https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/#constrained-impersonation (KEP-5284; k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go)"
	awsSource      = "https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html"
	argoRoles      = "https://argo-cd.readthedocs.io/en/stable/operator-manual/rbac/"
	argoLogins     = "https://argo-cd.readthedocs.io/en/stable/operator-manual/user-management/: oidc.config, dex.config, accounts"
	aggregation    = "https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/#kubernetes-apiserver-client-authentication"
	podUpdates     = "https://kubernetes.io/docs/concepts/workloads/pods/#pod-update-and-replacement"
	signingSource  = "https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/#authorization"
	machinesSource = "https://docs.openshift.com/container-platform/latest/machine_configuration/index.html"
)

// Names that every cluster has, and that open everything.
var (
	powerfulRoles = []string{"cluster-admin", "admin"}
	administrator = []string{"system:masters", "system:cluster-admins", "system:admin", "kubernetes-admin"}
)

// What direct powers need. The API server takes groups only together with a user (kube-apiserver, WithImpersonation).
var (
	toWriteRoles    = &Complement{Text: `"update" on roles`, Verbs: writing, Group: rbacGroup, Resources: []string{"roles", "clusterroles"}}
	toWriteBindings = &Complement{Text: `"create" on bindings`, Verbs: writing, Group: rbacGroup, Resources: []string{"rolebindings", "clusterrolebindings"}}
	toBeSomeone     = &Complement{Text: `"impersonate" on users or serviceaccounts`, Verbs: []string{"impersonate"}, Resources: []string{"users", "serviceaccounts"}}
)

// dangers are sorted by gravity, as a reviewer judges it: first what gives an identity other permissions, or power over
// nodes, over the API, and over other workloads; then what reaches or disturbs them.
//
// A row has an effect in namespaces unless it is ClusterScoped, and has a place in this order only unless it has a Reach.
var dangers = linked(sortedByRank(append([]*Danger{
	{Text: "escalate: can grant itself everything", Rank: 10, Class: Escalation, On: " on roles", Source: goodPractices, powers: []*Power{
		{Name: "escalate on roles", Verbs: []string{"escalate"}, Group: rbacGroup, Resources: []string{"roles"}, Reach: Direct, Opens: powerfulRoles, Needs: toWriteRoles},
		{Name: "escalate on clusterroles", Verbs: []string{"escalate"}, Group: rbacGroup, Resources: []string{"clusterroles"}, ClusterScoped: true, Reach: Direct,
			Opens: powerfulRoles, Needs: toWriteRoles},
	}},
	{Text: "bind: can grant roles that it does not have", Rank: 11, Class: Escalation, On: " on roles", Source: goodPractices, powers: []*Power{
		{Name: "bind on roles", Verbs: []string{"bind"}, Group: rbacGroup, Resources: []string{"roles"}, Reach: Direct, Opens: powerfulRoles, Needs: toWriteBindings},
		{Name: "bind on clusterroles", Verbs: []string{"bind"}, Group: rbacGroup, Resources: []string{"clusterroles"}, Reach: Direct, Opens: powerfulRoles, Needs: toWriteBindings},
	}},
	actsAsOthers,
	ActsForSome,
	{Text: "writes ConfigMap aws-auth: maps identities of AWS to any user and group", Rank: 16, Class: Escalation, Source: awsSource, powers: []*Power{
		{Name: "change aws-auth", Verbs: updating, Resources: []string{"configmaps"}, Object: "aws-auth", Namespaces: []string{"kube-system"}, Reach: Steps},
	}},
	{Text: "writes ConfigMap argocd-rbac-cm: makes anyone an administrator of Argo CD", Rank: 16, Class: Escalation, Source: argoRoles, powers: []*Power{
		{Name: "change argocd-rbac-cm", Verbs: updating, Resources: []string{"configmaps"}, Object: "argocd-rbac-cm", Namespaces: argoNamespaces, Reach: Steps},
	}},
	{Text: "writes ConfigMap argocd-cm: chooses who logs in to Argo CD, and with which groups", Rank: 16, Class: Escalation, Source: argoLogins, powers: []*Power{
		{Name: "change argocd-cm", Verbs: updating, Resources: []string{"configmaps"}, Object: "argocd-cm", Namespaces: argoNamespaces},
	}},
	{Text: "writes ConfigMap extension-apiserver-authentication: decides which identities aggregated API servers trust", Rank: 16, Class: Escalation, Source: aggregation, powers: []*Power{
		{Name: "change extension-apiserver-authentication", Verbs: updating, Resources: []string{"configmaps"}, Object: "extension-apiserver-authentication",
			Namespaces: []string{"kube-system"}},
	}},
	{Text: "serviceaccounts/token: can act as any account there", Rank: 13, Class: Secrets, On: " on serviceaccounts/token", Source: goodPractices, powers: []*Power{
		{Name: "create serviceaccounts/token", Verbs: []string{"create"}, Resources: []string{"serviceaccounts/token"}, Reach: Direct},
	}},
	{Text: "reads Secrets", Rank: 14, Class: Secrets, Source: goodPractices, powers: []*Power{
		{Name: ReadSecrets, Verbs: reading, Resources: []string{"secrets"}, Reach: Steps},
	}},
	{Text: "writes Secrets", Rank: 15, Class: Secrets, Source: "https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets", powers: []*Power{
		{Name: "create secrets", Verbs: []string{"create"}, Resources: []string{"secrets"}, Reach: Steps},
		{Name: "change secrets", Verbs: updating, Resources: []string{"secrets"}},
	}},
	{Text: "mutating webhooks or policies: changes what administrators write", Rank: 17, Class: Escalation, Source: goodPractices, powers: []*Power{
		{Name: "write mutating webhooks", Verbs: writing, Group: admissionGroup, Resources: []string{"mutatingwebhookconfigurations"}, ClusterScoped: true, Reach: Steps},
		{Name: "write mutating policies", Verbs: writing, Group: admissionGroup, Resources: []string{"mutatingadmissionpolicies"}, ClusterScoped: true, Reach: Steps},
		{Name: "bind mutating policies", Verbs: writing, Group: admissionGroup, Resources: []string{"mutatingadmissionpolicybindings"}, ClusterScoped: true, Reach: Steps},
		{Name: "delete mutations", Verbs: deleting, Group: admissionGroup, ClusterScoped: true,
			Resources: []string{"mutatingwebhookconfigurations", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"}},
	}},
	ConfiguresNodes,
	{Text: "nodes: affects every workload", Rank: 19, Class: Pods, Source: goodPractices, powers: []*Power{
		{Name: "change nodes", Verbs: changing, Resources: []string{"nodes", "nodes/status"}, ClusterScoped: true},
	}},
	CreatesPods,
	ControlsAdmission,
	DefinesAPI,
	WritesVolumes,
	{Text: "changes namespaces, whose labels select the policies that limit their pods", Rank: 24, Class: Admission, Source: goodPractices, powers: []*Power{
		{Name: "change namespaces", Verbs: updating, Resources: []string{"namespaces", "namespaces/finalize"}},
	}},
	{Text: "nodes/proxy: reaches every container through the kubelet", Rank: 30, Class: Pods, Source: goodPractices, powers: []*Power{
		{Name: "reach kubelets", Verbs: calling, Resources: []string{"nodes/proxy"}, ClusterScoped: true, Reach: Steps},
	}},
	// A request over WebSocket is a GET, which up to Kubernetes 1.34 requires "get" only.
	{Text: "runs commands in containers", Rank: 31, Class: Pods, Source: goodPractices, powers: []*Power{
		{Name: "exec in pods", Verbs: calling, Resources: []string{"pods/exec"}, Reach: Steps},
		{Name: "attach to pods", Verbs: calling, Resources: []string{"pods/attach"}, Reach: Steps},
	}},
	{Text: "adds containers to running pods", Rank: 32, Class: Pods, Source: podUpdates, powers: []*Power{
		{Name: "add containers", Verbs: updating, Resources: []string{"pods/ephemeralcontainers"}, Reach: Steps},
	}},
	{Text: "reaches ports of pods", Rank: 33, Class: Other, Source: goodPractices, powers: []*Power{
		{Name: "reach ports of pods", Verbs: calling, Resources: []string{"pods/portforward", "pods/proxy"}},
	}},
	{Text: "installs extensions, which act as cluster-admin from olm-1.11", Rank: 34, Class: Extensions, Source: "the rule olm/extension-write-access", powers: []*Power{
		{Name: "write extensions", Verbs: writing, Group: olmGroup, Resources: []string{"clusterextensions", "clusterobjectsets", "clustercatalogs"}, ClusterScoped: true, Reach: Steps},
		{Name: "name accounts of extensions", Verbs: writing, Group: olmGroup, Resources: []string{"clusterextensions"}, ClusterScoped: true, Reach: Steps},
	}},
	{Text: "grants roles", Rank: 35, Class: Other, Source: "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping", powers: []*Power{
		{Name: "create clusterrolebindings", Verbs: []string{"create"}, Group: rbacGroup, Resources: []string{"clusterrolebindings"}, ClusterScoped: true, Reach: Steps},
		{Name: "change clusterrolebindings", Verbs: updating, Group: rbacGroup, Resources: []string{"clusterrolebindings"}, ClusterScoped: true, Reach: Steps},
		{Name: "create rolebindings", Verbs: []string{"create"}, Group: rbacGroup, Resources: []string{"rolebindings"}, Reach: Steps},
		{Name: "change rolebindings", Verbs: updating, Group: rbacGroup, Resources: []string{"rolebindings"}, Reach: Steps},
	}},
	{Text: "issues certificates, which are identities", Rank: 36, Class: Escalation, Source: signingSource, powers: []*Power{
		{Name: "approve for signers", Verbs: []string{"approve"}, Group: signingGroup, Resources: []string{"signers"}, ClusterScoped: true, Reach: Steps},
		{Name: "sign for signers", Verbs: []string{"sign"}, Group: signingGroup, Resources: []string{"signers"}, ClusterScoped: true},
		{Name: "approve certificates", Verbs: updating, Group: signingGroup, Resources: []string{"certificatesigningrequests/approval"}, ClusterScoped: true, Reach: Steps},
		{Name: "sign certificates", Verbs: updating, Group: signingGroup, Resources: []string{"certificatesigningrequests/status"}, ClusterScoped: true},
	}},
	{Text: "uses SecurityContextConstraints", Rank: 37, Class: Other, Source: "https://docs.openshift.com/container-platform/latest/authentication/managing-security-context-constraints.html", powers: []*Power{
		{Name: "use SecurityContextConstraints", Verbs: []string{"use"}, Group: "security.openshift.io", Resources: []string{"securitycontextconstraints"}},
	}},
	{Text: "reads logs of nodes", Rank: 38, Class: Other, Source: goodPractices, powers: []*Power{
		{Name: "read logs of nodes", Verbs: calling, Resources: []string{"nodes/log"}, ClusterScoped: true},
	}},
	addsAttributes,
}, slices.Concat(ofControllers(), rankedOnly(), rankedIdentities(), rankedControllers())...)))

// The dangers with which objects and webhooks rank, too.
var (
	ConfiguresNodes = &Danger{Text: "machine configuration: runs as root on nodes", Rank: 18, Class: Escalation, Source: machinesSource, powers: []*Power{
		{Name: "write machineconfigs", Verbs: writing, Group: machineGroup, Resources: []string{"machineconfigs"}, ClusterScoped: true, Explicit: true, Reach: Steps},
		{Name: "change machine configuration", Verbs: changing, Group: machineGroup, ClusterScoped: true,
			Resources: []string{"machineconfigs", "machineconfigpools", "kubeletconfigs", "containerruntimeconfigs", "machineosconfigs"}},
	}}
	// The account of controllers of pods can be changed; that of a pod and of a Job cannot. The image of a running pod can be changed.
	CreatesPods = &Danger{Text: "creates pods, which can use every account and Secret of their namespace", Rank: 20, Class: Pods, Source: goodPractices + ", " + podUpdates, powers: []*Power{
		{Name: "create pods", Verbs: []string{"create"}, Resources: []string{"pods"}, Reach: CreatesAny},
		{Name: "create replicationcontrollers", Verbs: []string{"create"}, Resources: []string{"replicationcontrollers"}, Reach: CreatesAny},
		{Name: "create workloads", Verbs: []string{"create"}, Group: "apps", Resources: []string{"deployments", "daemonsets", "statefulsets", "replicasets"}, Reach: CreatesAny},
		{Name: "create jobs", Verbs: []string{"create"}, Group: "batch", Resources: []string{"jobs", "cronjobs"}, Reach: CreatesAny},
		{Name: "create deploymentconfigs", Verbs: []string{"create"}, Group: "apps.openshift.io", Resources: []string{"deploymentconfigs"}, Reach: CreatesAny},
		{Name: "change replicationcontrollers", Verbs: updating, Resources: []string{"replicationcontrollers"}, Reach: ChangesAny},
		{Name: "change workloads", Verbs: updating, Group: "apps", Resources: []string{"deployments", "daemonsets", "statefulsets", "replicasets"}, Reach: ChangesAny},
		{Name: "change cronjobs", Verbs: updating, Group: "batch", Resources: []string{"cronjobs"}, Reach: ChangesAny},
		{Name: "create builds", Verbs: []string{"create"}, Group: "build.openshift.io", Resources: []string{"builds", "buildconfigs"}, Reach: CreatesAny},
		{Name: "change buildconfigs", Verbs: updating, Group: "build.openshift.io", Resources: []string{"buildconfigs"}, Reach: ChangesAny},
		{Name: "change deploymentconfigs", Verbs: updating, Group: "apps.openshift.io", Resources: []string{"deploymentconfigs"}, Reach: ChangesAny},
		{Name: "change pods", Verbs: updating, Resources: []string{"pods"}, Reach: Steps},
		{Name: "start builds", Verbs: writing, Group: "build.openshift.io", Resources: []string{"buildconfigs/instantiate", "buildconfigs/instantiatebinary"}},
	}}
	ControlsAdmission = &Danger{Text: "controls what the API server admits", Rank: 21, Class: Admission, Source: goodPractices, powers: []*Power{
		{Name: "write validating webhooks", Verbs: writing, Group: admissionGroup, Resources: []string{"validatingwebhookconfigurations"}, ClusterScoped: true, Reach: Steps},
		{Name: "change validation", Verbs: changing, Group: admissionGroup, ClusterScoped: true,
			Resources: []string{"validatingwebhookconfigurations", "validatingadmissionpolicies", "validatingadmissionpolicybindings"}},
		{Name: "change SecurityContextConstraints", Verbs: changing, Group: "security.openshift.io", Resources: []string{"securitycontextconstraints"}, ClusterScoped: true, Explicit: true},
		{Name: "delete policies of Kyverno", Verbs: deleting, Group: "kyverno.io", Resources: []string{"clusterpolicies", "policies"}, Explicit: true},
		{Name: "write exceptions of Kyverno", Verbs: writing, Group: "kyverno.io", Resources: []string{"policyexceptions"}, Explicit: true},
		{Name: "write new exceptions of Kyverno", Verbs: writing, Group: "policies.kyverno.io", Resources: []string{"policyexceptions"}, Explicit: true},
		{Name: "change new policies of Kyverno", Verbs: changing, Group: "policies.kyverno.io", Explicit: true,
			Resources: []string{"validatingpolicies", "namespacedvalidatingpolicies", "imagevalidatingpolicies", "namespacedimagevalidatingpolicies"}},
		{Name: "change templates of Gatekeeper", Verbs: changing, Group: "templates.gatekeeper.sh", Resources: []string{"constrainttemplates"}, ClusterScoped: true, Explicit: true},
		{Name: "change constraints of Gatekeeper", Verbs: changing, Group: "constraints.gatekeeper.sh", Resources: []string{"*"}, ClusterScoped: true, Explicit: true},
		{Name: "change policies of Sigstore", Verbs: changing, Group: "policy.sigstore.dev", Resources: []string{"clusterimagepolicies"}, ClusterScoped: true, Explicit: true},
		{Name: "change exemptions of Gatekeeper", Verbs: changing, Group: "config.gatekeeper.sh", Resources: []string{"configs"}, Namespaces: []string{"gatekeeper-system"}, Explicit: true},
		{Name: "delete policies of Kubewarden", Verbs: deleting, Group: "policies.kubewarden.io", Explicit: true,
			Resources: []string{"clusteradmissionpolicies", "clusteradmissionpolicygroups", "admissionpolicies", "admissionpolicygroups"}},
	}}
	CoreWebhook = &Danger{Text: "a webhook on core types", Rank: 21, Class: Admission}
	DefinesAPI  = &Danger{Text: "changes the API: definitions of kinds, and servers of groups", Rank: 22, Class: Admission, Source: goodPractices, powers: []*Power{
		{Name: "define kinds", Verbs: changing, Group: "apiextensions.k8s.io", Resources: []string{"customresourcedefinitions"}, ClusterScoped: true},
		{Name: "define servers", Verbs: changing, Group: "apiregistration.k8s.io", Resources: []string{"apiservices"}, ClusterScoped: true},
	}}
	WritesVolumes = &Danger{Text: "persistent volumes: can mount any folder of a node", Rank: 23, Class: Other,
		Source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/#persistent-volume-creation", powers: []*Power{
			{Name: "create persistentvolumes", Verbs: []string{"create"}, Resources: []string{"persistentvolumes"}, ClusterScoped: true, Reach: Steps},
			{Name: "change persistentvolumes", Verbs: updating, Resources: []string{"persistentvolumes"}, ClusterScoped: true},
		}}
)

var actsAsOthers = &Danger{Text: "impersonate: can act as others", Rank: 12, Class: Escalation, Source: impersonation, powers: []*Power{
	{Name: "impersonate users", Verbs: []string{"impersonate"}, Resources: []string{"users"}, ClusterScoped: true, Reach: Direct, Opens: administrator},
	{Name: "impersonate groups", Verbs: []string{"impersonate"}, Resources: []string{"groups"}, ClusterScoped: true, Reach: Direct, Opens: administrator, Needs: toBeSomeone},
	{Name: "impersonate serviceaccounts", Verbs: []string{"impersonate"}, Resources: []string{"serviceaccounts"}, Reach: Direct, Opens: administrator},
}}

// addsAttributes is only reported for rules without actsAsOthers: impersonation begins with a user or an account, and the API server
// rejects a request with a UID or extras alone (kube-apiserver, WithImpersonation).
var addsAttributes = &Danger{Text: "impersonate: UIDs and extras, only together with a user", Rank: 39, Class: Other, Source: impersonation, powers: []*Power{
	{Name: "impersonate attributes", Verbs: []string{"impersonate"}, Group: authenticationGroup, Resources: []string{"uids", "userextras/*"}, ClusterScoped: true},
}}

// ActsForSome is constrained impersonation, beta and on by default from Kubernetes 1.36. It has an effect only together with a permission for
// what is then done (see ForOthers), and the other identity must be allowed to do it as well.
//
// No prefix of a verb has a wildcard, and system:masters is never allowed.
var ActsForSome = &Danger{Text: "constrained impersonation: can act as others, as far as impersonate-on rules allow", Rank: 16, Class: Escalation, Source: constrained,
	Conditional: true, powers: []*Power{
		{Name: "impersonate:user-info on users", Verbs: []string{"impersonate:user-info"}, Group: authenticationGroup, Resources: []string{"users"}, ClusterScoped: true, Reach: Steps},
		{Name: "impersonate:user-info on groups", Verbs: []string{"impersonate:user-info"}, Group: authenticationGroup, Resources: []string{"groups"}, ClusterScoped: true, Reach: Steps},
		{Name: "impersonate:serviceaccount", Verbs: []string{"impersonate:serviceaccount"}, Group: authenticationGroup, Resources: []string{"serviceaccounts"}, Reach: Steps},
		{Name: "impersonate:arbitrary-node", Verbs: []string{"impersonate:arbitrary-node"}, Group: authenticationGroup, Resources: []string{"nodes"}, ClusterScoped: true, Reach: Steps},
		{Name: "impersonate:associated-node", Verbs: []string{"impersonate:associated-node"}, Group: authenticationGroup, Resources: []string{"nodes"}, ClusterScoped: true},
	}}

// ConstrainedSince is the version of Kubernetes from which constrained impersonation is on by default.
const ConstrainedSince kubeversion.Version = 36

// The modes of constrained impersonation.
const (
	UserInfo       = "user-info"
	ServiceAccount = "serviceaccount"
	ArbitraryNode  = "arbitrary-node"
	AssociatedNode = "associated-node"
)

// Modes returns the modes of constrained impersonation.
func Modes() []string { return []string{UserInfo, ServiceAccount, ArbitraryNode, AssociatedNode} }

// ModesOf returns the modes of constrained impersonation of a rule that is granted in a namespace, or with "" cluster-wide.
func ModesOf(rule rbacv1.PolicyRule, namespace string) []string {
	var modes []string
	for _, p := range ActsForSome.powers {
		if asked, _ := p.request(rule, false); asked != "" && p.EffectiveIn(namespace) {
			modes = append(modes, strings.TrimPrefix(asked, "impersonate:"))
		}
	}
	return modes
}

// ForOthers returns what a rule allows the holder to request while it impersonates in a mode, or with "" in any mode; ok is false if that is
// nothing. A star at the end of a verb is no wildcard.
func ForOthers(rule rbacv1.PolicyRule, mode string) (does rbacv1.PolicyRule, ok bool) {
	does = rule
	does.Verbs = nil
	for _, verb := range rule.Verbs {
		if verb == rbacv1.VerbAll {
			does.Verbs = append(does.Verbs, verb)
			continue
		}
		on, found := strings.CutPrefix(verb, "impersonate-on:")
		if asked, request, ok := strings.Cut(on, ":"); found && ok && request != rbacv1.VerbAll && (mode == "" || asked == mode) {
			does.Verbs = append(does.Verbs, request)
		}
	}
	return does, len(does.Verbs) > 0
}

// complements are permissions of steps that are no danger without others, or without an object that uses what they change.
var complements = append([]*Power{
	{Name: "create clusterroles", Verbs: []string{"create"}, Group: rbacGroup, Resources: []string{"clusterroles"}, ClusterScoped: true, Reach: Steps},
	{Name: "create roles", Verbs: []string{"create"}, Group: rbacGroup, Resources: []string{"roles"}, Reach: Steps},
	{Name: "change clusterroles", Verbs: updating, Group: rbacGroup, Resources: []string{"clusterroles"}, ClusterScoped: true, Reach: Steps},
	{Name: "change roles", Verbs: updating, Group: rbacGroup, Resources: []string{"roles"}, Reach: Steps},
	{Name: "request certificates", Verbs: []string{"create"}, Group: signingGroup, Resources: []string{"certificatesigningrequests"}, ClusterScoped: true, Reach: Steps},
}, ofSources()...)

// linked sets the danger of each power.
func linked(all []*Danger) []*Danger {
	for _, d := range all {
		for _, p := range d.powers {
			p.danger = d
		}
	}
	return all
}

var (
	powers = func() (all []*Power) {
		for _, d := range dangers {
			all = append(all, d.powers...)
		}
		return append(all, complements...)
	}()
	direct = With(Direct)
)

// Powers returns all rows of the table in the order of danger, and then those that are complements of others.
func Powers() []*Power { return slices.Clone(powers) }

// With returns the powers of one reach.
func With(reach Reach) []*Power {
	return slices.DeleteFunc(slices.Clone(powers), func(p *Power) bool { return p.Reach != reach })
}

// Named returns the power of a name. It panics if the table has none: names are constants of the program.
func Named(name string) *Power {
	i := slices.IndexFunc(powers, func(p *Power) bool { return p.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("the table of powers has no %q", name))
	}
	return powers[i]
}
