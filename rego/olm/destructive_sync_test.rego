package salint.rules.olm.destructive_sync_test

import data.salint.rules.olm.destructive_sync as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.sync_dangers as testing.sync_dangers
		with salint.endangered as testing.endangered
}

harbor := testing.cluster_extension("harbor", {})

quay := testing.cluster_extension("quay", {})

danger(path, what, effect) := {"path": path, "what": what, "effect": effect}

annotation := ["metadata", "annotations", "argocd.argoproj.io/sync-options"]

test_option_of_the_extension if {
	world := testing.with_dangers(testing.alone("ignored", harbor), [danger(annotation, "Force=true and Replace=true", "force")])
	[finding] := [finding | some finding in report(world)]
	finding.path == annotation
	startswith(finding.message, concat(" ", [
		"ClusterExtension harbor is synced with Force=true and Replace=true.",
		"A rejected change deletes the extension,",
	]))
	contains(finding.message, "with its CustomResourceDefinitions and all custom resources. Apply extensions without this option.")
}

test_extension_without_options if count(report(testing.alone("ignored", harbor))) == 0

application := {
	"apiVersion": "argoproj.io/v1alpha1",
	"kind": "Application",
	"metadata": {"name": "operators", "namespace": "argocd"},
	"spec": {"syncPolicy": {"syncOptions": ["Replace=true"]}},
}

applying(dangers) := testing.with_dangers(
	testing.judge("ignored", {"apps.yaml": [application], "harbor.yaml": [harbor], "quay.yaml": [quay]}, "apps.yaml#0/"),
	dangers,
)

test_option_of_an_application_is_one_finding if {
	path := ["spec", "syncPolicy", "syncOptions", 0]
	[finding] := [finding | some finding in report(applying([danger(path, "Replace=true", "replace")]))]
	finding.path == path
	startswith(finding.message, concat(" ", [
		"Application argocd/operators sets Replace=true for ClusterExtension harbor and ClusterExtension quay.",
		"Replacing an extension can delete it",
	]))
	finding.related == [
		{"ref": "harbor.yaml#0/", "path": [], "message": "ClusterExtension harbor is applied with this option"},
		{"ref": "quay.yaml#0/", "path": [], "message": "ClusterExtension quay is applied with this option"},
	]
}

test_each_line_is_a_finding if {
	dangers := [
		danger(["spec", "upgrade", "force"], "upgrade.force: true", "replace"),
		danger(["spec", "upgrade", "remediation", "strategy"], "upgrade.remediation.strategy: uninstall", "uninstall"),
	]
	found := report(applying(dangers))
	count(found) == 2
	some finding in found
	contains(finding.message, "A failed upgrade uninstalls the extension, with its CustomResourceDefinitions")
}

test_application_without_options if count(report(applying([]))) == 0
