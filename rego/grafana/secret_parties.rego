# The parties that claim a Secret in which a Grafana token is stored: tokens, manifests of the Secret, and objects that create it.
package salint.helpers.grafana.secret_parties

import data.salint.helpers
import data.salint.helpers.grafana

# tokens are the tokens that name a Secret, by its namespace and name.
tokens[[helpers.namespace(account.resource), secret]] contains party if {
	some account in salint.find(grafana.account_query)
	some entry in grafana.tokens(account.resource)
	secret := grafana.text(entry.token.secretName)
	party := {
		"ref": account.ref, "resource": account.resource, "index": entry.index,
		"called": sprintf("the %s of %s", [grafana.token_called(entry), helpers.called(account.resource)]),
	}
}

# manifests are those of the same Secrets, and of objects whose controllers create them.
manifests[key] contains party if {
	some key, _ in tokens
	some secret in salint.find({"group": "", "kind": "Secret", "namespace": key[0], "name": key[1]})
	helpers.namespace(secret.resource) == key[0]
	party := {"ref": secret.ref, "resource": secret.resource, "called": sprintf("the manifest of %s", [helpers.called(secret.resource)])}
}

manifests[key] contains party if {
	count(tokens) > 0
	some maker in array.concat(makers, salint.find(grafana.instance_query))
	key := [helpers.namespace(maker.resource), made(maker.resource)]
	key in object.keys(tokens)
	party := {"ref": maker.ref, "resource": maker.resource, "called": helpers.called(maker.resource)}
}

makers := array.concat(
	salint.find({"group": "external-secrets.io", "kind": "ExternalSecret"}),
	salint.find({"group": "bitnami.com", "kind": "SealedSecret"}),
)

# made is the name of the Secret that the controller of an object creates.
made(resource) := grafana.text(object.get(resource, path({"resource": resource}), "")) if {
	resource.kind == "ExternalSecret"
	not object.get(resource, ["spec", "target", "creationPolicy"], "Owner") in {"Merge", "None"}
}

made(resource) := grafana.text(helpers.name(resource)) if resource.kind == "SealedSecret"

made(resource) := sprintf("%s-admin-credentials", [grafana.text(helpers.name(resource))]) if {
	resource.kind == "Grafana"
	not resource.spec.disableDefaultAdminSecret == true
	not resource.spec.external
}

target := ["spec", "target", "name"]

# path leads to the name of the Secret.
path(party) := ["spec", "tokens", party.index, "secretName"] if {
	party.resource.kind == "GrafanaServiceAccount"
} else := target if {
	names_its_secret(party.resource)
} else := ["metadata", "name"]

names_its_secret(resource) if {
	resource.kind == "ExternalSecret"
	object.get(resource, target, null) != null
}
