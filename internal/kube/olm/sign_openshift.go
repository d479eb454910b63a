package olm

import (
	"regexp"

	"github.com/salint/salint/internal/files/manifest"
)

// wantedVersion is a field of a ClusterVersion that says which version is meant.
type wantedVersion struct {
	path   manifest.Path
	phrase string
}

// wantedVersions are in the order in which they are believed. What is asked for comes before what there is. A channel
// comes last: it is set to the next release before the upgrade is asked for.
var wantedVersions = []wantedVersion{
	{manifest.Path{"spec", "desiredUpdate", "version"}, "ClusterVersion asks for version "},
	{manifest.Path{"status", "desired", "version"}, "ClusterVersion reports the version "},
	{manifest.Path{"status", "history", "0", "version"}, "ClusterVersion reports the version "},
	{manifest.Path{"spec", "channel"}, "ClusterVersion follows the channel "},
}

// A version such as 4.20.3 or 4.21.0-rc.1, or a channel such as stable-4.20.
var openshiftVersion = regexp.MustCompile(`^(?:[a-z]+-)?(\d{1,4})\.(\d{1,4})(?:\.[0-9A-Za-z.+-]*)?$`)

func readClusterVersion(obj *manifest.Node) []Sign {
	for _, wanted := range wantedVersions {
		text := obj.Lookup(wanted.path).String()
		m := openshiftVersion.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		target, err := ParseTarget(release{family: openshift, major: number(m[1]), minor: number(m[2])}.name())
		if err != nil {
			// Before 4.18 OLM v1 was a preview, of which the table knows nothing.
			return nil
		}
		return []Sign{newSign(ClusterVersionSign, wanted.path, target, wanted.phrase+text)}
	}
	return nil
}

const (
	featureSetDefault = "Default"
	featureSetCustom  = "CustomNoUpgrade"
	// featureSetTech and featureSetDev are the sets with the features that are not released; the second has all of the
	// first.
	featureSetTech = "TechPreviewNoUpgrade"
	featureSetDev  = "DevPreviewNoUpgrade"
)

var customGates = manifest.Path{"spec", "customNoUpgrade"}

// readFeatureGate reads OpenShift's FeatureGate. A feature set that has the synthetic identities of the proposal names
// its target; any other is what OpenShift ships, where every release requires the field.
func readFeatureGate(obj *manifest.Node) []Sign {
	if !obj.Get("spec").IsMapping() {
		return nil
	}
	path := manifest.Path{"spec", "featureSet"}
	set := obj.Lookup(path).String()
	if set == "" && !isTemplateNode(obj.Lookup(path)) {
		set = featureSetDefault
	}
	shipped := modelTarget(Required)
	shipped.Source = "every OpenShift release so far, see " + TargetsPage
	shipped.Placeholder = false
	var sign Sign
	switch set {
	case featureSetTech, featureSetDev:
		sign = newSign(FeatureSetSign, path, techPreview(), "FeatureGate has the feature set "+set)
		sign.Gates = map[string]bool{SyntheticGate: true}
	case featureSetDefault:
		sign = newSign(FeatureSetSign, path, shipped, "FeatureGate has the default feature set")
		sign.Gates = map[string]bool{SyntheticGate: false}
	case featureSetCustom:
		gates := readCustomGates(obj)
		target := shipped
		if on, _ := gateState(gates, SyntheticGate); on {
			target = techPreview()
		} else {
			gates[SyntheticGate] = false
		}
		sign = newSign(FeatureSetSign, path, target, "FeatureGate has the feature set "+set+" with "+gatesText(gates))
		sign.Gates = gates
	default:
		return nil
	}
	return []Sign{sign}
}

// readCustomGates reads the lists of gate names in spec.customNoUpgrade.
func readCustomGates(obj *manifest.Node) map[string]bool {
	gates := map[string]bool{}
	for _, list := range []string{"enabled", "disabled"} {
		for _, name := range items(obj.Lookup(customGates.Join(list))) {
			if gateName.MatchString(name.String()) {
				gates[name.String()] = list == "enabled"
			}
		}
	}
	return gates
}

func techPreview() Target {
	for _, t := range table {
		if t.Name == techPreviewName {
			return t
		}
	}
	return Target{}
}
