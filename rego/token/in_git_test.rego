package salint.rules.token.in_git_test

import data.salint.rules.token.in_git as rule

holder := {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "robot", "namespace": "ci"}}

token(fields) := object.union(
	{
		"path": ["data", "token"], "namespace": "ci", "account": "robot", "secret": "", "bound_kind": "", "bound_name": "",
		"expires": "2025-03-01T10:00:00Z", "audiences": [], "elsewhere": "",
	},
	fields,
)

report(fields, bindings, admin, now) := found if {
	found := rule.report with input as {"resource": holder, "now": now}
		with salint.ref as "ci/secret.yaml#0/"
		with salint.account_tokens as [token(fields)]
		with salint.bindings_of as bindings
		with salint.bindings_naming as []
		with salint.admin_bindings as admin
}

binding(name, scope) := {"via": "", "scope": scope, "role": {"kind": "ClusterRole", "namespace": "", "name": name}}

test_legacy if {
	some finding in report({"expires": "", "secret": "robot-token"}, [binding("edit", "ci"), binding("view", "")], [], "2025-02-01T00:00:00Z")
	finding.path == ["data", "token"]
	not finding.severity
	finding.message == concat(" ", [
		"Secret ci/robot contains a token of ServiceAccount ci/robot that never expires.",
		"Anyone who reads the repository can act as the account, which has ClusterRole edit in namespace ci and ClusterRole view everywhere.",
		"Delete the Secret on the cluster, which revokes the token (kubectl delete secret robot-token -n ci), and remove the token from Git.",
	])
}

test_bound if {
	some finding in report({"bound_kind": "Pod", "bound_name": "robot-0"}, [], [binding("cluster-admin", "")], "2025-02-01T00:00:00Z")
	contains(finding.message, "valid until 2025-03-01. Anyone who reads the repository can act as the account, which is effectively cluster-admin.")
	contains(finding.message, "kubectl delete pod robot-0 -n ci")
}

test_requested if {
	some finding in report({}, [], [], "2025-02-01T00:00:00Z")
	contains(finding.message, "no binding here gives it a role. Delete the ServiceAccount on the cluster, because nothing else revokes the token before it expires (kubectl delete serviceaccount robot -n ci)")
}

test_expired if {
	some finding in report({}, [], [], "2025-03-01T10:00:00Z")
	finding.severity == "note"
	contains(finding.message, "that expired on 2025-03-01. API servers no longer accept it. Remove it.")
}

test_folder_of_tests if {
	some finding in rule.report with input as {"resource": holder, "now": "2025-02-01T00:00:00Z"}
		with salint.ref as "pkg/testdata/secret.yaml#0/"
		with salint.account_tokens as [token({})]
		with salint.bindings_of as []
		with salint.bindings_naming as []
		with salint.admin_bindings as []
	finding.severity == "note"
}

test_other_audience if {
	some finding in report({"elsewhere": "sts.example.com"}, [binding("edit", "ci")], [], "2025-02-01T00:00:00Z")
	contains(finding.message, "ServiceAccount ci/robot for sts.example.com that is valid until 2025-03-01. Anyone who reads the repository can act as the account there.")
}

test_binding_of_another_unit if {
	binding := {
		"metadata": {"name": "robot", "namespace": "sea"}, "roleRef": {"kind": "Role", "name": "sailor"},
		"subjects": [{"kind": "ServiceAccount", "name": "robot", "namespace": "ci"}, {"kind": "ServiceAccount", "name": "robot", "namespace": "other"}],
	}
	some finding in rule.report with input as {"resource": holder, "now": "2025-02-01T00:00:00Z"}
		with salint.ref as "ci/secret.yaml#0/"
		with salint.account_tokens as [token({})]
		with salint.bindings_of as []
		with salint.bindings_naming as [{"ref": "sea/rbac.yaml#0/", "resource": binding, "other_form": false}]
		with salint.admin_bindings as []
	contains(finding.message, "the account, which has Role sailor in namespace sea.")
}
