package olm

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// SignKind says what a sign was read from.
type SignKind string

// The kinds of signs, from the one that weighs most to the one that decides nothing.
const (
	// CRDSign is the CustomResourceDefinition of ClusterExtension: it is what the API server goes by.
	CRDSign SignKind = "crd"
	// ImageSign is the tag of operator-controller's image.
	ImageSign SignKind = "image"
	// ClusterVersionSign is the version that an OpenShift ClusterVersion asks for.
	ClusterVersionSign SignKind = "clusterversion"
	// FeatureSetSign is the feature set of an OpenShift FeatureGate.
	FeatureSetSign SignKind = "featureset"
	// GatesSign is operator-controller's flag --feature-gates. It names no target.
	GatesSign SignKind = "gates"
)

// weights orders the kinds of signs. A schema in the repository is what the cluster will do; a release number says what
// a cluster of that release would do; a feature set says least, for all it names is a proposal.
var weights = map[SignKind]int{
	CRDSign:            40,
	ImageSign:          30,
	ClusterVersionSign: 20,
	FeatureSetSign:     10,
	GatesSign:          0,
}

// Sign is something in a manifest that reports which target it is for.
type Sign struct {
	Kind SignKind
	// Target is what the sign speaks for. Its Name is empty when the sign names none.
	Target Target
	// Weight says how much the sign counts against others.
	Weight int
	// Path leads to the field inside the object.
	Path manifest.Path
	// Gates are the feature gates that the sign turns on or off: operator-controller's own, or OpenShift's.
	Gates map[string]bool
	// Description says what stands there, as the beginning of a sentence: "the CRD clusterextensions requires …".
	Description string
	// Ref names the object for the caller, who fills it in; signs of one object have the same.
	Ref string
}

func newSign(kind SignKind, path manifest.Path, target Target, description string) Sign {
	return Sign{Kind: kind, Target: target, Weight: weights[kind], Path: path, Description: description}
}

// ReadSigns reads the signs of an object, in the order in which they stand there: of a CustomResourceDefinition of
// ClusterExtension, a Deployment of operator-controller, or an OpenShift ClusterVersion or FeatureGate. Other objects
// have none.
func ReadSigns(obj *manifest.Node) []Sign {
	group, _, _ := strings.Cut(obj.Get("apiVersion").String(), "/")
	switch obj.Get("kind").String() + "." + group {
	case "CustomResourceDefinition.apiextensions.k8s.io":
		return readCRD(obj)
	case "Deployment.apps":
		return readDeployment(obj)
	case "ClusterVersion.config.openshift.io":
		return readClusterVersion(obj)
	case "FeatureGate.config.openshift.io":
		return readFeatureGate(obj)
	default:
		return nil
	}
}

// items lists the items of a sequence, one that stands behind an alias too.
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

// index is the step of a path that leads to the i-th item of a sequence.
func index(i int) string { return strconv.Itoa(i) }
