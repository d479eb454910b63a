package installer

import (
	"context"
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/olm"
)

// tree is a repository in memory.
type tree = filestest.Tree

func read(t *testing.T, files tree, target string) *loader.Repository {
	t.Helper()
	options := loader.Options{Kinds: loader.Kinds(loader.RBAC(), loader.Installers())}
	if target != "" {
		asked, err := olm.ParseTarget(target)
		if err != nil {
			t.Fatal(err)
		}
		options.Asked = func(string) (olm.Target, bool) { return asked, true }
	}
	w, err := loader.Read(context.Background(), loadertest.Repository{Tree: files}, options)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// extension is a manifest of an extension with further lines in its spec.
func extension(name string, lines ...string) string {
	text := "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: " + name + "\nspec:\n"
	for _, line := range append(lines, "source: {sourceType: Catalog, catalog: {packageName: x}}") {
		text += "  " + line + "\n"
	}
	return text
}

const account = "serviceAccount: {name: installer}"

func TestFind(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		files  tree
		target string
		choice Choice
		// user is the installer, or failure the beginning of the error.
		user, failure string
	}{
		"its account": {
			files: tree{"x.yaml": extension("harbor", "namespace: ns", account)}, target: "olm-1.10",
			user: "system:serviceaccount:ns:installer",
		},
		"the synthetic user": {
			files: tree{"x.yaml": extension("harbor", "namespace: ns")}, target: "synthetic", user: "olm:clusterextension:harbor",
		},
		"no account, and no word about the release": {
			files:   tree{"x.yaml": extension("harbor", "namespace: ns")},
			failure: "x.yaml:1:1: the extension harbor has no account, and the release is unknown",
		},
		"no account under synthetic": {
			files: tree{"x.yaml": extension("harbor", "namespace: ns")}, target: "synthetic", user: "olm:clusterextension:harbor",
		},
		"no account where one is required": {
			files: tree{"x.yaml": extension("harbor", "namespace: ns")}, target: "olm-1.10",
			failure: "x.yaml:1:1: the extension harbor has no account, which olm-1.10 rejects",
		},
		"the placeholder": {
			files: tree{"x.yaml": extension("harbor", "namespace: ns", "serviceAccount: {name: olm.synthetic-user}")}, target: "olm-1.9",
			user: "olm:clusterextension:harbor",
		},
		"the placeholder before it was one": {
			files: tree{"x.yaml": extension("harbor", "namespace: ns", "serviceAccount: {name: olm.synthetic-user}")}, target: "olm-1.2",
			user: "system:serviceaccount:ns:olm.synthetic-user",
		},
		"another account": {
			files: tree{"x.yaml": extension("harbor", "namespace: ns", account)}, choice: Choice{Account: "other"},
			user: "system:serviceaccount:ns:other",
		},
		"an account that is filled in later": {
			files:   tree{"x.yaml": extension("harbor", "namespace: ns", `serviceAccount: {name: "${ACCOUNT}"}`)},
			failure: "x.yaml:7:3: the account of the extension harbor contains a variable that is filled in later",
		},
		"a namespace that is filled in later": {
			files:   tree{"x.yaml": extension("harbor", `namespace: "${NAMESPACE}"`, account)},
			failure: "the installation namespace ${NAMESPACE} contains a variable that is filled in later",
		},
		"a namespace that the user names": {
			files: tree{"x.yaml": extension("harbor", `namespace: "${NAMESPACE}"`, account)}, choice: Choice{Namespace: "real"},
			user: "system:serviceaccount:real:installer",
		},
		"several": {
			files:   tree{"x.yaml": extension("b", account), "y.yaml": extension("a", account)},
			failure: "the repository has several extensions. Pass one with --extension: a, b",
		},
		"one of several": {
			files:  tree{"x.yaml": extension("b", "namespace: ns"), "y.yaml": extension("a", account)},
			choice: Choice{Extension: "b"}, target: "synthetic", user: "olm:clusterextension:b",
		},
		"one of several by its file": {
			files:  tree{"x.yaml": extension("b", "namespace: ns"), "y.yaml": extension("a", account)},
			choice: Choice{Selected: func(file string) bool { return file == "x.yaml" }}, target: "synthetic", user: "olm:clusterextension:b",
		},
		"the same one in two folders": {
			files:   tree{"a/x.yaml": extension("b", "namespace: ns"), "b/x.yaml": extension("b", "namespace: ns")},
			failure: "the extension b exists several times. Pass the path of one: a/x.yaml:1; b/x.yaml:1",
		},
		"none": {files: tree{}, failure: "the repository has no extension"},
		"a mistyped one": {
			files: tree{"x.yaml": extension("harbor", account)}, choice: Choice{Extension: "habor"},
			failure: `the extension "habor" is not in the repository (did you mean harbor?)`,
		},
		"one that is yet to come": {
			files: tree{}, choice: Choice{Extension: "new", Namespace: "ns", Account: "me"}, user: "system:serviceaccount:ns:me",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := Find(read(t, test.files, test.target), test.choice)
			switch {
			case test.failure != "" && (err == nil || !strings.HasPrefix(err.Error(), test.failure)):
				t.Errorf("got  %v\nwant %s…", err, test.failure)
			case test.failure == "" && err != nil:
				t.Error(err)
			case test.failure == "" && found.Identity.User != test.user:
				t.Errorf("installed by %s, want %s", found.Identity.User, test.user)
			}
		})
	}
}

func TestActing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		target, runtime string
		acts            bool
	}{
		{"olm-1.10", "", true},
		{"olm-1.11", "", false},
		{"ignored", "", false},
		{"removed", "", false},
		{"synthetic", "", true},
		{"ocp-4.20", "", true},
		{"olm-1.6", olm.BoxcutterRuntime, false},
		{"olm-1.8", olm.BoxcutterRuntime, true},
	}
	for _, test := range tests {
		w := read(t, tree{"x.yaml": extension("harbor", "namespace: ns", account)}, test.target)
		found, err := Find(w, Choice{Runtime: test.runtime})
		if err != nil {
			t.Fatalf("%s %s: %v", test.target, test.runtime, err)
		}
		if acts := found.Acting != AsOwnAccount; acts != test.acts {
			t.Errorf("%s %s: OLM acts as the identity: %v (%s)", test.target, test.runtime, acts, found.Reason)
		}
	}
}

// A placeholder stands for the synthetic identity only if its gate is on, which is unknown here.
func TestCondition(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"serviceAccount: {name: olm.synthetic-user}": "if the gate SyntheticPermissions is on",
		account: "",
	} {
		w := read(t, tree{"x.yaml": extension("harbor", "namespace: ns", text)}, "olm-1.10")
		found, err := Find(w, Choice{})
		if err != nil {
			t.Fatal(err)
		}
		if found.Condition != want {
			t.Errorf("%s: %q, want %q", text, found.Condition, want)
		}
	}
}

func TestListed(t *testing.T) {
	t.Parallel()
	names := strings.Split("abcdefghijkl", "")
	if got, want := listed(names, " "), "a b c d e f g h i j and 2 more"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := listed(names[:2], "; "), "a; b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
