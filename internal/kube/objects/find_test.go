package objects_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

func TestFindAgainstAScan(t *testing.T) {
	t.Parallel()
	eachRandomTree(t, func(t *testing.T, r *rand.Rand, u *objects.Unit) {
		pick := func(from ...string) string { return from[r.IntN(len(from))] }
		for range 20 {
			q := objects.Query{Kind: pick("", "Pod", "Secret", "None"), Namespace: pick("", "x", "y", "z"), Name: pick("", "n", "m")}
			if group := pick("any", "", "example.com"); group != "any" {
				q.Group = &group
			}
			var want []*objects.Object
			for _, o := range u.Objects {
				if q.Matches(o) {
					want = append(want, o)
				}
			}
			if got := u.Find(q); !slices.Equal(got, want) {
				t.Errorf("%+v: %v, want %v", q, refs(got), refs(want))
			}
			if !slices.IsSortedFunc(u.Find(q), objects.Compare) {
				t.Errorf("%+v: not in order", q)
			}
		}
	})
}

func TestFind(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{
		"b.yaml": account("x", "one") + "---\n" + account("", "one"),
		"a.yaml": account("y", "one") + "---\n" + manifestOf("example.com/v1", "ServiceAccount", "x", "one"),
	})
	tests := map[string]struct {
		query objects.Query
		want  []string
	}{
		"everything":          {objects.Query{}, []string{"a.yaml#0/", "a.yaml#1/", "b.yaml#0/", "b.yaml#1/"}},
		"the core group":      {objects.Query{Group: new("")}, []string{"a.yaml#0/", "b.yaml#0/", "b.yaml#1/"}},
		"a group":             {objects.Query{Group: new("example.com")}, []string{"a.yaml#1/"}},
		"unknown or that one": {objects.Query{Group: new(""), Kind: "ServiceAccount", Namespace: "x", Name: "one"}, []string{"b.yaml#0/", "b.yaml#1/"}},
		"nothing":             {objects.Query{Kind: "Pod"}, nil},
	}
	for name, test := range tests {
		if diff := cmp.Diff(test.want, refs(u.Find(test.query))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestUnitObject(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{"a.yaml": "kind: A\n---\nkind: B\n"})
	if o := u.Object("a.yaml#1/"); o == nil || o.Kind != "B" {
		t.Errorf("found %v", o)
	}
	if o := u.Object("a.yaml#2/"); o != nil {
		t.Errorf("found %v", o)
	}
}
