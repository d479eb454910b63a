package olm

// SignalKinds returns the kinds that ReadSignals reads, without their group, each with words: an object of the kind that
// contains none of them is not a signal. The caller can keep and change the map.
func SignalKinds() map[string][]string {
	return map[string][]string{
		"CustomResourceDefinition": {"clusterextensions"},
		"Deployment":               {"operator-controller"},
		"ClusterVersion":           {"config.openshift.io"},
		"FeatureGate":              {"config.openshift.io"},
	}
}
