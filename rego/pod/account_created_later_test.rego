package salint.rules.pod.account_created_later_test

import data.salint.rules.pod.account_created_later as rule
import data.salint.testing

job := {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "migrate", "namespace": "shop"}}

late(never, annotation) := [{
	"pod": {"ref": "a.yaml#0/", "path": ["spec", "template", "spec", "serviceAccountName"]}, "pod_resource": job,
	"account": "b.yaml#0/", "resource": testing.service_account("shop", "migrate"), "never": never, "why": "the account has no wave", "annotation": annotation,
}]

report(found) := findings if {
	findings := rule.report with input as testing.alone("ignored", job) with salint.late_accounts as found
}

test_late if {
	some finding in report(late(false, ""))
	finding.path == ["spec", "template", "spec", "serviceAccountName"]
	contains(finding.message, "Job shop/migrate is created before ServiceAccount shop/migrate, which it runs as.")
	finding.related[0].message == "the account has no wave"
}

test_never if {
	some finding in report(late(true, "helm.sh/hook"))
	contains(finding.message, "which is never created")
}

test_in_time if count(report([])) == 0
