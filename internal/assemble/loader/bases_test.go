package loader

import (
	"testing"
	"testing/fstest"

	"github.com/salint/salint/internal/assemble/gitops"
)

// TestBasesOfAWorkspace reads kustomizations as builds do: with paths in place of the addresses of repositories of the workspace.
func TestBasesOfAWorkspace(t *testing.T) {
	t.Parallel()
	members := []gitops.Member{{Name: "fleet", Dir: "fleet"}, {Name: "platform", Dir: "src/platform", Addresses: []string{"https://git.example.com/sea/platform.git"}}}
	for text, want := range map[string]string{
		"resources:\n- https://git.example.com/sea/platform//base # ours\n":        "resources:\n- ../../src/platform/base # ours\n",
		"bases: [\"git@git.example.com:sea/platform.git//base?ref=v1\", a.yaml]\n": "bases: [\"../../src/platform/base\", a.yaml]\n",
		"components:\n- 'https://git.example.com/sea/platform/base'\n":             "components:\n- '../../src/platform/base'\n",
		// No folder with a kustomization, another repository, and a patch, which is no base.
		"resources:\n- https://git.example.com/sea/platform//roles\n":    "resources:\n- https://git.example.com/sea/platform//roles\n",
		"resources:\n- https://git.example.com/sea/other//base\n":        "resources:\n- https://git.example.com/sea/other//base\n",
		"patches:\n- path: https://git.example.com/sea/platform//base\n": "patches:\n- path: https://git.example.com/sea/platform//base\n",
		"resources: [\n": "resources: [\n",
	} {
		files := filesOf(fstest.MapFS{
			"fleet/prod/kustomization.yaml":        {Data: []byte(text)},
			"src/platform/base/kustomization.yaml": {Data: []byte("resources: []\n")},
			"src/platform/roles/role.yaml":         {Data: []byte("kind: Role\n")},
		}, members)
		got, err := files.ReadFile("fleet/prod/kustomization.yaml")
		if err != nil || string(got) != want {
			t.Errorf("%q is %q, want %q (%v)", text, got, want, err)
		}
	}
}
