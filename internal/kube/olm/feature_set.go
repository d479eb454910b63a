package olm

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// featureSetAnnotation lists the feature sets for which a manifest of OpenShift's payload is applied, separated by commas. Source:
// openshift/library-go, pkg/manifest (the annotation), openshift/api, payload-manifests.
var featureSetAnnotation = manifest.Path{"metadata", "annotations", "release.openshift.io/feature-set"}

// featureSetsOf returns the feature sets for which an object is applied; none if it is always applied.
func featureSetsOf(obj *manifest.Node) []string {
	return strings.FieldsFunc(obj.Lookup(featureSetAnnotation).String(), func(r rune) bool { return r == ',' || r == ' ' })
}

// InFeatureSet leaves out the signals of definitions that OpenShift applies with another feature set than that of the FeatureGate
// among the signals. Without a FeatureGate, the default set counts if a definition is for it. The other signals keep their order.
func InFeatureSet(signals []Signal) []Signal {
	if !slices.ContainsFunc(signals, func(s Signal) bool { return len(s.FeatureSets) > 0 }) {
		return signals
	}
	set, known := featureSetDefault, slices.ContainsFunc(signals, func(s Signal) bool { return slices.Contains(s.FeatureSets, featureSetDefault) })
	for i, s := range signals {
		if s.Kind != FeatureSetSignal {
			continue
		}
		if other := slices.ContainsFunc(signals[:i], func(o Signal) bool { return o.FeatureSet != "" && o.FeatureSet != s.FeatureSet }); other {
			return signals
		}
		set, known = s.FeatureSet, true
	}
	if !known {
		return signals
	}
	return slices.DeleteFunc(slices.Clone(signals), func(s Signal) bool {
		return len(s.FeatureSets) > 0 && !slices.Contains(s.FeatureSets, set)
	})
}
