package proposals

import (
	"strings"
	"testing"

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

func TestCorrections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to   string
		statements []string
	}{
		{"ocp-4.22-proposed", "ocp-4.20-proposed", []string{"Going back from 4.22"}},
		{"ocp-4.22-proposed", "ocp-4.21-proposed", nil},
		{"ocp-4.23-proposed", "ocp-4.20-proposed", []string{"Before going back from 4.23"}},
		{"ocp-techpreview-proposed", "ocp-4.20", []string{"Before downgrading from the technology preview"}},
		{"ocp-4.20", "ocp-techpreview-proposed", []string{"Upgrading to the technology preview"}},
		{"olm-1.10", "olm-1.11", nil},
		{"olm-1.11", "olm-1.10", nil},
	} {
		var got []string
		for _, correction := range Corrections(target(t, c.from), target(t, c.to), false) {
			got = append(got, correction.Statement)
			if correction.Source == "" || correction.Section == "" || correction.Fact == "" {
				t.Errorf("%q lacks the actual behavior, or a source", correction.Statement)
			}
		}
		for i, statement := range c.statements {
			if i >= len(got) || !strings.HasPrefix(got[i], statement) {
				t.Errorf("%s to %s: %q, want %q", c.from, c.to, got, c.statements)
			}
		}
		if len(got) != len(c.statements) {
			t.Errorf("%s to %s: %q, want %q", c.from, c.to, got, c.statements)
		}
	}
}
