package salint.helpers.bundles_test

import data.salint.helpers.bundles

test_called if {
	bundles.called({"name": "harbor.v1.0.0", "dir": "bundles/harbor"}) == "its bundle harbor.v1.0.0 (bundles/harbor)"
	bundles.called({"name": "", "dir": "overlays/harbor"}) == "the manifests in overlays/harbor"
	bundles.called_with({"name": "harbor.v1.0.0", "dir": "bundles/harbor"}, "needs", "need") == "its bundle harbor.v1.0.0 (bundles/harbor) needs"
	bundles.called_with({"name": "", "dir": "overlays/harbor"}, "needs", "need") == "the manifests in overlays/harbor need"
}

test_rules_text if {
	scopes := [
		{"namespace": "", "texts": ["get pods", "list nodes"]},
		{"namespace": "harbor", "texts": ["create secrets", "update secrets"]},
	]
	bundles.rules_text(scopes) == concat("; ", [
		"get pods in the whole cluster", "list nodes in the whole cluster", "create secrets in namespace harbor", "and 1 more",
	])
	bundles.rules_text([scopes[0]]) == "get pods in the whole cluster; list nodes in the whole cluster"
}
