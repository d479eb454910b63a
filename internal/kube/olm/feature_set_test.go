package olm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/olm"
)

// crdFor is a definition that OpenShift applies with some feature sets; "" for always.
func crdFor(sets, spec string) string {
	text := crd(spec)
	if sets == "" {
		return text
	}
	return strings.Replace(text, "name: clusterextensions.olm.operatorframework.io",
		`name: clusterextensions.olm.operatorframework.io, annotations: {release.openshift.io/feature-set: "`+sets+`"}`, 1)
}

func TestInFeatureSet(t *testing.T) {
	t.Parallel()
	const (
		required = `{required: [serviceAccount], properties: {serviceAccount: {type: object}}}`
		optional = `{properties: {serviceAccount: {description: The account., required: [name]}}}`
		preview  = "CustomNoUpgrade,TechPreviewNoUpgrade"
		gate     = "apiVersion: config.openshift.io/v1\nkind: FeatureGate\nmetadata: {name: cluster}\nspec: {featureSet: "
	)
	both := []string{crdFor("Default", required), crdFor(preview, optional)}
	for name, c := range map[string]struct {
		objects []string
		want    olm.Model
	}{
		"the preview":            {append(both, gate+"TechPreviewNoUpgrade}"), olm.Synthetic},
		"the default set":        {append(both, gate+`""}`), olm.Required},
		"no FeatureGate":         {both, olm.Required},
		"two FeatureGates":       {append(both, gate+"TechPreviewNoUpgrade}", gate+`""}`), olm.Required},
		"only one is annotated":  {[]string{crdFor("", required), crdFor(preview, optional), gate + "TechPreviewNoUpgrade}"}, olm.Required},
		"only the preview's":     {[]string{crdFor(preview, optional)}, olm.Synthetic},
		"none is for the set":    {[]string{crdFor(preview, optional), gate + `""}`}, ""},
		"without any annotation": {[]string{crdFor("", required), gate + "TechPreviewNoUpgrade}"}, olm.Required},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var signals []olm.Signal
			for _, text := range c.objects {
				signals = append(signals, olm.ReadSignals(object(t, text))...)
			}
			if diff := cmp.Diff(c.want, olm.Resolve(olm.InFeatureSet(signals)).Target.Model); diff != "" {
				t.Error(diff)
			}
		})
	}
}
