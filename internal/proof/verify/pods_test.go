package verify

import (
	"strings"
	"testing"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// A pod must run as the account that it ran as, however its manifest says that.
func TestPodsKeepTheirAccounts(t *testing.T) {
	t.Parallel()
	pod := func(spec string) []byte {
		return []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: " + spec + "\n")
	}
	for name, c := range map[string]struct {
		before, after string
		fault         string // a part of it; "" is none
	}{
		"renamed":          {"{serviceAccount: web}", "{serviceAccountName: web}", ""},
		"dropped":          {"{serviceAccount: web, serviceAccountName: web}", "{serviceAccountName: web}", ""},
		"never won":        {"{serviceAccount: old, serviceAccountName: web}", "{serviceAccountName: web}", ""},
		"the wrong one":    {"{serviceAccount: old, serviceAccountName: web}", "{serviceAccount: old}", "would run as old, no longer as web"},
		"lost":             {"{serviceAccount: web}", "{}", "would run as default, no longer as web"},
		"nothing but a no": {"{serviceAccount: ''}", "{}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unit := func(spec string) *objects.Unit { return objects.Units(read("pod.yaml", pod(spec)), nil)[0] }
			plan := &engine.Plan{}
			e := newExaminer(pair{before: unit(c.before), after: unit(c.after), changes: map[string]bool{"pod.yaml": true}}, []*engine.Plan{plan})
			e.pods()
			got := ""
			for _, f := range e.faults {
				got += f.reason
			}
			if (c.fault == "") != (got == "") || !strings.Contains(got, c.fault) {
				t.Errorf("faults %q, want %q", got, c.fault)
			}
		})
	}
}

func read(path string, data []byte) []*objects.Object {
	var objs []*objects.Object
	for _, doc := range manifest.Scan(path, data).Docs {
		if doc.Parse() == nil {
			objs = append(objs, objects.Objects(doc)...)
		}
	}
	return objs
}
