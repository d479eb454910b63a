# Roles of releases of controllers, which are not edited where they are installed.
package salint.helpers.rbac.shipped_roles

import data.salint.helpers
import data.salint.helpers.known_admins

# of names the project that ships input.resource with a rule. OLM's controller requests tokens of the accounts of extensions, and
# impersonates synthetic identities, where they count (operator-controller v1.10, helm/olmv1/templates/rbac; v1.3,
# config/overlays/featuregate/synthetic-user-permissions).
of(rule, view) := "Flux or Argo CD" if {
	some prefix, part in {"crd-controller": "flux", "flux-": "flux", "argocd-": "argocd"}
	startswith(helpers.name(input.resource), prefix)
	input.resource.metadata.labels["app.kubernetes.io/part-of"] == part
} else := "operator-controller" if {
	of_olm(rule, view)
	helpers.identities_may_count
}

# left_over holds for a rule of the role of operator-controller that only releases before the target needed.
left_over(rule, view) if {
	of_olm(rule, view)
	not helpers.identities_may_count
}

of_olm(rule, view) if {
	endswith(helpers.name(input.resource), "operator-controller-manager-role")
	every verb in rule.verbs { verb in {"create", "impersonate"} }
	every resource in rule.resources { resource in {"serviceaccounts/token", "users", "groups"} }
	every holder in view.holders {
		holder.subject.name == "operator-controller-controller-manager"
		known_admins.is_known(holder.subject)
	}
}
