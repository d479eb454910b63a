package uses_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/filestest"
)

// tree is a repository in memory.
type tree = filestest.Tree

// texts yields the files of the repository in their order.
func texts(tr tree) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, file := range tr.Names() {
			if !yield(file, []byte(tr[file])) {
				return
			}
		}
	}
}

func placesIn(t *testing.T, tr tree, name string) []string {
	t.Helper()
	found, err := uses.Find(t.Context(), texts(tr), []string{"unrelated", name})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range found[name] {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s:%d %s %s %s", m.File, m.Line, m.Kind, m.Ref, m.Path)))
	}
	return all
}

func TestFind(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		tree tree
		want []string
	}{
		{
			"in objects",
			tree{"a.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: installer\n  namespace: ns\n---\n" +
				"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n  name: b\n" +
				"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\n" +
				"subjects: [{kind: ServiceAccount, namespace: ns, name: installer}]\n"},
			[]string{"a.yaml:4 ServiceAccount a.yaml#0/ metadata.name", "a.yaml:12 ClusterRoleBinding a.yaml#1/ subjects[0].name"},
		},
		{
			"in an object of a list",
			tree{"a.json": `{"kind": "List", "note": "installer", "items": [{"kind": "Pod", "spec": {"serviceAccountName": "installer"}}]}`},
			[]string{"a.json:1 List", "a.json:1 Pod a.json#0/items[0] spec.serviceAccountName"},
		},
		{
			"in an object that another one holds",
			tree{"a.yaml": "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nspec:\n  rules:\n  - generate:\n      apiVersion: example.com/v1\n      kind: K\n" +
				"      name: n\n      data:\n        spec: {account: installer}\n"},
			[]string{"a.yaml:10 K a.yaml#0/spec.rules[0].generate.data spec.account"},
		},
		{
			"the default of a variable",
			tree{"a.sh": "run ${SA:-installer} ${SA-installer} ${A_B-installer.ns} ${SA:=installer}\nnot-installer ${SA}-installer.\n"},
			[]string{"a.sh:1", "a.sh:1", "a.sh:1", "a.sh:1", "a.sh:2"},
		},
		{
			"a key is a mention",
			tree{"a.yaml": "kind: X\ninstaller: {}\n"},
			[]string{"a.yaml:2 X a.yaml#0/ installer"},
		},
		{
			"a longer name is another name",
			tree{"a.yaml": "kind: X\na: my-installer\nb: installer-2\nc: installer_x\nd: Installer\ne: xinstaller\n"},
			nil,
		},
		{
			"with punctuation around it",
			tree{"a.txt": "the installer. (installer) \"installer\", --account=installer ns/installer system:serviceaccount:ns:installer\n"},
			[]string{"a.txt:1", "a.txt:1", "a.txt:1", "a.txt:1", "a.txt:1", "a.txt:1"},
		},
		{
			"dotted words, but not the names of files",
			tree{"a.tf": "kubernetes_service_account.installer.metadata\ninstaller.ns.serviceaccount.identity.linkerd.cluster.local\ninstaller.yaml other.installer.yaml\n"},
			[]string{"a.tf:1", "a.tf:2"},
		},
		{
			"names of hosts have no names of accounts",
			tree{"a.conf": "server installer.example.com;\nproxy http://installer.edge:80/ tcp://api.installer\ninstaller.ns.svc.cluster.local\n" +
				"installer.metadata.name\nvault://installer.edge\ninstaller.token\nhttp://installer:80\n"},
			[]string{"a.conf:4", "a.conf:5", "a.conf:6", "a.conf:7"},
		},
		{
			"after an escape sequence",
			tree{"a.json": `{"kind": "X", "script": "run\ninstaller\tinstaller.x \u0020installer\\n"}`},
			[]string{"a.json:1 X a.json#0/ script", "a.json:1 X a.json#0/ script", "a.json:1 X a.json#0/ script"},
		},
		{
			"comments do not count",
			tree{"a.yaml": "# installer\nkind: X # installer\na: b\n# installer\n---\n# installer\n---\nkind: Y\n"},
			nil,
		},
		{
			"text that only looks like a comment",
			tree{"a.yaml": "kind: X\na: |\n  # installer\nb: \"x\n  # installer\"\nc: x#installer\n"},
			[]string{"a.yaml:3 X a.yaml#0/ a", "a.yaml:5 X a.yaml#0/ b", "a.yaml:6 X a.yaml#0/ c"},
		},
		{
			"comments in other languages count",
			tree{"a.sh": "# installer\n", "README.md": "# installer\n"},
			[]string{"README.md:1", "a.sh:1"},
		},
		{
			"a template cannot be parsed, so nothing in it is a comment for certain",
			tree{"t/a.yaml": "kind: X\n{{- if .Values.a }}\n# installer\n{{- end }}\n"},
			[]string{"t/a.yaml:3 X"},
		},
		{"not a manifest", tree{"a.yaml": "- installer\n"}, []string{"a.yaml:1"}},
		{"a binary file", tree{"a.bin": "installer\x00installer"}, nil},
		{
			"with escapes for a part of the name",
			tree{"a.yaml": "kind: X\na: \"inst\\x61ller\"\nb: \"inst\\\n  aller\"\n", "b.json": `{"kind": "X", "a": "inst\u0061ller"}`},
			[]string{"a.yaml:2 X a.yaml#0/ a", "a.yaml:3 X a.yaml#0/ b", "b.json:1 X b.json#0/ a"},
		},
		{
			"text in UTF-16, and a manifest with a zero byte",
			tree{"a.ps1": "\xff\xfei\x00n\x00s\x00t\x00a\x00l\x00l\x00e\x00r\x00", "b.yaml": "kind: X\na: installer #\x00\n"},
			[]string{"a.ps1:1", "b.yaml:2 X b.yaml#0/ a"},
		},
		{"a kustomization", tree{"Kustomization": "namePrefix: installer # installer\n"}, []string{"Kustomization:1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, placesIn(t, test.tree, "installer")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFindOfATemplatedName checks that a name with placeholders is searched for by the word in it.
func TestFindOfATemplatedName(t *testing.T) {
	t.Parallel()
	tr := tree{"a.yaml": "kind: Template\nobjects:\n- {kind: Pod, spec: {serviceAccountName: \"${ACCOUNT}\"}}\nparameters: [{name: ACCOUNT}]\n"}
	want := []string{"a.yaml:3 Pod a.yaml#0/objects[0] spec.serviceAccountName", "a.yaml:4 Template"}
	if diff := cmp.Diff(want, placesIn(t, tr, "${ACCOUNT}")); diff != "" {
		t.Error(diff)
	}
}

// TestFindByTemplates checks that a templated word counts if its suffix matches, or if its prefix matches near words
// about accounts.
func TestFindByTemplates(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want bool
	}{
		{"${APP}-installer", true},
		{"$APP-installer", true},
		{"$(APP)-installer", true},
		{"{{ .Values.sa }}-installer", true},
		{"printf \"%s-installer\"", true},
		{"va${X}-installer", true},
		{"serviceAccountName: vault-${X}", true},
		{"image: vault-${X}", false},
		{"version: v${X}", false},
		{"${APP}-installer.yaml", false},
		{"${APP}-operator", false},
	}
	for _, test := range tests {
		found, err := uses.Find(t.Context(), texts(tree{"a.txt": test.text}), []string{"vault-installer"})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(found["vault-installer"]) > 0; got != test.want {
			t.Errorf("%s: %v", test.text, got)
		}
	}
}

func TestFindOfADottedName(t *testing.T) {
	t.Parallel()
	tr := tree{"a.txt": "operator.v0.6 x.operator.v0.6 operator\n"}
	if diff := cmp.Diff([]string{"a.txt:1"}, placesIn(t, tr, "operator.v0.6")); diff != "" {
		t.Error(diff)
	}
}

// TestFindOfInvalidNames checks that one invalid name does not prevent the search for others.
func TestFindOfInvalidNames(t *testing.T) {
	t.Parallel()
	tr := tree{"a.txt": "--- ${} installer\n"}
	for _, name := range []string{"", "---", "${}"} {
		found, err := uses.Find(t.Context(), texts(tr), []string{name, "installer"})
		if err != nil || len(found[name]) > 0 || len(found["installer"]) != 1 {
			t.Errorf("%q: %v, error %v", name, found, err)
		}
	}
}

func TestFindCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := uses.Find(ctx, texts(tree{"a": "b"}), []string{"b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestFindAreLimited checks that the mentions of one file are limited, with one that represents the rest.
func TestFindAreLimited(t *testing.T) {
	t.Parallel()
	tr := tree{"a.yaml": "kind: X\nlist:\n" + strings.Repeat("- installer\n", 5000)}
	found, err := uses.Find(t.Context(), texts(tr), []string{"installer"})
	if err != nil {
		t.Fatal(err)
	}
	mentions := found["installer"]
	last := mentions[len(mentions)-1]
	if len(mentions) != 1001 || last.Ref != "" || mentions[999].Ref == "" {
		t.Errorf("%d mentions, the last %+v", len(mentions), last)
	}
}

// TestFindAfterManyComments checks that a mention after a thousand comments counts.
func TestFindAfterManyComments(t *testing.T) {
	t.Parallel()
	tr := tree{"a.yaml": strings.Repeat("# installer\n", 2000) + "kind: X\na: installer\n"}
	if diff := cmp.Diff([]string{"a.yaml:1001"}, placesIn(t, tr, "installer")); diff != "" {
		t.Error(diff)
	}
}

// TestFindAreLinear checks that the effort depends on the bytes and not on the number or form of names: a search that
// compares each with each would not end here.
func TestFindAreLinear(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("searches some megabytes")
	}
	var names []string
	for i := range 20_000 {
		names = append(names, fmt.Sprintf("a.a.a.a-%d", i), fmt.Sprintf("${A}-%d", i))
	}
	tr := tree{"a.txt": strings.Repeat("a.", 1<<20), "b.txt": strings.Repeat("{A} a-", 1<<18), "c.txt": strings.Repeat("\\", 1<<20)}
	if _, err := uses.Find(t.Context(), texts(tr), names); err != nil {
		t.Error(err)
	}
}

// TestMayBeInObject compares the answer, which decides whether a file is searched, with the search.
func TestMayBeInObject(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"apiVersion: ", "kind: Policy\n", "metadata: {name: a}\n", "kyverno.io", "kyverno.io/v1\n", "\"kyv\\u0065rno.io/v1\"\n", "\"kyv\\x65rno.io\"\n",
		"${PREFIX}.io/v1\n", "{{ .Group }}\n", "$(GROUP)/v1\n", "%s/v1\n", "\n---\n", "# kyverno.io\n", "spec: {a: [kyverno.io, b]}\n", "x", "\x00", "\"kyverno\\\n  .io/v1\"\n", "\n",
	}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 20_000 {
		var text strings.Builder
		if r.IntN(2) == 0 {
			text.WriteString("kind: Policy\nmetadata: {name: a}\napiVersion: ")
		}
		for range 1 + r.IntN(8) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		all, err := uses.Find(t.Context(), texts(tree{"a.yaml": text.String()}), []string{"kyverno.io"})
		if err != nil {
			t.Fatal(err)
		}
		inObject := slices.ContainsFunc(all["kyverno.io"], func(m uses.Place) bool { return m.Ref != "" })
		if inObject {
			found++
		}
		if inObject && !uses.MayBeInObject("a.yaml", []byte(text.String()), []string{"kyverno.io"}) {
			t.Fatalf("not searched, but found: %q", text.String())
		}
	}
	if found < 100 {
		t.Errorf("only %d of the texts have a mention in an object", found)
	}
	if uses.MayBeInObject("a.yaml", []byte("kind: ConfigMap\n"), []string{"kyverno.io"}) {
		t.Error("a file without the name is searched")
	}
	if uses.MayBeInObject("README.md", []byte("kyverno.io"), []string{"kyverno.io"}) {
		t.Error("a file without objects is searched")
	}
}

// FuzzFind searches arbitrary bytes.
func FuzzFind(f *testing.F) {
	f.Add("a: \\\\\\ua \\xa a.a..a. -a-\n")
	f.Add("kind: Pod\nmetadata: {name: &n a}\nspec: {serviceAccountName: *n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := uses.Find(t.Context(), texts(tree{"k/kustomization.yaml": text}), []string{"a", "${b}", "c.d"}); err != nil {
			t.Error(err)
		}
	})
}
