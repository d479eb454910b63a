package salint.rules.olm.apply_order_test

import data.salint.rules.olm.apply_order as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.late_grants as testing.late_grants
		with salint.ref as testing.ref
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

harbor := testing.cluster_extension("harbor", {})

binding := testing.cluster_role_binding("harbor", "installer", [testing.user("olm:clusterextension:harbor")])

later := {
	"ref": "a.yaml#1/", "never": false, "together": true,
	"why": "the grant has argocd.argoproj.io/sync-wave: 5, and the extension no wave and no hook",
}

late(model, grant, how) := testing.with_late(
	testing.judge(model, {"a.yaml": [harbor, grant], "clusters/c.yaml": [{"kind": "Kustomization"}]}, "a.yaml#0/"),
	[object.union(later, how)],
)

test_binding_in_a_later_wave if {
	some finding in report(late("synthetic", binding, {"annotation": "argocd.argoproj.io/sync-wave"}))
	finding.ref == "a.yaml#1/"
	finding.path == ["metadata", "annotations", "argocd.argoproj.io/sync-wave"]
	finding.message == concat(" ", [
		"ClusterRoleBinding harbor is applied after ClusterExtension harbor:",
		"the grant has argocd.argoproj.io/sync-wave: 5, and the extension no wave and no hook.",
		"Until then, OLM lacks permissions. Apply it in the same wave and hook, or earlier,",
		"because a sync that waits for the extension never reaches the grant.",
	])
	[related.ref | some related in finding.related] == ["a.yaml#0/"]
	contains(finding.unfixable, "salint did not generate the object")
}

test_extension_that_comes_early if {
	some finding in report(late("synthetic", binding, {}))
	finding.path == ["metadata", "name"]
}

test_grant_that_is_never_applied if {
	some finding in report(late("synthetic", binding, {"never": true, "why": "a hook of this kind is not run"}))
	startswith(finding.message, concat(" ", [
		"ClusterRoleBinding harbor is never applied, but ClusterExtension harbor needs it: a hook of this kind is not run.",
		"OLM lacks permissions without it.",
	]))
}

test_generated_binding_is_aligned if {
	generated := object.union(binding, {"metadata": {"labels": {"app.kubernetes.io/managed-by": "salint"}}})
	some finding in report(late("synthetic", generated, {}))
	not finding.unfixable
	not "fix" in object.keys(finding)
}

test_application_that_comes_later if {
	place := {"ref": "clusters/c.yaml#0/", "path": ["spec", "dependsOn", 0]}
	some finding in report(late("synthetic", binding, {"together": false, "place": place}))
	finding.fix == null
	not finding.unfixable
	[related.ref | some related in finding.related] == ["a.yaml#0/", "clusters/c.yaml#0/"]
	finding.related[1].path == ["spec", "dependsOn", 0]
	endswith(finding.message, "Apply it with the extension, or earlier, because a sync that waits for the extension never reaches the grant.")
}

test_models_without_an_identity if {
	every model in {"ignored", "removed"} {
		count(report(late(model, binding, {}))) == 0
	}
}

test_nothing_late if count(report(testing.alone("synthetic", harbor))) == 0
