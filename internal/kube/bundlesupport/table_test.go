package bundlesupport_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/olm"
)

// state summarizes what a release does with a feature: yes, no, or the gate that decides.
func state(o *bundlesupport.Obstacle) string {
	switch {
	case o == nil:
		return "yes"
	case o.Gate == "":
		return "no"
	}
	return o.Gate
}

func TestReleases(t *testing.T) {
	t.Parallel()
	type row struct{ Webhooks, Narrow, Set string }
	const (
		certManager, serviceCA, watch = olm.CertManagerGate, olm.ServiceCAGate, olm.WatchGate
		none, annotation, both        = "neither", "annotation", "annotation or config"
		config                        = "config"
	)
	for name, want := range map[string]row{
		"olm-1.0":           {"no", "no", none},
		"olm-1.1":           {"no", "no", none},
		"olm-1.2":           {"no", watch, annotation},
		"olm-1.3":           {certManager, watch, annotation},
		"olm-1.4":           {certManager, watch, annotation},
		"olm-1.5":           {certManager, watch, both},
		"olm-1.6":           {"yes", watch, config},
		"olm-1.7":           {"yes", watch, config},
		"olm-1.8":           {"yes", "yes", config},
		"olm-1.9":           {"yes", watch, config},
		"olm-1.10":          {"yes", watch, config},
		"olm-1.11":          {"yes", watch, config},
		"olm-1.12":          {"yes", watch, config},
		"ignored":           {"yes", watch, config},
		"ocp-4.18":          {"no", "no", none},
		"ocp-4.19":          {"no", watch, annotation},
		"ocp-4.20":          {serviceCA, watch, annotation},
		"ocp-4.21":          {"yes", watch, config},
		"ocp-4.24":          {"yes", watch, config},
		"ocp-5.1":           {"yes", watch, config},
		"required":          {"yes", "yes", both},
		"ocp-4.21-proposed": {"yes", "yes", both},
	} {
		r := bundlesupport.Of(target(t, name), nil)
		got := row{state(r.Webhooks()), state(r.LessThanAll("")), none}
		switch annotated, configured := r.ReadsAnnotation(), r.ReadsConfig(); {
		case annotated && configured:
			got.Set = both
		case annotated:
			got.Set = annotation
		case configured:
			got.Set = config
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestSignalsTurnGatesOn(t *testing.T) {
	t.Parallel()
	flag := func(name string, on bool) []olm.Signal {
		return []olm.Signal{{Kind: olm.GatesSignal, Gates: map[string]bool{name: on}}}
	}
	preview := []olm.Signal{{Kind: olm.FeatureSetSignal, FeatureSet: "TechPreviewNoUpgrade"}}
	for name, test := range map[string]struct {
		target           string
		signals          []olm.Signal
		webhooks, narrow string
	}{
		"on":            {"olm-1.3", flag(olm.CertManagerGate, true), "yes", olm.WatchGate},
		"off":           {"olm-1.6", flag(olm.CertManagerGate, false), "yes", olm.WatchGate}, // the other gate is still on
		"all":           {"olm-1.4", flag("AllAlpha", true), "yes", "yes"},
		"watch":         {"olm-1.10", flag(olm.WatchGate, true), "yes", "yes"},
		"watch off":     {"olm-1.8", flag(olm.WatchGate, false), "yes", olm.WatchGate},
		"too early":     {"olm-1.1", flag(olm.WatchGate, true), "no", "no"},
		"OpenShift":     {"ocp-4.20", flag("NewOLMOwnSingleNamespace", true), olm.ServiceCAGate, "yes"},
		"preview":       {"ocp-4.20", preview, "yes", "yes"},
		"early preview": {"ocp-4.19", preview, "no", "yes"},
	} {
		r := bundlesupport.Of(target(t, test.target), test.signals)
		if got := state(r.Webhooks()); got != test.webhooks {
			t.Errorf("%s: webhooks: got %s, want %s", name, got, test.webhooks)
		}
		if got := state(r.LessThanAll("")); got != test.narrow {
			t.Errorf("%s: one namespace: got %s, want %s", name, got, test.narrow)
		}
	}
}

func target(t *testing.T, name string) olm.Target {
	t.Helper()
	found, err := olm.ParseTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
