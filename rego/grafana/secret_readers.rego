# The fields by which pods read Secrets.
package salint.helpers.grafana.secret_readers

import data.salint.helpers

# reads lists the fields of an object with the name of a Secret, and the keys that it reads; none if it takes all.
reads(resource) := array.concat(in_environment(resource), in_volumes(resource))

in_environment(resource) := [use |
	some pod in salint.pods(resource)
	some list in ["containers", "initContainers"]
	some i, container in pod.spec[list]
	use := array.concat(
		[read |
			some n, variable in container.env
			key := variable.valueFrom.secretKeyRef
			path := array.concat(pod.path, [list, i, "env", n, "valueFrom", "secretKeyRef"])
			read := {"path": path, "name": key.name, "keys": [{"key": key.key, "path": array.concat(path, ["key"])}], "optional": object.get(key, "optional", false)}
		],
		[read |
			some n, from in container.envFrom
			path := array.concat(pod.path, [list, i, "envFrom", n, "secretRef"])
			read := {"path": path, "name": from.secretRef.name, "keys": [], "optional": object.get(from.secretRef, "optional", false)}
		],
	)[_]
]

in_volumes(resource) := [use |
	some pod in salint.pods(resource)
	some i, volume in pod.spec.volumes
	before := array.concat(pod.path, ["volumes", i])
	some source in array.concat(
		[{"path": array.concat(before, ["secret"]), "secret": volume.secret, "name": volume.secret.secretName}],
		[{"path": array.concat(before, ["projected", "sources", n, "secret"]), "secret": projected.secret, "name": projected.secret.name} |
			some n, projected in volume.projected.sources
		],
	)
	use := {
		"path": source.path, "name": source.name, "optional": object.get(source.secret, "optional", false),
		"keys": [{"key": item.key, "path": array.concat(source.path, ["items", n, "key"])} | some n, item in source.secret.items],
	}
]

# of lists the objects of the deployment unit whose pods read a Secret.
of(namespace, secret) := [{"ref": entry.ref, "path": use.path} |
	some kind in ["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job", "Pod"]
	some entry in salint.find({"kind": kind})
	helpers.namespace(entry.resource) == namespace
	some use in reads(entry.resource)
	use.name == secret
]
