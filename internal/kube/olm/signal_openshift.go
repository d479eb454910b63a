package olm

import (
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// versionField is a field of a ClusterVersion that identifies the intended version.
type versionField struct {
	path   manifest.Path
	phrase string
}

// versionFields are in the order of precedence. The requested version comes before the reported one. The channel comes
// last: it is set to the next release before the upgrade is requested.
var versionFields = []versionField{
	{manifest.Path{"spec", "desiredUpdate", "version"}, "ClusterVersion requests version "},
	{manifest.Path{"status", "desired", "version"}, "ClusterVersion reports version "},
	{manifest.Path{"status", "history", "0", "version"}, "ClusterVersion reports version "},
	{manifest.Path{"spec", "channel"}, "ClusterVersion follows the channel "},
}

// A version such as 4.20.3 or 4.21.0-rc.1, or a channel such as stable-4.20.
var openshiftVersion = lazyregexp.New(`^(?:[a-z]+-)?(\d{1,4})\.(\d{1,4})(?:\.[0-9A-Za-z.+-]*)?$`)

func readClusterVersion(obj *manifest.Node) []Signal {
	for _, wanted := range versionFields {
		text := obj.Lookup(wanted.path).String()
		m := openshiftVersion().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		target, ok := signalTarget(release{family: openshift, major: number(m[1]), minor: number(m[2])})
		if !ok {
			// Before 4.18 OLM v1 was a preview, which the table does not contain.
			return nil
		}
		return []Signal{newSignal(ClusterVersionSignal, wanted.path, target, wanted.phrase+text)}
	}
	return nil
}

const (
	featureSetDefault = "Default"
	featureSetCustom  = "CustomNoUpgrade"
	// featureSetTech and featureSetDev are the sets with unreleased features; the second includes the first.
	featureSetTech = "TechPreviewNoUpgrade"
	featureSetDev  = "DevPreviewNoUpgrade"
)

var customGates = manifest.Path{"spec", "customNoUpgrade"}

// readFeatureGate reads OpenShift's FeatureGate. A feature set identifies no target: the CRDs of the shipped releases are the same
// with and without unreleased features, and the proposal that ties synthetic identities to TechPreviewNoUpgrade was closed. A
// user who enables their gate by its name relies on them.
func readFeatureGate(obj *manifest.Node) []Signal {
	if !obj.Get("spec").IsMapping() {
		return nil
	}
	path := manifest.Path{"spec", "featureSet"}
	set := obj.Lookup(path).String()
	if set == "" && !isTemplateNode(obj.Lookup(path)) {
		set = featureSetDefault
	}
	var signal Signal
	switch set {
	case featureSetTech, featureSetDev:
		signal = newSignal(FeatureSetSignal, path, Target{}, "FeatureGate has the feature set "+set)
	case featureSetDefault:
		signal = newSignal(FeatureSetSignal, path, Target{}, "FeatureGate has the default feature set")
		signal.Gates = map[string]bool{SyntheticGate: false}
	case featureSetCustom:
		gates := readCustomGates(obj)
		var target Target
		if on, _ := gateState(gates, SyntheticGate); on {
			target = modelTarget(Synthetic)
			target.Source = "the FeatureGate in the repository"
		} else {
			gates[SyntheticGate] = false
		}
		signal = newSignal(FeatureSetSignal, path, target, "FeatureGate has the feature set "+set+" with "+gatesText(gates, nil))
		signal.Gates = gates
	default:
		return nil
	}
	signal.FeatureSet = set
	return []Signal{signal}
}

// readCustomGates reads the lists of gate names in spec.customNoUpgrade.
func readCustomGates(obj *manifest.Node) map[string]bool {
	gates := map[string]bool{}
	for _, list := range []string{"enabled", "disabled"} {
		for _, name := range items(obj.Lookup(customGates.Join(list))) {
			if gateName().MatchString(name.String()) {
				gates[name.String()] = list == "enabled"
			}
		}
	}
	return gates
}
