package salint.rules.grafana.instance_not_found_test

import data.salint.rules.grafana.instance_not_found as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.lookup as testing.find
		with salint.ref as testing.ref
}

account(instance) := testing.grafana_account("reader", {"instanceName": instance})

grafana := testing.grafana("grafana", "monitoring", {})

found(instance, others) := report(testing.judge("ignored", {"a.yaml": [account(instance)], "b.yaml": others}, "a.yaml#0/"))

test_in_another_namespace if {
	some finding in found("grafana", [testing.grafana("grafana", "apps", {})])
	finding.ref == "a.yaml#0/"
	contains(finding.message, "GrafanaServiceAccount monitoring/reader references Grafana grafana, which is not defined in its namespace (defined in namespace apps).")
	finding.related[0].ref == "b.yaml#0/"
}

test_another_grafana if {
	some finding in found("grafanna", [grafana])
	not contains(finding.message, "defined in namespace")
	contains(finding.message, "(Grafanas there: grafana). The operator")
	count(finding.related) == 1
}

test_renamed_by_a_kustomization if {
	renamed := testing.grafana("prod-grafana", "monitoring", {})
	world := testing.judge("ignored", {"a.yaml": [account("grafana")], "b.yaml": [renamed]}, "a.yaml#0/")
	some finding in report(testing.kustomized(world))
	contains(finding.message, "(Grafanas there: prod-grafana)")
	contains(finding.message, "kustomize renames only the Grafana")
	some plain in report(world)
	not contains(plain.message, "kustomize")
	other := testing.judge("ignored", {"a.yaml": [account("viewer")], "b.yaml": [renamed]}, "a.yaml#0/")
	some unlike in report(testing.kustomized(other))
	not contains(unlike.message, "kustomize")
}

test_existing_grafana if {
	every others in [[grafana], [testing.grafana("grafana", "", {})], [testing.grafana("grafana", "${NS}", {})]] {
		count(found("grafana", others)) == 0
	}
	world := testing.alone("ignored", account("grafana"))
	count(report(testing.elsewhere(world, {"c/grafana.yaml": [grafana]}))) == 0
}

test_unknown_grafana if {
	count(found("grafana", [])) == 0
	count(found("grafana", [testing.grafana("other", "apps", {})])) == 0
	count(found("${GRAFANA}", [grafana])) == 0
	count(found("grafanna", [testing.grafana("${NAME}", "monitoring", {})])) == 0
	world := testing.judge("ignored", {"a.yaml": [account("grafanna")], "b.yaml": [grafana]}, "a.yaml#0/")
	count(report(testing.transformed(world))) == 0
}

test_unknown_namespaces if {
	nowhere := testing.in_namespace(account("grafanna"), "")
	files := {"a.yaml": [nowhere], "b.yaml": [testing.grafana("grafana", "", {})]}
	count(report(testing.judge("ignored", files, "a.yaml#0/"))) == 0
	count(report(testing.kustomized(testing.judge("ignored", files, "a.yaml#0/")))) == 1
}

test_grafana_of_another_group if {
	other := object.union(grafana, {"apiVersion": "integreatly.org/v1alpha1"})
	count(found("grafanna", [other])) == 0
}
