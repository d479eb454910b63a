package salint.rules.olm.destructive_sync_test

import data.salint.rules.olm.destructive_sync as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.anywhere as testing.anywhere
		with salint.ref as testing.ref
}

harbor := testing.cluster_extension("harbor", {})

annotated(key, value) := testing.alone("ignored", object.union(harbor, {"metadata": {"annotations": {key: value}}}))

test_argo_annotation if {
	some finding in report(annotated("argocd.argoproj.io/sync-options", "ServerSideApply=true, Force=true"))
	finding.path == ["metadata", "annotations", "argocd.argoproj.io/sync-options"]
	startswith(finding.message, "ClusterExtension harbor is synced with Force=true. A change that the API server refuses becomes delete-and-create.")
	some replaced in report(annotated("argocd.argoproj.io/sync-options", "Replace=true"))
	contains(replaced.message, "Objects are replaced")
	contains(replaced.message, "deletes its CustomResourceDefinitions, and every custom resource with them")
}

test_flux_annotation if {
	every value in ["enabled", "Enabled", "true"] {
		count(report(annotated("kustomize.toolkit.fluxcd.io/force", value))) == 1
	}
	count(report(annotated("kustomize.toolkit.fluxcd.io/force", "disabled"))) == 0
}

test_harmless_annotations if {
	every value in ["", "ServerSideApply=true", "Replace=false", "Force=false,Prune=false", "NoReplace=true"] {
		count(report(annotated("argocd.argoproj.io/sync-options", value))) == 0
	}
	count(report(annotated("example.com/sync-options", "Replace=true"))) == 0
	count(report(testing.alone("ignored", harbor))) == 0
}

application(options, source) := {
	"apiVersion": "argoproj.io/v1alpha1",
	"kind": "Application",
	"metadata": {"name": "operators", "namespace": "argocd"},
	"spec": {"source": source, "syncPolicy": {"syncOptions": options}},
}

kustomization(path, source) := {
	"apiVersion": "kustomize.toolkit.fluxcd.io/v1",
	"kind": "Kustomization",
	"metadata": {"name": "operators", "namespace": "flux-system"},
	"spec": {"force": true, "path": path, "sourceRef": {"kind": "GitRepository", "name": source}},
}

syncing(object) := testing.elsewhere(testing.alone("ignored", object), {"apps/harbor/extension.yaml": [harbor]})

test_application_over_an_extension if {
	every path in ["apps", "apps/harbor", "./apps/", "/apps"] {
		some finding in report(syncing(application(["CreateNamespace=true", "Replace=true"], {"path": path})))
		finding.path == ["spec", "syncPolicy", "syncOptions", 1]
		contains(finding.message, "Application argocd/operators syncs apps")
		contains(finding.message, "with Replace=true, and with it ClusterExtension harbor.")
		finding.related[0].ref == "apps/harbor/extension.yaml#0/"
	}
}

test_application_elsewhere if {
	every path in ["app", "apps/harb", "apps/harbor/more", "${PATH}", "{{ path }}"] {
		count(report(syncing(application(["Replace=true"], {"path": path})))) == 0
	}
	count(report(syncing(application(["Replace=true"], {"chart": "harbor"})))) == 0
	count(report(syncing(application(["ServerSideApply=true"], {"path": "apps"})))) == 0
}

test_application_with_several_sources if {
	many := {
		"apiVersion": "argoproj.io/v1alpha1",
		"kind": "Application",
		"metadata": {"name": "operators"},
		"spec": {
			"sources": [{"chart": "x"}, {"path": "apps"}],
			"syncPolicy": {"syncOptions": ["Force=true"]},
		},
	}
	count(report(syncing(many))) == 1
}

test_application_set if {
	set := {
		"apiVersion": "argoproj.io/v1alpha1",
		"kind": "ApplicationSet",
		"metadata": {"name": "operators"},
		"spec": {"template": application(["Force=true"], {"path": "apps"})},
	}
	some finding in report(syncing(set))
	finding.path == ["spec", "template", "spec", "syncPolicy", "syncOptions", 0]
}

test_application_over_the_whole_repository if {
	count(report(syncing(application(["Replace=true"], {"path": "."})))) == 0
	recursive := {"path": ".", "directory": {"recurse": true}}
	count(report(syncing(application(["Replace=true"], recursive)))) == 1
	beside := {"a.yaml": [application(["Replace=true"], {"path": "."})], "extension.yaml": [harbor]}
	count(report(testing.judge("ignored", beside, "a.yaml#0/"))) == 1
}

test_flux_kustomization if {
	some finding in report(syncing(kustomization("./apps", "repo")))
	finding.path == ["spec", "force"]
	contains(finding.message, "Kustomization flux-system/operators syncs apps with force: true, and with it")
	count(report(syncing(kustomization("./", "repo")))) == 0
	count(report(syncing(kustomization("./", "flux-system")))) == 1
	count(report(syncing(kustomization("./clusters", "flux-system")))) == 0
	calm := object.union(kustomization("./apps", "repo"), {"spec": {"force": false}})
	count(report(syncing(calm))) == 0
}

# The extension of a base, as the unit of an overlay has it.
overlay(sync, root) := object.union(
	testing.elsewhere(
		testing.judge("ignored", {"base/extension.yaml": [harbor]}, "base/extension.yaml#0/"),
		{"clusters/apps.yaml": [sync]},
	),
	{"unit": {"kind": "kustomization", "root": root, "name": root}},
)

test_extension_of_a_base_is_reported_at_what_syncs_its_overlay if {
	some finding in report(overlay(application(["Replace=true"], {"path": "overlays/prod"}), "overlays/prod"))
	finding.ref == "clusters/apps.yaml#0/"
	finding.path == ["spec", "syncPolicy", "syncOptions", 0]
	finding.related[0].ref == "base/extension.yaml#0/"
	count(report(overlay(kustomization("overlays", "repo"), "overlays/prod"))) == 1
}

test_overlay_that_something_else_syncs if {
	count(report(overlay(application(["Replace=true"], {"path": "overlays/dev"}), "overlays/prod"))) == 0
	count(report(overlay(application(["Replace=true"], {"path": "overlays"}), "overlays/prod"))) == 0
	count(report(overlay(application(["Replace=true"], {"path": "base"}), "overlays/prod"))) == 0
}
