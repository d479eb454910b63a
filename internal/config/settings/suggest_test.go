package settings_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/settings"
)

func TestSuggestTargets(t *testing.T) {
	tests := map[string]struct {
		paths []string
		want  string
	}{
		"one for each environment": {
			[]string{"overlays/prod/**", "overlays/edge/**"},
			"overrides:\n- paths: [\"overlays/edge/**\"]\n  target: ???\n- paths: [\"overlays/prod/**\"]\n  target: ???",
		},
		"components of one environment": {
			[]string{"components/a/overlays/edge/**", "components/b/overlays/edge/**", "components/a/overlays/prod/**"},
			"overrides:\n- paths: [\"components/*/overlays/edge/**\"]\n  target: ???\n- paths: [\"components/a/overlays/prod/**\"]\n  target: ???",
		},
		"applications of one cluster": {
			[]string{"clusters/edge/a/**", "clusters/edge/b/**"}, "overrides:\n- paths: [\"clusters/edge/*/**\"]\n  target: ???",
		},
		"different depths": {
			[]string{"clusters/edge/a/**", "clusters/edge/b/c/**"},
			"overrides:\n- paths: [\"clusters/edge/a/**\", \"clusters/edge/b/c/**\"]\n  target: ???",
		},
		"nothing shows what belongs together": {
			[]string{"edge/a/**", "prod/a/**"}, "overrides:\n- paths: [\"edge/a/**\"]\n  target: ???\n- paths: [\"prod/a/**\"]\n  target: ???",
		},
		"one path": {[]string{"a.yaml"}, "overrides:\n- paths: [\"a.yaml\"]\n  target: ???"},
	}
	for name, test := range tests {
		if diff := cmp.Diff(test.want, settings.SuggestTargets(test.paths)); diff != "" {
			t.Errorf("%s: the configuration differs (-want +got):\n%s", name, diff)
		}
	}
}
