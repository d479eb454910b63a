package sources

import (
	"testing"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

func TestParseImage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Image{
		"core:v2":                  {Name: "core", NewTag: "v2"},
		"host:5000/core":           {Name: "host:5000/core"},
		"host:5000/core:v2":        {Name: "host:5000/core", NewTag: "v2"},
		"core=host:5000/core:v2":   {Name: "core", NewName: "host:5000/core", NewTag: "v2"},
		"core@sha256:1":            {Name: "core", Digest: "sha256:1"},
		"core=other/core@sha256:1": {Name: "core", NewName: "other/core", Digest: "sha256:1"},
		"core=other":               {Name: "core", NewName: "other"},
	} {
		if got := ParseImage(view.Field[string]{Value: text}); got.Name != want.Name || got.NewName != want.NewName || got.NewTag != want.NewTag || got.Digest != want.Digest {
			t.Errorf("%s: got %+v", text, got)
		}
	}
}
