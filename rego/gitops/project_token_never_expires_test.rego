package salint.rules.gitops.project_token_never_expires_test

import data.salint.rules.gitops.project_token_never_expires as rule
import data.salint.testing

project(roles) := {
	"apiVersion": "argoproj.io/v1alpha1", "kind": "AppProject",
	"metadata": {"name": "shop", "namespace": "argocd"}, "spec": {"roles": roles},
}

report(world) := found if {
	found := rule.report with input as world
}

found(tokens) := report(testing.alone("ignored", project([{"name": "ci", "jwtTokens": tokens}])))

test_without_expiry if {
	every token in [{"iat": 1}, {"iat": 1, "exp": 0}, {"iat": 1, "exp": null}] {
		some finding in found([{"iat": 1, "exp": 2}, token])
		finding.path == ["spec", "roles", 0, "jwtTokens", 1]
		contains(finding.message, "A token of role ci of AppProject argocd/shop never expires.")
	}
}

test_with_expiry if {
	every token in [{"iat": 1, "exp": 2}, {"iat": 1, "exp": "{{ .Values.exp }}"}, "text"] { count(found([token])) == 0 }
	count(found([])) == 0
	count(report(testing.alone("ignored", project([{"name": "ci"}, "text"])))) == 0
}

test_role_without_a_name if {
	some finding in report(testing.alone("ignored", project([{"jwtTokens": [{"iat": 1}]}])))
	contains(finding.message, "A token of a role of AppProject")
}

test_patch if count(report(testing.transformed(testing.alone("ignored", project([{"name": "ci", "jwtTokens": [{"iat": 1}]}]))))) == 0
