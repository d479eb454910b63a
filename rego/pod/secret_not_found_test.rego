package salint.rules.pod.secret_not_found_test

import data.salint.rules.pod.secret_not_found as rule

account(fields) := object.union({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web", "namespace": "shop"}}, fields)

pulling(name) := account({"imagePullSecrets": [{"name": "first"}, {"name": name}]})

source(fields) := object.union(
	{
		"ref": "secrets.yaml#0/", "path": ["metadata", "name"], "namespace": "shop", "name": "registry-pull",
		"type": "kubernetes.io/dockerconfigjson", "copied": false,
	},
	fields,
)

report(resource, unit, likely, known) := found if {
	found := rule.report with input as {"resource": resource, "unit": unit}
		with salint.ref as "accounts.yaml#0/"
		with salint.secrets_like as likely
		with salint.may_have_secret as known
		with salint.bringers as []
}

kustomization := {"kind": "kustomization", "transforms": [], "remotes": [], "problems": []}

test_misspelled if {
	found := report(pulling("registy-pull"), kustomization, [source({})], false)
	count(found) == 2 # the replaced function returns the same for the first name
	some finding in found
	finding.path == ["imagePullSecrets", 1, "name"]
	finding.related == [{"ref": "secrets.yaml#0/", "path": ["metadata", "name"], "message": "the Secret is created here"}]
	contains(finding.message, "ServiceAccount shop/web names Secret registy-pull, which nothing in the repository creates in namespace shop; Secret registry-pull is created there.")
}

test_another_namespace if {
	some finding in report(pulling("registry-pull"), kustomization, [source({"namespace": "infra"})], false)
	finding.severity == "note" # a program can copy it
	contains(finding.message, "which is created in namespace infra, and not in namespace shop. Images are pulled without a missing Secret.")
	count(report(pulling("registry-pull"), kustomization, [source({"namespace": "infra", "copied": true})], false)) == 0
	count(report(pulling("registry-pull"), kustomization, [source({"namespace": ""})], false)) == 0
}

test_unknown_secrets if {
	count(report(pulling("registry-pull"), kustomization, [], false)) == 0
	count(report(pulling("registy-pull"), kustomization, [source({})], true)) == 0
	count(report(pulling("registy-pull"), kustomization, [source({"type": ""})], false)) == 0
	count(report(pulling("REGISTRY_PULL"), kustomization, [source({"namespace": "infra", "name": "REGISTRY_PULL"})], false)) == 0
	count(report(pulling("registy-pull"), object.union(kustomization, {"remotes": [{"field": "resources"}]}), [source({})], false)) == 0
	unplaced := json.patch(pulling("registy-pull"), [{"op": "remove", "path": "/metadata/namespace"}])
	count(report(unplaced, kustomization, [source({})], false)) == 0
}

test_both_are_listed if {
	listed := account({"imagePullSecrets": [{"name": "registry-pull"}, {"name": "registry-pulls"}]})
	found := report(listed, kustomization, [source({})], false)
	count(found) == 0
}

# The Secret can belong to another cluster than the account.
test_plain_files if {
	plain := object.union(kustomization, {"kind": "plain"})
	count(report(pulling("registy-pull"), plain, [source({})], false)) > 0
	found := rule.report with input as {"resource": pulling("registy-pull"), "unit": plain}
		with salint.ref as "dev/accounts.yaml#0/"
		with salint.secrets_like as [source({"ref": "prod/secrets.yaml#0/"})]
		with salint.may_have_secret as false
		with salint.bringers as []
	count(found) == 0
}

# The list of an account restricts its pods only with the annotation.
test_mountable_secrets if {
	listed := {"secrets": [{"name": "databse"}]}
	meant := [source({"name": "database", "type": "Opaque"})]
	count(report(account(listed), kustomization, meant, false)) == 0
	enforced := object.union(account(listed), {"metadata": {"annotations": {"kubernetes.io/enforce-mountable-secrets": "true"}}})
	some finding in report(enforced, kustomization, meant, false)
	finding.path == ["secrets", 0, "name"]
	contains(finding.message, "Its pods can mount only Secrets in this list.")
}

test_pods if {
	spec := {"imagePullSecrets": [{"name": "registy-pull"}], "containers": []}
	pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}, "spec": spec}
	some finding in report(pod, kustomization, [source({})], false)
	finding.path == ["spec", "imagePullSecrets", 0, "name"]
	static := object.union(pod, {"metadata": {"annotations": {"kubernetes.io/config.source": "file"}}})
	count(report(static, kustomization, [source({})], false)) == 0
}
