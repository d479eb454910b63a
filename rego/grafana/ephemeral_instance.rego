# METADATA
# title: Tokens are stored in a Grafana without persistent storage
# description: |
#   Grafana stores service accounts and tokens in its database. By default this is a file in an `emptyDir` of its pod,
#   which is deleted with the pod. grafana-operator then creates the account and its tokens again, and writes them into
#   the existing Secrets. So every upgrade, change of the configuration, eviction, or move to another node rotates all
#   tokens, and every client of a token is rejected until it reads the Secret again.
#
#   Storage is persistent with a volume `grafana-data` in `spec.deployment.spec.template.spec.volumes` that remains
#   after the pod is deleted, or with a database server in `spec.config.database` (a `type` other than `sqlite3`, or a
#   `url`) or in variables `GF_DATABASE_…`. `spec.persistentVolumeClaim` alone creates a claim that nothing mounts.
#   External instances, instances with an environment from other objects, and accounts with `suspend` are not checked.
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

import data.salint.helpers
import data.salint.helpers.grafana
import data.salint.lib

report contains finding if {
	helpers.whole
	not grafana.suspended(input.resource)
	count(grafana.tokens(input.resource)) > 0
	instance := grafana.text(input.resource.spec.instanceName)
	found := salint.lookup(object.union(
		grafana.instance_query,
		{"name": instance, "namespace": helpers.namespace(input.resource)},
	))
	count(found) == 1
	not persistent(object.get(found[0].resource, "spec", {}))
	finding := lib.related(
		lib.finding(["spec", "tokens"], message(found[0].resource)),
		found[0].ref, ["spec"], "neither a volume nor a database is set here",
	)
}

message(instance) := sprintf(
	concat(" ", [
		"%s has no persistent storage%s.",
		"With each new pod, the operator replaces the tokens of %s.",
		"Configure a volume or a database.",
	]),
	[helpers.sentence(helpers.called(instance)), claimed(instance), helpers.called(input.resource)],
)

claimed(instance) := " (nothing mounts its persistentVolumeClaim)" if {
	instance.spec.persistentVolumeClaim
} else := ""

# persistent reports whether the data of Grafana can remain after its pod is deleted, also if that is unknown.
persistent(spec) if is_string(spec)

persistent(spec) if spec.external != null

persistent(spec) if {
	database := spec.config.database
	not in_a_file(database)
}

persistent(spec) if {
	some path in [
		["config"],
		["deployment"], ["deployment", "spec"], ["deployment", "spec", "template"], pod,
		array.concat(pod, ["volumes"]), array.concat(pod, ["containers"]),
	]
	is_string(object.get(spec, path, null))
}

persistent(spec) if {
	some volume in spec.deployment.spec.template.spec.volumes
	not ephemeral(volume)
}

persistent(spec) if {
	some container in containers(spec)
	some _ in container.envFrom
}

persistent(spec) if {
	some container in containers(spec)
	some variable in container.env
	startswith(variable.name, "GF_DATABASE_")
}

containers(spec) := spec.deployment.spec.template.spec.containers

pod := ["deployment", "spec", "template", "spec"]

# in_a_file reports whether the settings of a database keep the default of Grafana, which is a file.
in_a_file(database) if {
	is_object(database)
	object.get(database, "type", "sqlite3") == "sqlite3"
	object.get(database, "url", "") == ""
}

# ephemeral reports whether a volume loses what is written to it.
ephemeral(volume) if {
	some source in {"configMap", "downwardAPI", "emptyDir", "ephemeral", "image", "projected", "secret"}
	source in object.keys(volume)
}
