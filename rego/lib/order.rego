# The order in which Argo CD and Helm apply objects. A rank is [phase, wave]; ranks compare as arrays do.
package salint.lib.order

# keys are the annotations that place an object in the order.
keys := [
	"argocd.argoproj.io/hook", "argocd.argoproj.io/sync-wave",
	"helm.sh/hook", "helm.sh/hook-weight",
]

# argo is the rank in a sync of Argo CD: the phase of the hook, then the wave. What is no hook is applied in the phase
# Sync; what is a hook of a failed sync or of a deletion only is never applied by a sync that succeeds.
argo_phases := {"PreSync": 0, "Sync": 1, "PostSync": 2}

argo(resource) := [phase, wave(resource, "argocd.argoproj.io/sync-wave")] if {
	phase := first_phase(resource, "argocd.argoproj.io/hook", argo_phases, 1)
}

# helm is the rank in a release: hooks before it, the release itself, hooks after it, and the weight among hooks.
helm_phases := {
	"pre-install": 0, "pre-upgrade": 0,
	"post-install": 2, "post-upgrade": 2,
}

helm(resource) := [1, 0] if not resource.metadata.annotations["helm.sh/hook"]

helm(resource) := [phase, wave(resource, "helm.sh/hook-weight")] if {
	resource.metadata.annotations["helm.sh/hook"]
	phase := first_phase(resource, "helm.sh/hook", helm_phases, 1)
}

# first_phase is the earliest of the phases that an annotation lists.
first_phase(resource, key, _, unmarked) := unmarked if not resource.metadata.annotations[key]

first_phase(resource, key, phases, _) := min(known) if {
	known := {phases[trim_space(hook)] | some hook in split(resource.metadata.annotations[key], ",")}
	count(known) > 0
}

# wave is a whole number, as text or not; 0 where there is none, or one that nobody can read.
wave(resource, key) := to_number(text) if {
	text := resource.metadata.annotations[key]
	regex.match(`^[+-]?\d+$`, sprintf("%v", [text]))
} else := 0

# later tells that the first object is applied after the second, by Argo CD or by Helm.
later(resource, other) if argo(resource) > argo(other)

later(resource, other) if helm(resource) > helm(other)

# place is how messages describe where in the order an object stands.
place(resource) := concat(", ", marks) if {
	marks := [mark | some key in keys; mark := sprintf("%s: %v", [key, resource.metadata.annotations[key]])]
	count(marks) > 0
} else := "no wave and no hook"
