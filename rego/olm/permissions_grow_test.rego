package salint.rules.olm.permissions_grow_test

import data.salint.rules.olm.permissions_grow as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.bundle as testing.bundle
		with salint.bundle_growth as testing.bundle_growth
}

named := testing.cluster_extension("harbor", testing.installed_as("harbor-installer"))

pinned := object.union(named, {"spec": {"source": {"catalog": {"packageName": "harbor", "version": "1.2.0"}}}})

world(model, extension, growth) := testing.with_growth(testing.with_bundle(testing.alone(model, extension), {}), growth)

secrets := {
	"title": "account harbor-system/harbor, everywhere", "dangers": ["reads Secrets", "more"],
	"texts": ["get secrets"],
}

lamps := {"title": "CustomResourceDefinition lamps.example.com", "dangers": [], "texts": []}

test_growth_under_every_model if {
	every model in {"required", "synthetic", "ignored", "removed"} {
		some finding in report(world(model, pinned, [secrets, lamps]))
		finding.path == ["spec", "source", "catalog", "version"]
		startswith(finding.message, concat(" ", [
			"ClusterExtension harbor: its bundle harbor.v1.2.0 (bundles/harbor) requires more than at the base revision",
			"(1 dangerous change).",
		]))
		endswith(finding.message, concat(" ", [
			"Review with `salint bundle-diff OLD NEW`:",
			"account harbor-system/harbor, everywhere (reads Secrets): get secrets; CustomResourceDefinition lamps.example.com.",
		]))
		[place.file | some place in finding.causes] == ["bundles/harbor/manifests/csv.yaml", "bundles/harbor"]
	}
}

test_consequences if {
	some ignored in report(world("ignored", named, [lamps]))
	ignored.path == ["spec", "source", "catalog", "packageName"]
	contains(ignored.message, "OLM acts as its own cluster-admin account, so nothing limits it.")
	not contains(ignored.message, "dangerous")
	some required in report(world("required", named, [secrets, secrets]))
	contains(required.message, "The identity that installs it needs the same permissions.")
	contains(required.message, "(2 dangerous changes)")
	some unknown in report(testing.unknown(world("required", named, [lamps])))
	contains(unknown.message, "Nothing limits it, or the identity that installs it needs the same permissions, depending on the release.")
}

test_nothing_grows if {
	count(report(world("ignored", named, []))) == 0
	count(report(testing.with_bundle(testing.alone("ignored", named), {}))) == 0
}
