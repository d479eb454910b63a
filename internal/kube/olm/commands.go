package olm

// Commands that print which release a cluster runs. The first one prints the image of operator-controller, whose tag is the
// release. The last one works on any cluster, and shows the schema that the API server enforces.
const (
	UpstreamReleaseCommand  = "kubectl get deployments -A -o wide | grep operator-controller"
	OpenShiftReleaseCommand = "oc get clusterversion"
	SchemaCommand           = "kubectl get crd clusterextensions.olm.operatorframework.io -o yaml"
)
