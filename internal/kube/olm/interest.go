package olm

// SignKinds are the kinds that ReadSigns reads, without their group, each with the words without one of which an object
// of the kind is no sign. The caller may keep and change the map.
func SignKinds() map[string][]string {
	return map[string][]string{
		"CustomResourceDefinition": {"clusterextensions"},
		"Deployment":               {"operator-controller"},
		"ClusterVersion":           {"config.openshift.io"},
		"FeatureGate":              {"config.openshift.io"},
	}
}
