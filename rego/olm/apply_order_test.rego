package salint.rules.olm.apply_order_test

import data.salint.rules.olm.apply_order as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.extension as testing.extension
		with salint.identity as testing.identity
		with salint.bindings_of as testing.bindings_of
		with salint.find as testing.find
		with salint.lookup as testing.find
		with salint.anywhere as testing.anywhere
		with salint.ref as testing.ref
		with salint.runtime as testing.runtime
		with salint.signs as testing.signs
}

annotated(resource, annotations) := object.union(resource, {"metadata": {"annotations": annotations}})

wave(number) := {"argocd.argoproj.io/sync-wave": number}

hook(name) := {"argocd.argoproj.io/hook": name}

helm(name, weight) := {"helm.sh/hook": name, "helm.sh/hook-weight": weight}

harbor := testing.cluster_extension("harbor", {})

binding := testing.cluster_role_binding("harbor", "installer", [testing.user("olm:clusterextension:harbor")])

role := testing.cluster_role("installer", [])

synthetic(extension_at, binding_at, role_at) := testing.judge(
	"synthetic",
	{"a.yaml": [annotated(harbor, extension_at), annotated(binding, binding_at), annotated(role, role_at)]},
	"a.yaml#0/",
)

test_binding_in_a_later_wave if {
	some finding in report(synthetic({}, wave("5"), {}))
	finding.ref == "a.yaml#1/"
	finding.path == ["metadata", "annotations", "argocd.argoproj.io/sync-wave"]
	startswith(finding.message, concat(" ", [
		"ClusterRoleBinding harbor (argocd.argoproj.io/sync-wave: 5) is applied after",
		"ClusterExtension harbor (no wave and no hook), which needs it:",
	]))
	finding.related[0].ref == "a.yaml#0/"
	contains(finding.unfixable, "not one that salint generated")
}

test_role_in_a_later_wave if {
	some finding in report(synthetic({}, {}, wave("1")))
	finding.ref == "a.yaml#2/"
}

test_extension_that_comes_early if {
	found := report(synthetic(wave("-1"), {}, {}))
	{finding.ref | some finding in found} == {"a.yaml#1/", "a.yaml#2/"}
	every finding in found { finding.path == ["metadata", "name"] }
}

test_same_place_or_earlier if {
	every world in [
		synthetic({}, {}, {}),
		synthetic(wave("5"), wave("5"), wave("5")),
		synthetic(wave("10"), wave("9"), wave("-9")),
		synthetic({}, hook("PreSync"), hook("Sync")),
		synthetic({}, helm("pre-install,pre-upgrade", "5"), {}),
		synthetic(helm("post-install", "0"), {}, helm("post-install", "-1")),
		synthetic({}, wave("five"), {}),
		synthetic({}, helm("test", "5"), hook("PostDelete")),
	] {
		count(report(world)) == 0
	}
}

test_later_hooks if {
	every world in [
		synthetic({}, hook("PostSync"), {}),
		synthetic(hook("PreSync"), {}, hook("PreSync")),
		synthetic({}, helm("post-install", "0"), {}),
		synthetic(helm("pre-install", "0"), helm("pre-install", "1"), helm("pre-upgrade", "-2")),
	] {
		count(report(world)) == 1
	}
}

test_generated_binding_is_aligned if {
	generated := object.union(binding, {"metadata": {
		"annotations": wave("5"),
		"labels": {"app.kubernetes.io/managed-by": "salint"},
	}})
	world := testing.judge("synthetic", {"a.yaml": [annotated(harbor, wave("2")), generated]}, "a.yaml#0/")
	some finding in report(world)
	not finding.unfixable
}

test_account_and_its_binding if {
	subject := testing.account_subject("harbor-system", "harbor-installer")
	files := {"a.yaml": [
		testing.cluster_extension("harbor", testing.installed_as("harbor-installer")),
		annotated(testing.service_account("harbor-system", "harbor-installer"), wave("1")),
		annotated(testing.cluster_role_binding("harbor", "installer", [subject]), wave("1")),
	]}
	every model in {"required", "synthetic"} {
		found := report(testing.judge(model, files, "a.yaml#0/"))
		{finding.ref | some finding in found} == {"a.yaml#1/", "a.yaml#2/"}
	}
	every model in {"ignored", "removed"} {
		count(report(testing.judge(model, files, "a.yaml#0/"))) == 0
	}
}

test_grants_of_others if {
	other := annotated(testing.cluster_role_binding("other", "other", [testing.user("admin")]), wave("5"))
	count(report(testing.judge("synthetic", {"a.yaml": [harbor, other]}, "a.yaml#0/"))) == 0
}

stage(name, path, needs) := {
	"apiVersion": "kustomize.toolkit.fluxcd.io/v1",
	"kind": "Kustomization",
	"metadata": {"name": name, "namespace": "flux-system"},
	"spec": {"path": path, "dependsOn": needs},
}

staged(stages) := testing.judge(
	"synthetic",
	{"apps/a.yaml": [harbor], "access/b.yaml": [binding], "clusters/c.yaml": stages},
	"apps/a.yaml#0/",
)

test_later_flux_stage if {
	some finding in report(staged([
		stage("apps", "./apps", []),
		stage("access", "./access", [{"name": "middle"}]),
		stage("middle", "./middle", [{"name": "apps", "namespace": "flux-system"}]),
	]))
	finding.ref == "access/b.yaml#0/"
	contains(finding.message, "Kustomization flux-system/access, which applies it, depends on the one that applies the extension.")
	finding.related[1].ref == "clusters/c.yaml#1/"
}

test_stages_of_another_cluster_have_the_same_names if {
	prod := [stage("apps", "./apps", []), stage("access", "./access", [])]
	dev := [stage("apps", "./dev", []), stage("access", "./dev", [{"name": "apps"}])]
	world := object.union(staged(prod), {"files": {"dev/c.yaml": dev}})
	count(report(world)) == 0
}

test_flux_stage_that_does_not_come_later if {
	every stages in [
		[],
		[stage("apps", "./apps", []), stage("access", "./access", [])],
		[stage("apps", "./apps", [{"name": "access"}]), stage("access", "./access", [])],
		[stage("all", ".", []), stage("apps", "./apps", []), stage("access", "./access", [{"name": "other"}])],
		[stage("access", "./access", [{"name": "apps"}])],
	] {
		count(report(staged(stages))) == 0
	}
}
