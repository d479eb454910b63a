package kubeversion_test

import (
	"testing"

	"github.com/salint/salint/internal/kube/kubeversion"
)

func TestRange(t *testing.T) {
	t.Parallel()
	exact, later := kubeversion.Exactly(34), kubeversion.AtLeast(35)
	for name, test := range map[string]struct {
		of          kubeversion.Range
		text, asOf  string
		has34, last bool
	}{
		"one":      {exact, "1.34", "Kubernetes 1.34", true, true},
		"later":    {later, "1.35 or later", "Kubernetes 1.35 and later", true, true},
		"unknown":  {kubeversion.Range{}, "unknown", "Kubernetes 1.31 and later", false, true},
		"older":    {kubeversion.Exactly(33), "1.33", "Kubernetes 1.33", false, false},
		"two":      {exact.Join(kubeversion.Exactly(32)), "1.32 to 1.34", "Kubernetes 1.32 and later", false, true},
		"open":     {exact.Join(later), "1.34 or later", "Kubernetes 1.34 and later", true, true},
		"anything": {later.Join(kubeversion.Range{}), "unknown", "Kubernetes 1.31 and later", false, true},
	} {
		if got := test.of.String(); got != test.text {
			t.Errorf("%s: %q, want %q", name, got, test.text)
		}
		if got := test.of.AsOf(); got != test.asOf {
			t.Errorf("%s: %q, want %q", name, got, test.asOf)
		}
		if test.of.All(34) != test.has34 || test.of.Last().All(34) != test.last {
			t.Errorf("%s: all have what 1.34 added: %t, the last one has it: %t", name, test.of.All(34), test.of.Last().All(34))
		}
	}
}

func TestBefore(t *testing.T) {
	t.Parallel()
	if !kubeversion.Exactly(34).Before(35) || kubeversion.Exactly(35).Before(35) || kubeversion.AtLeast(34).Before(35) || (kubeversion.Range{}).Before(35) {
		t.Error("only a range whose newest version is older is before a version")
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	if v, err := kubeversion.Parse("1.34"); err != nil || v != 34 {
		t.Errorf("1.34: %v, %v", v, err)
	}
	for _, text := range []string{"", "1", "1.", "34", "v1.34", "1.34.2", "1.034", "2.1", "1.-3"} {
		if v, err := kubeversion.Parse(text); err == nil {
			t.Errorf("%q: %v", text, v)
		}
	}
}
