# METADATA
# title: Tokens are kept in a Grafana without persistent storage
# description: |
#   Grafana keeps service accounts and tokens in its database. Unless a Grafana is told otherwise, that is a file in an
#   `emptyDir` of its pod, and gone with the pod. grafana-operator then creates the account and its tokens again, and writes
#   them into the Secrets that are there: every upgrade, change of the configuration, eviction or move to another node rotates
#   all of them, and what uses a token is locked out until it reads the Secret anew.
#
#   Storage is persistent with a volume `grafana-data` in `spec.deployment.spec.template.spec.volumes` that outlives the pod,
#   or with a database server in `spec.config.database` (a `type` other than `sqlite3`, or a `url`) or in variables
#   `GF_DATABASE_…`. `spec.persistentVolumeClaim` alone creates a claim that nothing mounts. External instances, those whose
#   environment comes from elsewhere, and accounts with `suspend` are not judged.
# related_resources:
#   - ref: https://github.com/grafana/grafana-operator/tree/master/examples/serviceaccounts
#     description: Service accounts with grafana-operator
# custom:
#   severity: note
#   kinds: [GrafanaServiceAccount.grafana.integreatly.org]
#   words: [grafana.integreatly.org]
#   reads: [Grafana.grafana.integreatly.org]
#   fix: none
package salint.rules.grafana.ephemeral_instance

import data.salint.lib
import data.salint.lib.grafana

report contains finding if {
	lib.as_written
	not grafana.suspended(input.resource)
	count(grafana.tokens(input.resource)) > 0
	instance := grafana.text(input.resource.spec.instanceName)
	found := salint.lookup(object.union(
		grafana.instance_query,
		{"name": instance, "namespace": lib.namespace(input.resource)},
	))
	count(found) == 1
	not kept(object.get(found[0].resource, "spec", {}))
	finding := lib.related(
		lib.finding(["spec", "tokens"], message(found[0].resource)),
		found[0].ref, ["spec"], "neither a volume nor a database is set here",
	)
}

message(instance) := sprintf(
	concat(" ", [
		"%s has no persistent storage%s: each time its pod is replaced the tokens of %s are gone,",
		"and the operator creates new ones, with other contents of their Secrets.",
		"Give Grafana a volume or a database.",
	]),
	[lib.sentence(lib.called(instance)), claimed(instance), lib.called(input.resource)],
)

claimed(instance) := ", for nothing mounts its persistentVolumeClaim" if {
	instance.spec.persistentVolumeClaim
} else := ""

# kept tells that what Grafana knows may outlive its pod, or that nobody can tell from here.
kept(spec) if is_string(spec)

kept(spec) if spec.external != null

kept(spec) if {
	database := spec.config.database
	not in_a_file(database)
}

kept(spec) if {
	some path in [
		["config"],
		["deployment"], ["deployment", "spec"], ["deployment", "spec", "template"], pod,
		array.concat(pod, ["volumes"]), array.concat(pod, ["containers"]),
	]
	is_string(object.get(spec, path, null))
}

kept(spec) if {
	some volume in spec.deployment.spec.template.spec.volumes
	not passing(volume)
}

kept(spec) if {
	some container in containers(spec)
	some _ in container.envFrom
}

kept(spec) if {
	some container in containers(spec)
	some variable in container.env
	startswith(variable.name, "GF_DATABASE_")
}

containers(spec) := spec.deployment.spec.template.spec.containers

pod := ["deployment", "spec", "template", "spec"]

# in_a_file tells that the settings of a database leave it the file that Grafana has without any.
in_a_file(database) if {
	is_object(database)
	object.get(database, "type", "sqlite3") == "sqlite3"
	object.get(database, "url", "") == ""
}

# passing tells that a volume does not keep what is written to it.
passing(volume) if {
	some source in {"configMap", "downwardAPI", "emptyDir", "ephemeral", "image", "projected", "secret"}
	source in object.keys(volume)
}
