package escalation

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/rbac"
)

// permission is a row of the table of powers.
type permission = danger.Power

// The permissions of steps that differ from those of other rows.
var (
	impersonateUsers     = danger.Named("impersonate users")
	impersonateGroups    = danger.Named("impersonate groups")
	impersonateAccounts  = danger.Named("impersonate serviceaccounts")
	actForUsers          = danger.Named("impersonate:user-info on users")
	actForGroups         = danger.Named("impersonate:user-info on groups")
	actForAccounts       = danger.Named("impersonate:serviceaccount")
	actForNodes          = danger.Named("impersonate:arbitrary-node")
	changeAWSAuth        = danger.Named("change aws-auth")
	changeArgoRoles      = danger.Named("change argocd-rbac-cm")
	createToken          = danger.Named("create serviceaccounts/token")
	readSecrets          = danger.Named("read secrets")
	createSecrets        = danger.Named("create secrets")
	changePods           = danger.Named("change pods")
	execPods             = danger.Named("exec in pods")
	attachPods           = danger.Named("attach to pods")
	addContainers        = danger.Named("add containers")
	bindClusterRoles     = danger.Named("bind on clusterroles")
	bindRoles            = danger.Named("bind on roles")
	escalateClusterRoles = danger.Named("escalate on clusterroles")
	escalateRoles        = danger.Named("escalate on roles")
	createClusterRoles   = danger.Named("create clusterroles")
	createRoles          = danger.Named("create roles")
	changeClusterRoles   = danger.Named("change clusterroles")
	changeRoles          = danger.Named("change roles")
	createClusterBinding = danger.Named("create clusterrolebindings")
	changeClusterBinding = danger.Named("change clusterrolebindings")
	createBinding        = danger.Named("create rolebindings")
	changeBinding        = danger.Named("change rolebindings")
	writeExtensions      = danger.Named("write extensions")
	nameAccounts         = danger.Named("name accounts of extensions")
	writeMutating        = danger.Named("write mutating webhooks")
	writeValidating      = danger.Named("write validating webhooks")
	writeMutations       = danger.Named("write mutating policies")
	bindMutations        = danger.Named("bind mutating policies")
	configureNodes       = danger.Named("write machineconfigs")
	createRequests       = danger.Named("request certificates")
	approveRequests      = danger.Named("approve certificates")
	approveSigner        = danger.Named("approve for signers")
	reachKubelets        = danger.Named("reach kubelets")
	createVolumes        = danger.Named("create persistentvolumes")
)

// impersonating are the permissions to act as others.
var impersonating = []*permission{impersonateUsers, impersonateGroups, impersonateAccounts, actForUsers, actForGroups, actForAccounts, actForNodes}

// The permissions of which steps consist, by what the steps do.
var (
	permissions = slices.DeleteFunc(danger.Powers(), func(p *permission) bool { return p.Reach == danger.Ranked })
	// creatingPods and changingPods are the permissions to create and to change what pods are made of.
	creatingPods = danger.With(danger.CreatesAny)
	changingPods = danger.With(danger.ChangesAny)
	customPods   = danger.With(danger.CreatesCustom)
)

// sourcePower is a power over the objects from which Flux takes what it applies.
type sourcePower struct {
	*permission

	resource string
	part     flux.Part
	creates  bool
}

// sourcePowers are the powers over sources.
var sourcePowers = func() (all []sourcePower) {
	for _, s := range danger.Sources() {
		resource := s.Resources.Resources[0]
		if s.Spec {
			all = append(all, sourcePower{danger.Named("change " + resource), resource, flux.Spec, false},
				sourcePower{danger.Named("create " + resource), resource, flux.Spec, true})
		}
		if s.Status {
			all = append(all, sourcePower{danger.Named("change " + resource + "/status"), resource, flux.Status, false})
		}
	}
	return all
}()

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
