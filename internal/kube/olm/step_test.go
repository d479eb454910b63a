package olm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/olm"
)

func target(t *testing.T, name string) olm.Target {
	t.Helper()
	found, err := olm.ParseTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestReleaseLines(t *testing.T) {
	t.Parallel()
	var targets []olm.Target
	for _, name := range strings.Fields("olm-1.11 ocp-4.22-proposed ocp-5.0 ocp-techpreview-proposed ignored olm-1.9 ocp-4.21-proposed ocp-4.20") {
		targets = append(targets, target(t, name))
	}
	var got []string
	for _, line := range olm.ReleaseLines(targets) {
		var names []string
		for _, t := range line {
			names = append(names, t.Name)
		}
		got = append(got, strings.Join(names, " "))
	}
	want := []string{"olm-1.9 olm-1.11", "ocp-4.21-proposed ocp-4.22-proposed", "ocp-4.20 ocp-5.0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to    string
		back, order bool
		between     string
	}{
		{"olm-1.10", "olm-1.11", false, true, ""},
		{"olm-1.11", "olm-1.10", true, true, ""},
		{"ocp-4.20-proposed", "ocp-4.23-proposed", false, true, "ocp-4.21-proposed"},
		{"ocp-4.23-proposed", "ocp-4.20-proposed", true, true, "ocp-4.22-proposed"},
		{"ocp-4.20", "ocp-4.23-proposed", false, true, "ocp-4.21-proposed"},
		{"ocp-4.20-proposed", "ocp-techpreview-proposed", false, true, "ignored"},
		{"ocp-techpreview-proposed", "ocp-4.20", true, true, "ignored"},
		{"olm-1.10", "ocp-4.20", false, false, "ignored"},
		{"required", "removed", false, true, "ignored"},
		{"removed", "required", true, true, "ignored"},
	} {
		step := olm.Step{From: target(t, c.from), To: target(t, c.to)}
		back, order := step.Downgrade()
		if order != c.order || order && back != c.back {
			t.Errorf("%s to %s: downgrade %v, %v; want %v, %v", c.from, c.to, back, order, c.back, c.order)
		}
		if between, _ := step.Between(); between.Name != c.between {
			t.Errorf("%s to %s: between is %q, want %q", c.from, c.to, between.Name, c.between)
		}
	}
}

func TestBaseOfTechPreview(t *testing.T) {
	t.Parallel()
	if got := olm.BaseOfTechPreview().Name; got != "ocp-4.20-proposed" {
		t.Errorf("the base is %q", got)
	}
	if !target(t, "ocp-techpreview-proposed").TechPreview() || target(t, "synthetic").TechPreview() {
		t.Error("the technology preview is a release of OpenShift, and no model")
	}
}
