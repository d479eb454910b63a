package reading

import (
	"slices"
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
			former := NewFormerObjects(test.base, map[string]bool{"a.yaml": !test.unchanged}, nil, nil)
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
	if now, before := NewFormerObjects(nil, nil, nil, nil).Of(assembly.Units(objs, nil)[0], objs[0]); now != nil || before != nil {
		t.Errorf("now %v, before %v", now, before)
	}
}

// TestRemoved checks that a manifest is removed only if no file has it now.
func TestRemoved(t *testing.T) {
	t.Parallel()
	account := func(name string) string {
		return "{apiVersion: v1, kind: ServiceAccount, metadata: {name: " + name + ", namespace: x}}\n"
	}
	base := fstest.MapFS{
		"deleted.yaml": {Data: []byte(account("gone"))}, "moved.yaml": {Data: []byte(account("moved"))},
		"shorter.yaml": {Data: []byte(account("kept") + "---\n" + account("dropped"))}, "same.yaml": {Data: []byte(account("same"))},
	}
	now := assembly.Units(objectsIn("now.yaml", []byte(account("moved")+"---\n"+account("kept")+"---\n"+account("same"))), nil)
	former := NewFormerObjects(base, map[string]bool{"shorter.yaml": true}, map[string]bool{"deleted.yaml": true, "moved.yaml": true}, nil)
	names := func(namespace, name string) (found []string) {
		for _, o := range former.Removed(now, "", "ServiceAccount", namespace, name) {
			found = append(found, o.Name)
		}
		return found
	}
	for _, test := range []struct {
		namespace, name string
		want            []string
	}{{"", "", []string{"gone", "dropped"}}, {"x", "dropped", []string{"dropped"}}, {"y", "", nil}, {"x", "moved", nil}} {
		if got := names(test.namespace, test.name); !slices.Equal(got, test.want) {
			t.Errorf("%q %q: %v, want %v", test.namespace, test.name, got, test.want)
		}
	}
}
