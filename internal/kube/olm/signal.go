package olm

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// SignalKind is the kind of source of a signal.
type SignalKind string

// The kinds of signals, from the heaviest to the one that never decides the target.
const (
	// CRDSignal is the CustomResourceDefinition of ClusterExtension, which the API server enforces.
	CRDSignal SignalKind = "crd"
	// ImageSignal is the tag of operator-controller's image.
	ImageSignal SignalKind = "image"
	// ReleaseSignal is the address of a release of operator-controller.
	ReleaseSignal SignalKind = "release"
	// ClusterVersionSignal is the version that an OpenShift ClusterVersion requests.
	ClusterVersionSignal SignalKind = "clusterversion"
	// FeatureSetSignal is the feature set of an OpenShift FeatureGate. It names a target only if it enables synthetic identities.
	FeatureSetSignal SignalKind = "featureset"
	// GatesSignal is operator-controller's flag --feature-gates. It names no target.
	GatesSignal SignalKind = "gates"
)

// weights orders the kinds of signals. A schema in the repository defines what the cluster does; a release number defines
// what a cluster of that release does; a feature set is the weakest, because no shipped release has the feature that it enables.
var weights = map[SignalKind]int{
	CRDSignal:            40,
	ImageSignal:          30,
	ReleaseSignal:        25,
	ClusterVersionSignal: 20,
	FeatureSetSignal:     10,
	GatesSignal:          0,
}

// Signal is a field in a manifest that identifies a target.
type Signal struct {
	Kind SignalKind
	// Target is the target that the signal identifies. Its Name is empty if there is none.
	Target Target
	// Weight is the weight of the signal against others.
	Weight int
	// Path leads to the field inside the object.
	Path manifest.Path
	// Gates are the feature gates that the signal turns on or off: operator-controller's own, or OpenShift's.
	Gates map[string]bool
	// Start is what decides whether operator-controller starts, if the signal is its command line.
	Start Start
	// Description describes the field, as the beginning of a sentence: "the CRD clusterextensions requires …".
	Description string
	// FeatureSet is the set of a FeatureGate, and FeatureSets are those with which OpenShift applies a definition; see [InFeatureSet].
	FeatureSet  string
	FeatureSets []string
	// Config is whether a ClusterExtension CRD has spec.config.
	Config FieldState
	// Ref identifies the object; the caller sets it. Signals of one object have the same. It is "" if no object shows the signal, and Place is
	// then where it is, as file:line.
	Ref, Place string
}

func newSignal(kind SignalKind, path manifest.Path, target Target, description string) Signal {
	return Signal{Kind: kind, Target: target, Weight: weights[kind], Path: path, Description: description}
}

// ReadSignals reads the signals of an object, in file order: of a CustomResourceDefinition of ClusterExtension, a
// Deployment of operator-controller, an OpenShift ClusterVersion or FeatureGate, or an Application of Argo CD. Other objects have none.
func ReadSignals(obj *manifest.Node) []Signal {
	group, _, _ := strings.Cut(obj.Get("apiVersion").String(), "/")
	switch obj.Get("kind").String() + "." + group {
	case "CustomResourceDefinition.apiextensions.k8s.io":
		return readCRD(obj)
	case "Deployment.apps":
		return readDeployment(obj)
	case application + ".argoproj.io":
		return readApplication(obj)
	case "ClusterVersion.config.openshift.io":
		return readClusterVersion(obj)
	case "FeatureGate.config.openshift.io":
		return readFeatureGate(obj)
	default:
		return nil
	}
}

// items lists the items of a sequence, also through an alias.
func items(n *manifest.Node) []*manifest.Node {
	if !n.IsSequence() {
		return nil
	}
	var list []*manifest.Node
	for i := 0; ; i++ {
		item := n.Lookup(manifest.Path{index(i)})
		if item == nil {
			return list
		}
		list = append(list, item)
	}
}

// index is the path step to the i-th item of a sequence.
func index(i int) string { return strconv.Itoa(i) }
