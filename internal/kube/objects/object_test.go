package objects_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

func TestObjects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		text string
		want []string // kind namespace/name ref
	}{
		{
			"one object",
			"kind: Pod\napiVersion: v1\nmetadata: {name: web, namespace: shop}\n",
			[]string{"v1 Pod shop/web f.yaml#0/"},
		},
		{
			"several documents",
			"kind: A\nmetadata: {name: one}\n---\n# nothing\n---\nkind: B\nmetadata: {name: two}\n",
			[]string{" A /one f.yaml#0/", " B /two f.yaml#1/"},
		},
		{
			"a list, and a list inside it",
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n" +
				"- apiVersion: v1\n  kind: List\n  items: [{apiVersion: v1, kind: Pod, metadata: {name: b}}]\n",
			[]string{"v1 Pod /a f.yaml#0/items[0]", "v1 Pod /b f.yaml#0/items[1].items[0]"},
		},
		{
			"items take the type of a typed list",
			"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleList\nitems: [{metadata: {name: a}}]\n",
			[]string{"rbac.authorization.k8s.io/v1 Role /a f.yaml#0/items[0]"},
		},
		{
			"an untyped item of an untyped list is ignored",
			"apiVersion: v1\nkind: List\nitems: [{metadata: {name: a}}, 7, null]\n",
			nil,
		},
		{
			"a kind that only ends in List",
			"apiVersion: example.com/v1\nkind: AllowList\nmetadata: {name: a}\nspec: {items: []}\n",
			[]string{"example.com/v1 AllowList /a f.yaml#0/"},
		},
		{
			"an OpenShift template",
			"apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: t}\n" +
				"objects:\n- {apiVersion: v1, kind: ServiceAccount, metadata: {name: \"${SA}\"}}\n",
			[]string{"v1 ServiceAccount /${SA} f.yaml#0/objects[0]"},
		},
		{
			"another kind of template",
			"apiVersion: example.com/v1\nkind: Template\nmetadata: {name: t}\nobjects: [{kind: Pod}]\n",
			[]string{"example.com/v1 Template /t f.yaml#0/"},
		},
		{
			"items by alias",
			"apiVersion: v1\nkind: List\nfirst: &pod {apiVersion: v1, kind: Pod, metadata: {name: a}}\nitems: [*pod]\n",
			[]string{"v1 Pod /a f.yaml#0/items[0]"},
		},
		{"a mapping without a kind", "replicas: 3\nmetadata: {name: a}\n", nil},
		{"a sequence", "- op: remove\n  path: /spec\n", nil},
		{
			"malformed metadata",
			"kind: A\nmetadata: [name]\n---\nkind: B\nmetadata: {name: {a: b}, namespace: [c]}\n---\nkind: C\nmetadata: {name: null}\n---\nkind: D\nmetadata: {name: 7}\n",
			[]string{" A / f.yaml#0/", " B / f.yaml#1/", " C / f.yaml#2/", " D /7 f.yaml#3/"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, o := range objectstest.Objects(t, tree{"f.yaml": test.text}) {
				got = append(got, fmt.Sprintf("%s %s %s/%s %s", o.APIVersion, o.Kind, o.Namespace, o.Name, o.Ref()))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestObjectsOfAnAliasBomb checks that nested lists of aliases are not expanded: a few lines would stand for thousands of objects.
func TestObjectsOfAnAliasBomb(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("kind: List\nl0: &l0 {kind: List, items: [{kind: Pod}, {kind: Pod}]}\n")
	for i := 1; i < 3; i++ {
		alias := fmt.Sprintf("*l%d", i-1)
		fmt.Fprintf(&b, "l%d: &l%d {kind: List, items: [%s]}\n", i, i, strings.Repeat(alias+", ", 19)+alias)
	}
	b.WriteString("items: [*l2]\n")
	objects := objectstest.Objects(t, tree{"bomb.yaml": b.String()})
	if len(objects) != 1 || objects[0].Kind != "List" {
		t.Errorf("%d objects, want the one List that was not followed", len(objects))
	}
}

func TestObjectsOfNestedLists(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("{kind: List, items: [", 100) + "{kind: Pod}" + strings.Repeat("]}", 100)
	objects := objectstest.Objects(t, tree{"deep.yaml": text})
	if len(objects) != 1 || objects[0].Kind != "List" {
		t.Errorf("%v, want the List at the limit", refs(objects))
	}
}

func TestObjectsOfAnUnparsedDocument(t *testing.T) {
	t.Parallel()
	doc := manifest.Scan("f.yaml", []byte("kind: Pod\n")).Docs[0]
	if objects := objects.Objects(doc); objects != nil {
		t.Errorf("%v, want none", refs(objects))
	}
}

func TestObjectJSON(t *testing.T) {
	t.Parallel()
	objects := objectstest.Objects(t, tree{"f.yaml": "apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: a}, spec: {x: 1}}]\n"})
	want := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "a"}, "spec": map[string]any{"x": int64(1)},
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if diff := cmp.Diff(want, objects[0].JSON()); diff != "" {
				t.Error(diff)
			}
		})
	}
	group.Wait()
}

func TestObjectPosition(t *testing.T) {
	t.Parallel()
	objects := objectstest.Objects(t, tree{"f.yaml": "apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n  spec:\n    serviceAccount: a\n"})
	for path, want := range map[string]string{
		"spec.serviceAccount":     "f.yaml:6:5",
		"spec.serviceAccountName": "f.yaml:5:3",
	} {
		parsed, err := manifest.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := objects[0].Position(parsed).String(); got != want {
			t.Errorf("%s is at %s, want %s", path, got, want)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	var items []string
	for range 11 {
		items = append(items, "{kind: Pod}")
	}
	objs := objectstest.Objects(t, tree{"f.yaml": "{kind: List, items: [" + strings.Join(items, ", ") + "]}"})
	if objects.Compare(objs[2], objs[10]) >= 0 {
		t.Error("items[10] comes before items[2]")
	}
}
