package reading

import (
	"testing"
	"testing/fstest"

	"github.com/salint/salint/internal/kube/objects/assembly"
)

// TestFormerObjects looks up objects of plain files at the base revision.
func TestFormerObjects(t *testing.T) {
	t.Parallel()
	const account = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: a, namespace: x}}\n"
	bound := func(kind string) string {
		return "{apiVersion: v1, kind: " + kind + ", metadata: {name: a, namespace: x}, data: {}}\n"
	}
	for name, test := range map[string]struct {
		base      fstest.MapFS
		now       string
		unchanged bool
		want      bool
	}{
		"changed":          {base: fstest.MapFS{"a.yaml": {Data: []byte(account)}}, now: account, want: true},
		"moved below":      {base: fstest.MapFS{"a.yaml": {Data: []byte(bound("Secret") + "---\n" + account)}}, now: account, want: true},
		"in a list now":    {base: fstest.MapFS{"a.yaml": {Data: []byte(account)}}, now: "{apiVersion: v1, kind: List, items: [" + account + "]}", want: true},
		"unchanged file":   {base: fstest.MapFS{"a.yaml": {Data: []byte(account)}}, now: account, unchanged: true},
		"new file":         {base: fstest.MapFS{}, now: account},
		"another kind":     {base: fstest.MapFS{"a.yaml": {Data: []byte(bound("Secret"))}}, now: account},
		"several of them":  {base: fstest.MapFS{"a.yaml": {Data: []byte(account + "---\n" + account)}}, now: account},
		"cannot be parsed": {base: fstest.MapFS{"a.yaml": {Data: []byte(account + "---\n{")}}, now: account},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objs := objectsIn("a.yaml", []byte(test.now))
			unit := assembly.Units(objs, nil)[0]
			former := NewFormerObjects(test.base, map[string]bool{"a.yaml": !test.unchanged})
			now, before := former.Of(unit, unit.Objects[0])
			if (now != nil) != test.want || (before != nil) != test.want {
				t.Errorf("now %v, before %v", now, before)
			}
		})
	}
}

// TestFormerObjectsWithoutRevision checks that nothing is former without a revision.
func TestFormerObjectsWithoutRevision(t *testing.T) {
	t.Parallel()
	objs := objectsIn("a.yaml", []byte("{apiVersion: v1, kind: ServiceAccount, metadata: {name: a}}\n"))
	if now, before := NewFormerObjects(nil, nil).Of(assembly.Units(objs, nil)[0], objs[0]); now != nil || before != nil {
		t.Errorf("now %v, before %v", now, before)
	}
}
