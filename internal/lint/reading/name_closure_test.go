package reading

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
)

func TestVisibleNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		names   []string
		certain bool
	}{
		"metadata:\n  name: a\nsubjects:\n- name: 'b' # c\n":       {[]string{"a", "b"}, true},
		"{\"name\": \"a\", \"x\": {\"serviceAccountName\":\"b\"}}": {[]string{"a", "b"}, true},
		"{name: a, namespace: n, username: u}":                     {[]string{"a", "u"}, true},
		"name: &n a\n":                                             {nil, false},
		"name: *n\n":                                               {nil, false},
		"name: {{ .name }}":                                        {nil, false},
		"name: \"\\u0061\"":                                        {nil, false},
		"name:\n  a\n":                                             {nil, false},
		"name: ${NAME}\r\n":                                        {nil, false},
		"# name: a\nfame: x":                                       {[]string{"a"}, true},
	} {
		names, certain := visibleNames([]byte(text))
		if diff := cmp.Diff(want.names, names); diff != "" || certain != want.certain {
			t.Errorf("%q: certain is %v, names (-want +got):\n%s", text, certain, diff)
		}
	}
}

// TestNameClosure follows names from an extension: its account, the bindings of the account, their roles, and other holders of
// these roles, except for roles that every cluster has.
func TestNameClosure(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"account":  "kind: ServiceAccount\nmetadata:\n  name: installer\n",
		"binding":  "kind: ClusterRoleBinding\nmetadata:\n  name: b1\nroleRef: {name: installing}\nsubjects: [{name: installer}]\n",
		"role":     "kind: ClusterRole\nmetadata:\n  name: installing\n",
		"shared":   "kind: ClusterRoleBinding\nmetadata:\n  name: b2\nroleRef: {name: installing}\nsubjects: [{name: other}]\n",
		"viewer":   "kind: RoleBinding\nmetadata:\n  name: b3\nroleRef: {name: view}\nsubjects: [{name: installer}]\n",
		"viewers":  "kind: RoleBinding\nmetadata:\n  name: b4\nroleRef: {name: view}\nsubjects: [{name: somebody}]\n",
		"view":     "kind: ClusterRole\nmetadata:\n  name: view\n",
		"group":    "kind: RoleBinding\nmetadata:\n  name: b5\nsubjects: [{name: \"system:serviceaccounts:ns\"}]\n",
		"anchored": "kind: RoleBinding\nmetadata:\n  name: &n b6\nsubjects: [{name: *n}]\n",
		"stranger": "kind: ServiceAccount\nmetadata:\n  name: stranger\n",
	}
	r, names := newNameClosure(), map[*manifest.Document]string{}
	for name, text := range texts {
		doc := manifest.Scan(name, []byte(text)).Docs[0]
		names[doc] = name
		r.add(readNames(doc))
	}
	seed := manifest.Scan("seed", []byte("kind: ClusterExtension\nspec:\n  serviceAccount:\n    name: installer\n")).Docs
	var got []string
	for _, doc := range r.reach(seed, "") {
		got = append(got, names[doc])
	}
	slices.Sort(got)
	want := []string{"account", "anchored", "binding", "group", "role", "shared", "view", "viewer"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNameClosureOfWhatAnExtensionNamed follows an extension without an account to the account that it may have had before.
func TestNameClosureOfWhatAnExtensionNamed(t *testing.T) {
	t.Parallel()
	r := newNameClosure()
	r.add(readNames(manifest.Scan("binding", []byte("kind: RoleBinding\nmetadata:\n  name: b\nsubjects: [{name: harbor-installer}]\n")).Docs[0]))
	seed := manifest.Scan("seed", []byte("kind: ClusterExtension\nmetadata:\n  name: harbor\n")).Docs
	if found := r.reach(seed, ""); len(found) != 1 {
		t.Errorf("%d documents lead to the extension, want 1", len(found))
	}
}

// TestNameClosureOfUnusualSpellings finds the account for every spelling of its name in the extension.
func TestNameClosureOfUnusualSpellings(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"name: &x installer", "name: !!str installer", "name: >-\n      installer", "name:\n      installer",
		"name: \"install\\x65r\"", "{name:\n    installer}", "name: *n",
	} {
		if !strings.HasPrefix(name, "{") {
			name = "\n    " + name
		}
		text := "kind: ClusterExtension\nmetadata:\n  labels: {x: &n installer}\nspec:\n  serviceAccount: " + name + "\n"
		r := newNameClosure()
		account := manifest.Scan("a.yaml", []byte("kind: ServiceAccount\nmetadata:\n  name: installer\n")).Docs[0]
		r.add(readNames(account))
		if found := r.reach(manifest.Scan("b.yaml", []byte(text)).Docs, ""); len(found) != 1 {
			t.Errorf("%q: found %d documents, want the account", name, len(found))
		}
	}
}

// BenchmarkNameClosure measures that the time grows with the number of documents, however many of them share a name.
func BenchmarkNameClosure(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var text strings.Builder
			for i := range n {
				fmt.Fprintf(&text, "---\nkind: RoleBinding\nmetadata:\n  name: b%d\nroleRef: {name: shared}\nsubjects: [{name: a%d}]\n", i, i%10)
			}
			docs := manifest.Scan("x", []byte(text.String())).Docs
			for b.Loop() {
				r := newNameClosure()
				for _, doc := range docs[1:] {
					r.add(readNames(doc))
				}
				if len(r.reach(docs[:1], "")) != n-1 {
					b.Fatal("not all were found")
				}
			}
		})
	}
}
