package objects_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// place returns objects of one kind and name that differ only in their file.
func place(t *testing.T, text string, files ...string) []*objects.Object {
	t.Helper()
	tr := tree{}
	for _, file := range files {
		tr[file] = text
	}
	return objectstest.Objects(t, tr)
}

func TestOwns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		extensions []string // files with an extension of the same name
		binding    string
		owners     []string
	}{
		{"the only one, in the same folder", []string{"prod/e.yaml"}, "prod/b.yaml", []string{"prod/e.yaml"}},
		{"the only one owns a file above it", []string{"prod/e.yaml"}, "b.yaml", []string{"prod/e.yaml"}},
		{"the only one owns a file in another folder", []string{"prod/e.yaml"}, "rbac/cluster/b.yaml", []string{"prod/e.yaml"}},
		{"each its own: prod", []string{"dev/e.yaml", "prod/e.yaml"}, "prod/b.yaml", []string{"prod/e.yaml"}},
		{"each its own: dev, further down", []string{"dev/e.yaml", "prod/e.yaml"}, "dev/rbac/b.yaml", []string{"dev/e.yaml"}},
		{"at the root is a tie", []string{"dev/e.yaml", "prod/e.yaml"}, "b.yaml", []string{"dev/e.yaml", "prod/e.yaml"}},
		{"in a folder of neither is a tie", []string{"dev/e.yaml", "prod/e.yaml"}, "common/b.yaml", []string{"dev/e.yaml", "prod/e.yaml"}},
		{"depth counts in folders", []string{"a/b/c/e.yaml", "long-name/e.yaml"}, "long-name/x/b.yaml", []string{"long-name/e.yaml"}},
		{"one at the root, one below", []string{"e.yaml", "prod/e.yaml"}, "prod/b.yaml", []string{"prod/e.yaml"}},
		{"one at the root, one below, from the root", []string{"e.yaml", "prod/e.yaml"}, "b.yaml", []string{"e.yaml", "prod/e.yaml"}},
		{"folders with a common name prefix", []string{"prod/e.yaml", "prod-eu/e.yaml"}, "prod-eu/b.yaml", []string{"prod-eu/e.yaml"}},
		{"a common grandparent decides", []string{"eu/dev/e.yaml", "us/dev/e.yaml"}, "eu/rbac/b.yaml", []string{"eu/dev/e.yaml"}},
		{"two files of one folder are a tie", []string{"a/one.yaml", "a/two.yaml"}, "a/one.yaml/b.yaml", []string{"a/one.yaml", "a/two.yaml"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			namesakes := place(t, extension("argocd", "argocd", "installer"), test.extensions...)
			candidate := place(t, binding("b", "argocd", "installer"), test.binding)[0]
			u := &objects.Unit{Kind: objects.PlainUnit}
			var owners []string
			for _, from := range namesakes {
				owned, tie := u.Owns(from, namesakes, candidate)
				if owned {
					owners = append(owners, from.File)
				}
				if want := owned && len(test.owners) > 1; want != (tie != nil) {
					t.Errorf("%s: tie %v", from.File, fileNames(tie))
				} else if want {
					if diff := cmp.Diff(test.owners, fileNames(tie)); diff != "" {
						t.Errorf("%s: tie %s", from.File, diff)
					}
				}
			}
			if diff := cmp.Diff(test.owners, owners); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOwnsFromOutside checks that the owner need not be one of the namesakes: it can be an object that does not refer to
// the candidate.
func TestOwnsFromOutside(t *testing.T) {
	t.Parallel()
	u := &objects.Unit{Kind: objects.PlainUnit}
	objs := place(t, extension("argocd", "argocd", "installer"), "dev/e.yaml", "prod/e.yaml", "prod/eu/e.yaml")
	dev, prod, eu := objs[0], objs[1], objs[2]
	candidate := place(t, binding("b", "argocd", "installer"), "prod/eu/b.yaml")[0]
	if owned, _ := u.Owns(dev, []*objects.Object{prod}, candidate); owned {
		t.Error("dev owns a file that is nearer to prod")
	}
	if owned, tie := u.Owns(eu, []*objects.Object{prod}, candidate); !owned || tie != nil {
		t.Errorf("owned %v, tie %v", owned, fileNames(tie))
	}
	other := place(t, binding("b", "argocd", "installer"), "prod/b.yaml")[0]
	if owned, tie := u.Owns(eu, []*objects.Object{dev, prod}, other); !owned || len(tie) != 2 {
		t.Errorf("owned %v, tie %v", owned, fileNames(tie))
	}
	if owned, tie := u.Owns(dev, nil, candidate); !owned || tie != nil {
		t.Errorf("alone: owned %v, tie %v", owned, fileNames(tie))
	}
}

func TestEverythingIsOwnedInAKustomization(t *testing.T) {
	t.Parallel()
	u := &objects.Unit{Kind: objects.KustomizationUnit}
	objects := place(t, extension("argocd", "argocd", "installer"), "dev/e.yaml", "prod/e.yaml")
	candidates := place(t, account("argocd", "installer"), "dev/a.yaml", "other/a.yaml")
	if owned, tie := u.Owns(objects[1], objects, candidates[0]); !owned || tie != nil {
		t.Errorf("owned %v, tie %v", owned, tie)
	}
	if owned, tie := u.Near(objects[0], candidates); len(owned) != 2 || tie != nil {
		t.Errorf("owned %v, tie %v", fileNames(owned), fileNames(tie))
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		from       string
		candidates map[string]string // namespace by file
		owned, tie []string
	}{
		{"none", "a/pod.yaml", nil, nil, nil},
		{"the only one, in another folder", "b/pod.yaml", map[string]string{"a/sa.yaml": "x"}, []string{"a/sa.yaml"}, nil},
		{"the nearest", "prod/pod.yaml", map[string]string{"prod/sa.yaml": "x", "dev/sa.yaml": "x"}, []string{"prod/sa.yaml"}, nil},
		{"a tie", "pod.yaml", map[string]string{"prod/sa.yaml": "x", "dev/sa.yaml": "x"}, []string{"dev/sa.yaml", "prod/sa.yaml"}, []string{"dev/sa.yaml", "prod/sa.yaml"}},
		{"two namespaces are two accounts", "prod/pod.yaml", map[string]string{"prod/sa.yaml": "x", "dev/sa.yaml": "y"}, []string{"dev/sa.yaml", "prod/sa.yaml"}, nil},
		{"an unknown namespace that is nearer", "prod/pod.yaml", map[string]string{"prod/sa.yaml": "", "dev/sa.yaml": "x"}, []string{"prod/sa.yaml"}, nil},
		{"an unknown namespace that is farther", "prod/pod.yaml", map[string]string{"prod/sa.yaml": "x", "dev/sa.yaml": ""}, []string{"prod/sa.yaml"}, nil},
		{"an unknown namespace that is as near", "prod/pod.yaml", map[string]string{"prod/sa.yaml": "x", "prod/sb.yaml": ""}, []string{"prod/sa.yaml", "prod/sb.yaml"}, []string{"prod/sa.yaml", "prod/sb.yaml"}},
		{
			"an unknown namespace between two known ones", "prod/eu/pod.yaml",
			map[string]string{"prod/eu/sa.yaml": "x", "dev/sa.yaml": "y", "prod/sa.yaml": ""},
			[]string{"prod/eu/sa.yaml", "prod/sa.yaml"}, nil,
		},
		{"two unknown ones", "pod.yaml", map[string]string{"a/sa.yaml": "", "b/sa.yaml": ""}, []string{"a/sa.yaml", "b/sa.yaml"}, []string{"a/sa.yaml", "b/sa.yaml"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tr := tree{}
			for file, namespace := range test.candidates {
				tr[file] = account(namespace, "installer")
			}
			from := place(t, manifestOf("v1", "Pod", "x", "p"), test.from)[0]
			u := &objects.Unit{Kind: objects.PlainUnit}
			owned, tie := u.Near(from, objectstest.Objects(t, tr))
			if diff := cmp.Diff(test.owned, fileNames(owned)); diff != "" {
				t.Errorf("owned: %s", diff)
			}
			if diff := cmp.Diff(test.tie, fileNames(tie)); diff != "" {
				t.Errorf("tie: %s", diff)
			}
		})
	}
}

func TestNamesakes(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{
		"a.yaml": account("x", "installer"),
		"b.yaml": account("", "installer"),
		"c.yaml": account("y", "installer"),
		"d.yaml": account("x", "other"),
		"e.yaml": manifestOf("example.com/v1", "ServiceAccount", "x", "installer"),
		"f.yaml": "apiVersion: v1\nkind: ServiceAccount\n",
	})
	for file, want := range map[string][]string{
		"a.yaml": {"a.yaml", "b.yaml"},
		"b.yaml": {"a.yaml", "b.yaml", "c.yaml"},
		"f.yaml": {"f.yaml"},
	} {
		if diff := cmp.Diff(want, fileNames(u.Namesakes(u.Object(file+"#0/")))); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}
