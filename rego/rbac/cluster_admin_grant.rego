# METADATA
# title: A subject is cluster-admin
# description: |
#   A ClusterRoleBinding makes a user, a group, or a ServiceAccount cluster-admin: it can read every Secret of the cluster,
#   and change and delete everything. Such a grant is easy to add, and few need it. A ServiceAccount with it can be used by
#   anyone who can create pods in its namespace or request its tokens.
#
#   The effect of the role counts, not its name: `cluster-admin`, and every role that is effectively the same (`*/*/*`, or
#   get, create, update, and delete on every resource of every group), with aggregated roles combined. Several bindings that
#   only together grant everything have one finding, at the first that lists the subject. The bindings of its implicit groups
#   count (`system:authenticated`, `system:serviceaccounts`, `system:serviceaccounts:<namespace>`), unless they alone grant
#   everything: then the group has the finding. Otherwise each binding has one finding for each subject, at the subject. A
#   RoleBinding is not reported: its role is limited to a namespace.
#
#   Other rules report the identities of ClusterExtensions: `olm/cluster-admin-grant` the accounts and users that OLM
#   installs an extension as, and `olm/group-grant`, `olm/synthetic-binding-unused`, and `olm/synthetic-subject-mistyped`
#   the group of all these identities. This rule reports them only where those do not.
#
#   These administrators are expected, and not reported:
#
#   | subject | granted by |
#   |---|---|
#   | groups `system:masters`, `system:cluster-admins` | Kubernetes and OpenShift themselves |
#   | group `kubeadm:cluster-admins` | kubernetes/kubernetes, `cmd/kubeadm/app/constants/constants.go` |
#   | `kustomize-controller`, `helm-controller` in `flux-system` | fluxcd/flux2, `manifests/rbac/reconciler.yaml` |
#   | `argocd-application-controller` in `argocd` | argoproj/argo-cd, `manifests/cluster-rbac/application-controller` |
#   | `fleet-agent` in `cattle-fleet-system` | rancher/fleet, `charts/fleet-agent/templates/rbac.yaml` |
#   | `rancher` in `cattle-system` | rancher/rancher, `chart/templates/clusterRoleBinding.yaml` |
#   | `cattle` in `cattle-system` | rancher/rancher, `pkg/systemtemplate/template.go` |
#   | `operator-controller-controller-manager` in `olmv1-system`, `openshift-operator-controller` | operator-framework/operator-controller, `helm/olmv1/templates/rbac` |
#   | `olm-operator-serviceaccount` in `olm`, `openshift-operator-lifecycle-manager` | operator-framework/operator-lifecycle-manager, `deploy/chart/templates` |
#   | `default` in `openshift-cluster-version` | openshift/cluster-version-operator, `install` |
#
#   An account of the same name in another namespace is reported. `rego/lib/known_admins.rego` holds the table.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#least-privilege
#     description: Least privilege
# custom:
#   severity: warning
#   kinds: [ClusterRoleBinding.rbac.authorization.k8s.io]
#   reads: [ClusterRole.rbac.authorization.k8s.io, ClusterExtension.olm.operatorframework.io]
#   evaluate_if: [everything-granted]
#   fix: none
package salint.rules.rbac.cluster_admin_grant

import data.salint.helpers
import data.salint.helpers.accounts
import data.salint.helpers.known_admins
import data.salint.helpers.rbac
import data.salint.helpers.rbac.reported_identities
import data.salint.lib

report contains finding if {
	rbac.is_cluster_admin(input.resource)
	some subject in rbac.subjects(input.resource)
	unexpected(subject)
	not reported_identities.of_binding(subject)
	finding := about(subject, message(subject), "alone")
}

# Several bindings can grant everything together. Only a binding of a role that allows something on everything can be one
# of them, so the others are not compared. What the groups of a subject hold together is the finding about a group.
report contains finding if {
	not rbac.is_cluster_admin(input.resource)
	count(rbac.on_everything(salint.ref(input.resource))) > 0
	some subject in rbac.subjects(input.resource)
	unexpected(subject)
	may_be_administrator(subject)
	not reported_identities.of_extension(subject)
	bindings := bindings_for(subject)
	not rbac.enough_for_admin([binding | some binding in bindings; binding.via != ""])
	parts := rbac.together_admin(bindings)
	first_of_own(parts).ref == salint.ref(input.resource)
	finding := object.union(about(subject, together(subject, parts), "together"), {"related": [related |
		some part in parts
		part.ref != salint.ref(input.resource)
		related := {"ref": part.ref, "path": ["roleRef"], "message": sprintf("%s grants the rest%s", [part.name, through(part)])}
	]})
}

# Few subjects are administrators, and that is known without their bindings, except for what the members of a group have in addition.
may_be_administrator(subject) if subject.kind == "Group"

may_be_administrator(subject) if {
	subject.kind != "Group"
	salint.is_administrator(subject)
}

# bindings_for lists the bindings that apply to a subject. Those of a group apply to its members, so they have the bindings
# of the groups in which all members are, too.
bindings_for(subject) := salint.bindings_of(subject) if {
	subject.kind != "Group"
} else := array.concat(salint.bindings_of(subject), [object.union(binding, {"via": group}) |
	some group in rbac.groups_around(subject.name)
	some binding in salint.bindings_of({"kind": "Group", "name": group})
])

about(subject, text, kind_of_grant) := lib.case(
	lib.finding(["subjects", subject.index], text),
	[kind_of_grant, subject.kind, ["roleRef", "name"]],
)

# unexpected holds for a subject that neither the table nor another rule covers, at the first of its entries in the binding.
unexpected(subject) if {
	not known_admins.is_known(subject)
	not reported_identities.synthetic(subject)
	not rbac.listed_before(subject)
	not rejected(subject)
}

# rejected holds for an account without a namespace: the API server rejects the binding, which `rbac/subject-invalid` reports, so nothing is granted. A
# kustomization that is not built could complete it; a controller that merges the binding into one on the cluster cannot.
rejected(subject) if {
	subject.kind == "ServiceAccount"
	count(object.get(input.unit, "transforms", [])) == 0
	some refusal in salint.refusals(input.resource)
	refusal.path == ["subjects", subject.index]
}

# first_of_own is the first of the bindings that lists the subject itself, not one of its groups.
first_of_own(parts) := [part | some part in parts; part.via == ""][0]

message(subject) := sprintf("%s grants %s to %s. %s %s", [
	helpers.sentence(helpers.called(input.resource)), cluster_admin, rbac.subject_called(subject), consequence[subject.kind], remedy,
])

together(subject, parts) := sprintf("%s together grant effectively cluster-admin to %s. %s %s", [
	helpers.listed([helpers.titled(part.kind, "", part.name) | some part in parts]),
	rbac.subject_called(subject), consequence[subject.kind], remedy,
])

# through names the group of the subject that a binding lists.
through(part) := "" if {
	part.via == ""
} else := sprintf(" to Group %s", [part.via])

default cluster_admin := "cluster-admin"

cluster_admin := sprintf("%s, effectively cluster-admin,", [rbac.role_called(input.resource)]) if {
	input.resource.roleRef.name != "cluster-admin"
}

consequence := {
	"ServiceAccount": accounts.usable_by_pods,
	"User": "This user can read and change everything in the cluster.",
	"Group": "Every member can read and change everything in the cluster.",
}

remedy := "Bind a role with only the required permissions, in a new binding: a roleRef is immutable."
