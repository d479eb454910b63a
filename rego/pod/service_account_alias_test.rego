package salint.rules.pod.service_account_alias_test

import data.salint.rules.pod.service_account_alias as rule

pod(spec) := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": spec}

report(resource) := found if found := rule.report with input as {"resource": resource}

test_alone_and_with_an_equal_name if {
	every spec in [{"serviceAccount": "web"}, {"serviceAccount": "web", "serviceAccountName": "web"}, {"serviceAccount": ""}] {
		some finding in report(pod(spec))
		finding.path == ["spec", "serviceAccount"]
		startswith(finding.message, "Pod web sets serviceAccount, the deprecated name")
	}
}

test_remedies if {
	every spec, remedy in {
		{"serviceAccount": "web"}: "Rename the field to serviceAccountName.",
		{"serviceAccount": "web", "serviceAccountName": ""}: "Rename the field to serviceAccountName.",
		{"serviceAccount": "web", "serviceAccountName": "web"}: "Both fields are set to web",
		{"serviceAccount": null}: "has no effect",
		{"serviceAccount": "${A}", "serviceAccountName": "${B}"}: "unknown until the placeholders are replaced",
	} {
		some finding in report(pod(spec))
		contains(finding.message, remedy)
	}
}

test_new_name_alone if count(report(pod({"serviceAccountName": "web"}))) == 0

test_contradiction_is_another_rule if {
	count(report(pod({"serviceAccountName": "web", "serviceAccount": "admin"}))) == 0
}

test_inside_a_list_of_templates if {
	template := {"spec": {"template": {"spec": {"serviceAccount": "web"}}}}
	set := {
		"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "train"},
		"spec": {"replicatedJobs": [{"name": "a"}, {"name": "b", "template": template}]},
	}
	some finding in report(set)
	finding.path == ["spec", "replicatedJobs", 1, "template", "spec", "template", "spec", "serviceAccount"]
	startswith(finding.message, "The pod of JobSet train")
}

test_field_of_another_kind if {
	collector := {"apiVersion": "opentelemetry.io/v1beta1", "kind": "OpenTelemetryCollector", "spec": {"serviceAccount": "web"}}
	count(report(collector)) == 0
}
