# What places an object in the order in which Argo CD and Helm apply objects. Which comes first is told by
# salint.late_grants.
package salint.lib.order

# keys are the annotations that do.
keys := [
	"argocd.argoproj.io/hook", "argocd.argoproj.io/sync-wave",
	"helm.sh/hook", "helm.sh/hook-weight",
]

# path leads to the first of them that an object has; without one to its name.
path(resource) := ["metadata", "annotations", key] if {
	key := [key | some key in keys; resource.metadata.annotations[key]][0]
} else := ["metadata", "name"]
