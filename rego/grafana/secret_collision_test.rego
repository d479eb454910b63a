package salint.rules.grafana.secret_collision_test

import data.salint.rules.grafana.secret_collision as rule
import data.salint.testing

report(world) := found if {
	found := rule.report with input as world
		with salint.find as testing.find
		with salint.anywhere as testing.anywhere
		with salint.lookup as testing.find
		with salint.ref as testing.ref
}

account(name, tokens) := testing.grafana_account(name, {"instanceName": "grafana", "tokens": tokens})

token(name, secret) := {"name": name, "secretName": secret}

secret(name) := {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": "monitoring"}}

# The rule checks units, so it is evaluated for an arbitrary object.
found(files) := report(testing.judge("ignored", object.union({"a.yaml": [anything]}, files), "a.yaml#0/"))

anything := {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "anything"}}

parties(files) := {[finding.ref, finding.path] | some finding in found(files)}

test_two_accounts if {
	parties({"a.yaml": [account("a", [token("x", "s")]), account("b", [token("y", "other"), token("z", "s")])]}) == {
		["a.yaml#0/", ["spec", "tokens", 0, "secretName"]],
		["a.yaml#1/", ["spec", "tokens", 1, "secretName"]],
	}
}

test_one_account if {
	parties({"a.yaml": [account("a", [token("x", "s"), token("y", "s")])]}) == {
		["a.yaml#0/", ["spec", "tokens", 0, "secretName"]],
		["a.yaml#0/", ["spec", "tokens", 1, "secretName"]],
	}
}

test_manifest if {
	files := {"a.yaml": [account("a", [token("x", "s")])], "b.yaml": [secret("s")]}
	parties(files) == {
		["a.yaml#0/", ["spec", "tokens", 0, "secretName"]],
		["b.yaml#0/", ["metadata", "name"]],
	}
	every finding in found(files) { count(finding.related) == 1 }
}

external(name, target) := {
	"apiVersion": "external-secrets.io/v1",
	"kind": "ExternalSecret",
	"metadata": {"name": name, "namespace": "monitoring"},
	"spec": {"target": target},
}

sealed(name) := {"apiVersion": "bitnami.com/v1alpha1", "kind": "SealedSecret", "metadata": {"name": name, "namespace": "monitoring"}}

test_creators_of_the_secret if {
	every row in [
		[external("s", {}), ["metadata", "name"]],
		[external("other", {"name": "s"}), ["spec", "target", "name"]],
		[external("s", {"creationPolicy": "Orphan"}), ["metadata", "name"]],
		[object.remove(external("s", {}), ["spec"]), ["metadata", "name"]],
		[sealed("s"), ["metadata", "name"]],
	] {
		files := {"a.yaml": [account("a", [token("x", "s")])], "b.yaml": [row[0]]}
		parties(files) == {["a.yaml#0/", ["spec", "tokens", 0, "secretName"]], ["b.yaml#0/", row[1]]}
	}
}

test_creators_of_other_secrets if {
	every maker in [
		external("s", {"name": "other"}),
		external("s", {"creationPolicy": "Merge"}),
		external("s", {"creationPolicy": "None"}),
		external("${S}", {}),
		object.union(external("s", {}), {"apiVersion": "example.com/v1"}),
		object.union(external("s", {}), {"metadata": {"namespace": "other"}}),
		sealed("other"),
	] {
		count(found({"a.yaml": [account("a", [token("x", "s")]), maker]})) == 0
	}
}

test_password_of_the_administrator if {
	taken := account("a", [token("x", "grafana-admin-credentials")])
	parties({"a.yaml": [taken], "b.yaml": [testing.grafana("grafana", "monitoring", {})]}) == {
		["a.yaml#0/", ["spec", "tokens", 0, "secretName"]],
		["b.yaml#0/", ["metadata", "name"]],
	}
	every spec in [{"disableDefaultAdminSecret": true}, {"external": {"url": "https://grafana.example.com"}}] {
		count(found({"a.yaml": [taken], "b.yaml": [testing.grafana("grafana", "monitoring", spec)]})) == 0
	}
	count(found({"a.yaml": [taken], "b.yaml": [testing.grafana("other", "monitoring", {})]})) == 0
	count(found({"a.yaml": [taken], "b.yaml": [testing.grafana("grafana", "other", {})]})) == 0
}

test_no_collision if {
	every files in [
		{"a.yaml": [account("a", [token("x", "s"), token("y", "t"), {"name": "z"}, {"name": "w"}])]},
		{"a.yaml": [account("a", [token("x", "${S}")]), account("b", [token("x", "${S}")])]},
		{"a.yaml": [account("a", [token("x", "s")]), object.union(secret("s"), {"metadata": {"namespace": "other"}})]},
		{"a.yaml": [account("a", [token("x", "s")]), object.union(secret("s"), {"kind": "ConfigMap"})]},
		{"a.yaml": [account("a", [token("x", "s")]), testing.in_namespace(account("b", [token("x", "s")]), "other")]},
		{"a.yaml": [account("a", [token("x", "s")]), testing.in_namespace(account("b", [token("x", "s")]), "")]},
	] {
		count(found(files)) == 0
	}
}

test_copies if {
	count(found({"dev/a.yaml": [account("a", [token("x", "s")])], "a.yaml": [account("a", [token("x", "s")])]})) == 0
}

test_several_clusters if {
	count(found({"dev/a.yaml": [account("a", [token("x", "s")])], "prod/a.yaml": [account("b", [token("x", "s")])]})) == 0
	files := {
		"dev/a.yaml": [account("a", [token("x", "s")])],
		"prod/a.yaml": [account("a", [token("x", "s")])],
		"prod/secret.yaml": [secret("s")],
	}
	parties(files) == {
		["prod/a.yaml#0/", ["spec", "tokens", 0, "secretName"]],
		["prod/secret.yaml#0/", ["metadata", "name"]],
	}
}

test_one_grafana_for_both_folders if {
	count(found({
		"grafana.yaml": [testing.grafana("grafana", "monitoring", {})],
		"x/a.yaml": [account("a", [token("x", "s")])], "y/a.yaml": [account("b", [token("x", "s")])],
	})) == 2
}

test_distant_folders if {
	grafanas := [testing.grafana("grafana", "monitoring", {}), testing.grafana("other", "monitoring", {})]
	other := object.union(account("b", [token("x", "s")]), {"spec": {"instanceName": "other"}})
	parties({"grafanas.yaml": grafanas, "x/a.yaml": [account("a", [token("x", "s")])], "y/a.yaml": [other, secret("s")]}) == {
		["y/a.yaml#0/", ["spec", "tokens", 0, "secretName"]],
		["y/a.yaml#1/", ["metadata", "name"]],
	}
}

test_kustomization if {
	world := testing.judge(
		"ignored",
		{"x/a.yaml": [account("a", [token("x", "s")])], "y/a.yaml": [account("b", [token("x", "s")]), secret("s")]},
		"x/a.yaml#0/",
	)
	count(report(testing.kustomized(world))) == 3
}
