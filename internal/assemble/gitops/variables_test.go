package gitops_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/gitops"
)

func TestVariables(t *testing.T) {
	t.Parallel()
	object := map[string]any{"spec": map[string]any{"name": "${name}-${secret}"}}
	var none *gitops.Variables
	if filled, unknown, err := none.Fill(object); unknown != nil || err != nil || cmp.Diff(object, filled) != "" {
		t.Error("without variables something changed")
	}
	for _, open := range []bool{false, true} {
		variables := &gitops.Variables{Known: map[string]string{"name": "harbor"}, Open: open}
		filled, unknown, err := variables.Fill(object)
		want := map[string]any{"spec": map[string]any{"name": "harbor-"}}
		if diff := cmp.Diff(want, filled); diff != "" || err != nil || (len(unknown) == 1) != open {
			t.Error(diff, unknown, err)
		}
	}
}
