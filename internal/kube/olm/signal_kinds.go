package olm

import "sync"

// SignalKinds returns the kinds that ReadSignals reads, without their group, except applications, which are read for what they apply, each with words: an object of the kind that
// contains none of them is not a signal. The caller can keep and change the map.
func SignalKinds() map[string][]string {
	return map[string][]string{
		"CustomResourceDefinition": {"clusterextensions"},
		"Deployment":               {"operator-controller"},
		"ClusterVersion":           {"config.openshift.io"},
		"FeatureGate":              {"config.openshift.io"},
	}
}

// MayHaveSignals reports whether objects of a kind can have signals, of any API group.
func MayHaveSignals(kind string) bool {
	_, may := signalKinds()[kind]
	return may || kind == application || kind == fluxKustomization || kind == fluxSource
}

const (
	application = "Application"
	// These two have signals together, see [ReadFlux].
	fluxKustomization = "Kustomization"
	fluxSource        = "GitRepository"
)

var signalKinds = sync.OnceValue(SignalKinds)
