package olm_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/olm"
)

func TestParseTarget(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]olm.Target{
		"olm-1.0":                  {Model: olm.Required},
		"olm-1.2":                  {Model: olm.Required},
		"olm-1.3":                  {Model: olm.Required, Placeholder: true},
		"olm-1.10":                 {Model: olm.Required, Placeholder: true},
		"olm-1.11":                 {Model: olm.Ignored},
		"olm-1.12":                 {Model: olm.Ignored, Assumed: "olm-1.11"},
		"olm-1.111":                {Model: olm.Ignored, Assumed: "olm-1.11"},
		"olm-2.0":                  {Model: olm.Ignored, Assumed: "olm-1.11"},
		"ocp-4.18":                 {Model: olm.Required},
		"ocp-4.23":                 {Model: olm.Required},
		"ocp-4.30":                 {Model: olm.Required, Assumed: "ocp-4.23"},
		"ocp-5.0":                  {Model: olm.Ignored, ReleasedWith: "ocp-4.23"},
		"ocp-5.1":                  {Model: olm.Ignored},
		"ocp-5.7":                  {Model: olm.Ignored, Assumed: "ocp-5.1"},
		"ocp-7.9":                  {Model: olm.Ignored, Assumed: "ocp-5.1"},
		"ocp-4.20-proposed":        {Model: olm.Required, Proposed: true},
		"ocp-4.21-proposed":        {Model: olm.Ignored, Proposed: true},
		"ocp-4.22-proposed":        {Model: olm.Ignored, Proposed: true},
		"ocp-4.23-proposed":        {Model: olm.Removed, Proposed: true},
		"ocp-4.24-proposed":        {Model: olm.Removed, Proposed: true, Assumed: "ocp-4.23-proposed"},
		"ocp-5.0-proposed":         {Model: olm.Removed, Proposed: true, Assumed: "ocp-4.23-proposed"},
		"ocp-techpreview-proposed": {Model: olm.Synthetic, Proposed: true},
		"required":                 {Model: olm.Required, Placeholder: true},
		"synthetic":                {Model: olm.Synthetic},
		"ignored":                  {Model: olm.Ignored},
		"removed":                  {Model: olm.Removed},
	} {
		got, err := olm.ParseTarget(name)
		if err != nil {
			t.Errorf("ParseTarget(%q): %v", name, err)
			continue
		}
		if got.Source == "" {
			t.Errorf("ParseTarget(%q) has no source", name)
		}
		want.Name, want.Source, want.Kubernetes = name, got.Source, got.Kubernetes
		if got != want {
			t.Errorf("ParseTarget(%q) = %+v, want %+v", name, got, want)
		}
	}
}

func TestLaterReleaseNamesItsModel(t *testing.T) {
	t.Parallel()
	for name, like := range map[string]string{
		"olm-1.40": "olm-1.11", "ocp-4.29": "ocp-4.23", "ocp-6.0": "ocp-5.1", "ocp-4.29-proposed": "ocp-4.23-proposed",
	} {
		got, err := olm.ParseTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.Source, "like "+like+",") {
			t.Errorf("%s: source %q does not name %s", name, got.Source, like)
		}
		if note := got.AssumptionNote(); !strings.Contains(note, name+" is not a release") || !strings.Contains(note, "like "+like+",") {
			t.Errorf("%s: note %q does not name %s", name, note, like)
		}
	}
	if known, _ := olm.ParseTarget("olm-1.11"); known.AssumptionNote() != "" {
		t.Errorf("olm-1.11 is known, and has the note %q", known.AssumptionNote())
	}
}

func TestBoundaries(t *testing.T) {
	t.Parallel()
	got := olm.RequiredThrough() + ", " + olm.IgnoredFrom()
	if want := "olm-1.10 and OpenShift 4.23, olm-1.11 and OpenShift 5.0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUnknownTarget(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"olm-1.1l":          `did you mean "olm-1.1"?`,
		"ignore":            `did you mean "ignored"?`,
		"Ignored":           `did you mean "ignored"?`,
		"ocp-4.21-propsed":  `did you mean "ocp-4.21-proposed"?`,
		"ocp-techpreview":   `did you mean "ocp-techpreview-proposed"?`,
		"auto ":             `did you mean "auto"?`,
		"1.11":              `did you mean "olm-1.11"?`,
		"v1.11.0":           `did you mean "olm-1.11"?`,
		"olm-1.11.2":        `did you mean "olm-1.11"?`,
		"4.20":              `did you mean "ocp-4.20"?`,
		"openshift-4.20.11": `did you mean "ocp-4.20"?`,
		"olm-01.11":         `did you mean "olm-1.11"?`,
		"olm-0.16":          `operator-controller v0.12 to v0.18`,
		"ocp-4.17":          `older than the known releases`,
		"ocp-4.19-proposed": `older than the known releases`,
		"olm-1.11-proposed": `unknown target`,
		"olm-1.99999999999": `unknown target`,
		"":                  `unknown target ""`,
		"kubernetes":        `a model (required, synthetic, ignored, removed)`,
	} {
		_, err := olm.ParseTarget(name)
		if err == nil {
			t.Errorf("ParseTarget(%q): no error", name)
			continue
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "`salint targets`") {
			t.Errorf("ParseTarget(%q): %v\nwant it to say %q and to name `salint targets`", name, err, want)
		}
	}
}

func TestTargetsAreFoundByTheirNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, target := range olm.Targets() {
		if seen[target.Name] {
			t.Errorf("%s is listed twice", target.Name)
		}
		seen[target.Name] = true
		got, err := olm.ParseTarget(target.Name)
		if err != nil || got != target {
			t.Errorf("ParseTarget(%q) = %+v, %v; want the row %+v", target.Name, got, err, target)
		}
	}
}
