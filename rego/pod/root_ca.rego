# METADATA
# title: The ConfigMap with the certificates of the API server is misspelled or replaced
# description: |
#   Kubernetes writes the certificates with which pods verify the API server into the ConfigMap `kube-root-ca.crt` of every namespace, under the key
#   `ca.crt`, and overwrites what a manifest says. A manifest of that name has no lasting effect, and two controllers that each write their own data
#   fight over it.
#
#   A pod that names the ConfigMap or its key wrongly does not start. A name that differs by one letter or by its end (`kube-root-ca`) is a note, as
#   something else can create such a ConfigMap.
# related_resources:
#   - ref: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens
#     description: The volume with the token and the certificates
#   - ref: https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/controller/certificates/rootcacertpublisher/publisher.go
#     description: The controller that writes the ConfigMap
# custom:
#   severity: warning
#   kinds: [workloads]
#   words: [kube-r, kube-ca, kube-root, kube_root, kuberoot]
#   fix: none
package salint.rules.pod.root_ca

import data.salint.helpers
import data.salint.helpers.pods
import data.salint.lib

right := "kube-root-ca.crt"

report contains lib.with_severity(lib.case(lib.finding(found.path, message), "name"), "note") if {
	some found in uses
	is_misspelled(found.name)
	not helpers.templated(found.name)
	message := sprintf("%s names ConfigMap %s, which is not the one that Kubernetes creates. Change the name to %s, unless something else creates it.", [
		pods.called(input.resource), found.name, right,
	])
}

report contains lib.case(lib.finding(key.path, message), "key") if {
	some found in uses
	found.name == right
	some key in found.keys
	key.key != "ca.crt"
	not helpers.templated(key.key)
	message := sprintf("%s names the key %s of ConfigMap %s, which only has ca.crt, so it does not start. Change the key to ca.crt.", [
		pods.called(input.resource), key.key, right,
	])
}

# uses lists the ConfigMaps that pods name, with the keys. An optional one need not exist.
uses contains use if {
	some pod in salint.pods(input.resource)
	some i, volume in pod.spec.volumes
	some j, source in volume.projected.sources
	use := use_of(source.configMap, "name", array.concat(pod.path, ["volumes", i, "projected", "sources", j, "configMap"]))
}

uses contains use if {
	some pod in salint.pods(input.resource)
	some i, volume in pod.spec.volumes
	use := use_of(volume.configMap, "name", array.concat(pod.path, ["volumes", i, "configMap"]))
}

uses contains use if {
	some pod in salint.pods(input.resource)
	some field in ["initContainers", "containers"]
	some i, container in pod.spec[field]
	some j, variable in container.env
	ref := variable.valueFrom.configMapKeyRef
	object.get(ref, "optional", false) != true
	path := array.concat(pod.path, [field, i, "env", j, "valueFrom", "configMapKeyRef"])
	use := {"name": ref.name, "path": array.concat(path, ["name"]), "keys": [{"key": ref.key, "path": array.concat(path, ["key"])}]}
}

use_of(source, field, path) := {
	"name": source[field], "path": array.concat(path, [field]),
	"keys": [{"key": item.key, "path": array.concat(path, ["items", k, "key"])} | some k, item in source.items],
} if {
	is_string(source[field])
	object.get(source, "optional", false) != true
}

is_misspelled(name) if {
	name != right
	letters(name) in {"kuberootca", "kuberootcacrt", "kuberootcacert", "kuberootcapem", "kuberootcrt", "kubecacrt"}
}

is_misspelled(name) if {
	name != right
	abs(count(name) - count(right)) < 2
	startswith(name, "kube")
	some i in numbers.range(0, count(right))
	near(name, i)
}

letters(name) := regex.replace(lower(name), `[-._]`, "")

# near is true for a name with a letter that is missing, added, confused, or swapped with the next one.
near(name, i) if name == without(right, i)

near(name, i) if without(name, i) == right

near(name, i) if without(name, i) == without(right, i)

near(name, i) if without(name, i) == without(right, i + 1)

without(name, i) := concat("", [substring(name, 0, i), substring(name, i + 1, -1)]) if i < count(name)
