package salint.rules.grafana.ephemeral_instance_test

import data.salint.rules.grafana.ephemeral_instance as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.lookup as testing.find
		with salint.ref as testing.ref
}

account := testing.grafana_account("reader", {"instanceName": "grafana", "tokens": [{"name": "a"}]})

found(spec) := report(testing.judge(
	"ignored",
	{"a.yaml": [account], "b.yaml": [testing.grafana("grafana", "monitoring", spec)]},
	"a.yaml#0/",
))

with_pod(pod) := {"deployment": {"spec": {"template": {"spec": pod}}}}

with_volume(source) := with_pod({"volumes": [object.union({"name": "grafana-data"}, source)]})

with_container(container) := with_pod({"containers": [container]})

test_no_persistent_storage if {
	every spec in [
		{},
		with_volume({"emptyDir": {}}),
		with_volume({"configMap": {"name": "a"}}),
		with_container({"env": [{"name": "GF_LOG_LEVEL"}]}),
		{"config": {"log": {}}},
		{"config": {"database": {"type": "sqlite3", "path": "grafana.db"}}},
		{"config": {"database": {"wal": "true"}}},
		{"external": null},
		with_volume({"ephemeral": {"volumeClaimTemplate": {}}}),
		with_container({"envFrom": null}),
	] {
		some finding in found(spec)
		finding.path == ["spec", "tokens"]
		finding.related[0].ref == "b.yaml#0/"
	}
}

test_unmounted_claim if {
	some finding in found({"persistentVolumeClaim": {"spec": {}}})
	contains(finding.message, "nothing mounts its persistentVolumeClaim")
}

test_persistent_storage if {
	every spec in [
		with_volume({"persistentVolumeClaim": {"claimName": "a"}}),
		with_volume({"nfs": {}}),
		with_pod({"volumes": "${VOLUMES}"}),
		with_pod({"containers": "${CONTAINERS}"}),
		with_container({"env": [{"name": "GF_DATABASE_HOST"}]}),
		with_container({"envFrom": [{"secretRef": {}}]}),
		{"config": {"database": {"url": "postgres://db"}}},
		{"config": {"database": {"type": "postgres", "host": "db:5432"}}},
		{"config": {"database": {"type": "${DATABASE}"}}},
		{"config": {"database": "${DATABASE}"}},
		{"config": "${CONFIG}"},
		{"external": {"url": "https://grafana.example.com"}},
		{"deployment": "${DEPLOYMENT}"},
		"${SPEC}",
	] {
		count(found(spec)) == 0
	}
}

test_no_tokens_and_unknown_instances if {
	count(report(testing.alone("ignored", account))) == 0
	suspended := object.union(account, {"spec": {"suspend": true}})
	count(report(testing.judge("ignored", {"a.yaml": [suspended, testing.grafana("grafana", "monitoring", {})]}, "a.yaml#0/"))) == 0
	none := testing.grafana_account("reader", {"instanceName": "grafana", "tokens": []})
	bare := testing.grafana("grafana", "monitoring", {})
	count(report(testing.judge("ignored", {"a.yaml": [none, bare]}, "a.yaml#0/"))) == 0
	count(report(testing.judge("ignored", {"a.yaml": [account, bare, bare]}, "a.yaml#0/"))) == 0
	count(report(testing.transformed(testing.judge("ignored", {"a.yaml": [account, bare]}, "a.yaml#0/")))) == 0
}
