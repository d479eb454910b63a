package escalation

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/rbac"
)

// permission is a set of requests with the same consequence: any of the verbs on any of the resources.
type permission struct {
	verbs     []string
	group     string
	resources []string
	sub       string
	// explicit is true if a rule has to name the group: whether the cluster has a custom resource is unknown.
	explicit bool
	// cluster is true for cluster-scoped resources, for which a grant in a namespace has no effect.
	cluster bool
}

var (
	writing  = []string{"create", "update", "patch"}
	changing = []string{"update", "patch"}
)

const (
	rbacGroup      = rbac.Group
	admissionGroup = "admissionregistration.k8s.io"
	signingGroup   = "certificates.k8s.io"
	olmGroup       = "olm.operatorframework.io"
	machineGroup   = "machineconfiguration.openshift.io"
)

// The permissions of which steps consist.
var (
	impersonateUsers    = &permission{verbs: []string{"impersonate"}, resources: []string{"users"}, cluster: true}
	impersonateGroups   = &permission{verbs: []string{"impersonate"}, resources: []string{"groups"}, cluster: true}
	impersonateAccounts = &permission{verbs: []string{"impersonate"}, resources: []string{"serviceaccounts"}}
	createToken         = &permission{verbs: []string{"create"}, resources: []string{"serviceaccounts"}, sub: "token"}
	readSecrets         = &permission{verbs: []string{"get", "list", "watch"}, resources: []string{"secrets"}}
	createSecrets       = &permission{verbs: []string{"create"}, resources: []string{"secrets"}}

	createPods    = &permission{verbs: []string{"create"}, resources: []string{"pods"}}
	createCore    = &permission{verbs: []string{"create"}, resources: []string{"replicationcontrollers"}}
	createApps    = &permission{verbs: []string{"create"}, group: "apps", resources: []string{"deployments", "daemonsets", "statefulsets", "replicasets"}}
	createBatch   = &permission{verbs: []string{"create"}, group: "batch", resources: []string{"jobs", "cronjobs"}}
	createConfigs = &permission{verbs: []string{"create"}, group: "apps.openshift.io", resources: []string{"deploymentconfigs"}}
	// The account of these can be changed. That of a pod and of a Job cannot.
	changeCore    = &permission{verbs: changing, resources: []string{"replicationcontrollers"}}
	changeApps    = &permission{verbs: changing, group: "apps", resources: []string{"deployments", "daemonsets", "statefulsets", "replicasets"}}
	changeBatch   = &permission{verbs: changing, group: "batch", resources: []string{"cronjobs"}}
	changeConfigs = &permission{verbs: changing, group: "apps.openshift.io", resources: []string{"deploymentconfigs"}}
	// The image of a running pod can be changed.
	changePods = &permission{verbs: changing, resources: []string{"pods"}}
	// A request over WebSocket is a GET, which up to Kubernetes 1.34 requires "get" only.
	execPods      = &permission{verbs: []string{"create", "get"}, resources: []string{"pods"}, sub: "exec"}
	attachPods    = &permission{verbs: []string{"create", "get"}, resources: []string{"pods"}, sub: "attach"}
	addContainers = &permission{verbs: changing, resources: []string{"pods"}, sub: "ephemeralcontainers"}

	bindClusterRoles     = &permission{verbs: []string{"bind"}, group: rbacGroup, resources: []string{"clusterroles"}}
	bindRoles            = &permission{verbs: []string{"bind"}, group: rbacGroup, resources: []string{"roles"}}
	escalateClusterRoles = &permission{verbs: []string{"escalate"}, group: rbacGroup, resources: []string{"clusterroles"}, cluster: true}
	escalateRoles        = &permission{verbs: []string{"escalate"}, group: rbacGroup, resources: []string{"roles"}}
	createClusterRoles   = &permission{verbs: []string{"create"}, group: rbacGroup, resources: []string{"clusterroles"}, cluster: true}
	createRoles          = &permission{verbs: []string{"create"}, group: rbacGroup, resources: []string{"roles"}}
	changeClusterRoles   = &permission{verbs: changing, group: rbacGroup, resources: []string{"clusterroles"}, cluster: true}
	changeRoles          = &permission{verbs: changing, group: rbacGroup, resources: []string{"roles"}}
	createClusterBinding = &permission{verbs: []string{"create"}, group: rbacGroup, resources: []string{"clusterrolebindings"}, cluster: true}
	changeClusterBinding = &permission{verbs: changing, group: rbacGroup, resources: []string{"clusterrolebindings"}, cluster: true}
	createBinding        = &permission{verbs: []string{"create"}, group: rbacGroup, resources: []string{"rolebindings"}}
	changeBinding        = &permission{verbs: changing, group: rbacGroup, resources: []string{"rolebindings"}}

	writeExtensions = &permission{verbs: writing, group: olmGroup, resources: []string{"clusterextensions", "clusterobjectsets", "clustercatalogs"}, cluster: true}
	nameAccounts    = &permission{verbs: writing, group: olmGroup, resources: []string{"clusterextensions"}, cluster: true}
	writeMutating   = &permission{verbs: writing, group: admissionGroup, resources: []string{"mutatingwebhookconfigurations"}, cluster: true}
	writeValidating = &permission{verbs: writing, group: admissionGroup, resources: []string{"validatingwebhookconfigurations"}, cluster: true}
	writeMutations  = &permission{verbs: writing, group: admissionGroup, resources: []string{"mutatingadmissionpolicies"}, cluster: true}
	bindMutations   = &permission{verbs: writing, group: admissionGroup, resources: []string{"mutatingadmissionpolicybindings"}, cluster: true}
	configureNodes  = &permission{verbs: writing, group: machineGroup, resources: []string{"machineconfigs"}, cluster: true, explicit: true}
	createRequests  = &permission{verbs: []string{"create"}, group: signingGroup, resources: []string{"certificatesigningrequests"}, cluster: true}
	approveRequests = &permission{verbs: changing, group: signingGroup, resources: []string{"certificatesigningrequests"}, sub: "approval", cluster: true}
	approveSigner   = &permission{verbs: []string{"approve"}, group: signingGroup, resources: []string{"signers"}, cluster: true}
	createVolumes   = &permission{verbs: []string{"create"}, resources: []string{"persistentvolumes"}, cluster: true}
	reachKubelets   = &permission{verbs: []string{"create", "get"}, resources: []string{"nodes"}, sub: "proxy", cluster: true}
)

var permissions = slices.Concat(ofKubernetes, createCustom, installing)

var (
	// createCustom are the permissions to create or change what controllers make pods from, by group. The account of these can be changed.
	createCustom = createsCustom()
	// installing are the permissions to write what GitOps tools and OLM v0 install from; each is that of the tool at its index.
	installing = installsWith()
)

func createsCustom() []*permission {
	var list []*permission
	for _, r := range danger.PodMakers() {
		list = append(list, &permission{verbs: writing, group: r.Group, resources: r.Resources, explicit: true})
	}
	return list
}

func installsWith() []*permission {
	var list []*permission
	for _, i := range danger.Installers() {
		list = append(list, &permission{verbs: writing, group: i.Group, resources: i.Resources.Resources, explicit: true})
	}
	return list
}

// ofKubernetes are the permissions on resources of Kubernetes, OpenShift, and OLM v1.
var ofKubernetes = []*permission{
	impersonateUsers, impersonateGroups, impersonateAccounts, createToken, readSecrets, createSecrets,
	createPods, createCore, createApps, createBatch, createConfigs, changeCore, changeApps, changeBatch, changeConfigs, changePods,
	execPods, attachPods, addContainers,
	bindClusterRoles, bindRoles, escalateClusterRoles, escalateRoles, createClusterRoles, createRoles, changeClusterRoles, changeRoles,
	createClusterBinding, changeClusterBinding, createBinding, changeBinding,
	writeExtensions, nameAccounts, writeMutating, writeMutations, bindMutations, writeValidating, configureNodes, createRequests, approveRequests, approveSigner, reachKubelets, createVolumes,
}

// in returns the names of objects for which a rule has the permission, with one of the requests that it allows: an empty name
// stands for all objects. The API server does not know the name of an object when it authorizes its creation, so a rule with
// names does not allow that.
func (p *permission) in(rule rbacv1.PolicyRule) (names []string, verb, resource string) {
	if !rbac.Has(rule.APIGroups, p.group) || p.explicit && !slices.Contains(rule.APIGroups, p.group) {
		return nil, "", ""
	}
	all := rule
	all.ResourceNames = nil
	for _, verb := range p.verbs {
		if !rbac.Has(rule.Verbs, verb) || verb == "create" && p.sub == "" && len(rule.ResourceNames) > 0 {
			continue
		}
		for _, resource := range p.resources {
			if !rbac.Allows(all, rbac.Request{Verb: verb, Group: p.group, Resource: resource, Subresource: p.sub}) {
				continue
			}
			if len(rule.ResourceNames) == 0 {
				return []string{""}, verb, resource
			}
			return slices.Compact(slices.Sorted(slices.Values(rule.ResourceNames))), verb, resource
		}
	}
	return nil, "", ""
}

// allVerbs are the verbs of a rule that is about every resource; the wildcard stands for all that a cluster-admin needs.
func allVerbs(rule rbacv1.PolicyRule) []string {
	if !slices.Contains(rule.APIGroups, rbacv1.APIGroupAll) || !slices.Contains(rule.Resources, rbacv1.ResourceAll) || len(rule.ResourceNames) > 0 {
		return nil
	}
	if slices.Contains(rule.Verbs, rbacv1.VerbAll) {
		return rbac.Everything().Verbs
	}
	return rule.Verbs
}
