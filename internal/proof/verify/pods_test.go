package verify

import (
	"strings"
	"testing"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
)

// A pod must keep its account, however its manifest sets it.
func TestPodsKeepTheirAccounts(t *testing.T) {
	t.Parallel()
	pod := func(spec string) []byte {
		return []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: " + spec + "\n")
	}
	for name, c := range map[string]struct {
		before, after string
		violation     string // part of the violation; "" for none
	}{
		"renamed":          {"{serviceAccount: web}", "{serviceAccountName: web}", ""},
		"dropped":          {"{serviceAccount: web, serviceAccountName: web}", "{serviceAccountName: web}", ""},
		"never won":        {"{serviceAccount: old, serviceAccountName: web}", "{serviceAccountName: web}", ""},
		"the wrong one":    {"{serviceAccount: old, serviceAccountName: web}", "{serviceAccount: old}", "would run as old instead of web"},
		"lost":             {"{serviceAccount: web}", "{}", "would run as default instead of web"},
		"nothing but a no": {"{serviceAccount: ''}", "{}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unit := func(spec string) *objects.Unit { return assembly.Units(read("pod.yaml", pod(spec)), nil)[0] }
			plan := &engine.Plan{}
			e := newExaminer(pair{before: unit(c.before), after: unit(c.after), changes: map[string]bool{"pod.yaml": true}}, []*engine.Plan{plan})
			e.pods()
			got := ""
			for _, f := range e.violations {
				got += f.reason
			}
			if (c.violation == "") != (got == "") || !strings.Contains(got, c.violation) {
				t.Errorf("violations %q, want %q", got, c.violation)
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
