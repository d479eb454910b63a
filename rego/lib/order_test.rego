package salint.lib.order_test

import data.salint.lib.order

object_with(annotations) := {"metadata": {"annotations": annotations}}

test_argo if {
	wanted := [
		[{}, [1, 0]],
		[{"argocd.argoproj.io/sync-wave": "3"}, [1, 3]],
		[{"argocd.argoproj.io/sync-wave": "-3"}, [1, -3]],
		[{"argocd.argoproj.io/sync-wave": "soon"}, [1, 0]],
		[{"argocd.argoproj.io/hook": "PreSync"}, [0, 0]],
		[{"argocd.argoproj.io/hook": "PostSync, Sync", "argocd.argoproj.io/sync-wave": "1"}, [1, 1]],
		[{"argocd.argoproj.io/hook": "PostSync,SyncFail"}, [2, 0]],
	]
	every row in wanted { order.argo(object_with(row[0])) == row[1] }
	order.argo({"kind": "Any"}) == [1, 0]
	not order.argo(object_with({"argocd.argoproj.io/hook": "SyncFail"}))
}

test_helm if {
	wanted := [
		[{}, [1, 0]],
		[{"helm.sh/hook-weight": "5"}, [1, 0]],
		[{"helm.sh/hook": "pre-install"}, [0, 0]],
		[{"helm.sh/hook": "post-install,post-upgrade", "helm.sh/hook-weight": "5"}, [2, 5]],
		[{"helm.sh/hook": "pre-upgrade, post-install", "helm.sh/hook-weight": "-5"}, [0, -5]],
	]
	every row in wanted { order.helm(object_with(row[0])) == row[1] }
	not order.helm(object_with({"helm.sh/hook": "test"}))
}

test_later if {
	order.later(object_with({"argocd.argoproj.io/sync-wave": "10"}), object_with({"argocd.argoproj.io/sync-wave": "9"}))
	order.later(object_with({}), object_with({"helm.sh/hook": "pre-install"}))
	not order.later(object_with({}), object_with({}))
	not order.later(object_with({"argocd.argoproj.io/sync-wave": "-1"}), object_with({}))
}

test_place if {
	order.place(object_with({})) == "no wave and no hook"
	order.place(object_with({"other": "x"})) == "no wave and no hook"
	both := {"helm.sh/hook": "pre-install", "argocd.argoproj.io/sync-wave": "5"}
	order.place(object_with(both)) == "argocd.argoproj.io/sync-wave: 5, helm.sh/hook: pre-install"
}
