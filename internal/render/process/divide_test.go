package process

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/salint/salint/internal/render/protocol"
)

// folder is a tree of files in memory, by name.
type folder map[string]string

func (f folder) ask(q protocol.Query) protocol.Answer {
	if data, ok := f[q.Path]; ok {
		return protocol.Answer{Path: q.Path, Data: []byte(data)}
	}
	for name := range f {
		if strings.HasPrefix(name, q.Path+"/") && !q.Read {
			return protocol.Answer{Path: q.Path, Dir: true}
		}
	}
	return protocol.Answer{Error: errors.New(q.Path + " does not exist").Error()}
}

// build builds a folder as a whole, and in parts; nil if it is not built in parts.
func build(t *testing.T, f folder, dir string) (whole, divided []string, err error) {
	t.Helper()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified
	built, err := krusty.MakeKustomizer(options).Run(newFiles(f), dir)
	parts, ok := divide(newFiles(f), options, dir, sizes{minimum: 4, part: 2})
	if err != nil {
		if ok {
			t.Errorf("the whole cannot be built, but its parts: %v", err)
		}
		return nil, nil, err
	}
	if whole = texts(t, built.Resources()); ok {
		divided = texts(t, parts)
	}
	return whole, divided, nil
}

func texts(t *testing.T, all []*resource.Resource) []string {
	t.Helper()
	texts := []string{}
	for _, r := range all {
		data, err := objectJSON(r)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	return texts
}

// TestNotDivided builds folders that only the whole build reads as kustomize does.
func TestNotDivided(t *testing.T) {
	t.Parallel()
	namespaces := func(name string) string {
		return "apiVersion: v1\nkind: NamespaceList\nitems: [{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}]\n"
	}
	for name, file := range map[string]string{
		"a sequence": "- a\n", "a sequence in a list": "apiVersion: v1\nkind: List\nitems: [[a]]\n",
		"a typed list": namespaces("x"), "a list in a list": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Namespace, metadata: {name: x}}]}\n",
	} {
		f := folder{"/r/top/kustomization.yaml": "resources: [odd.yaml, many.yaml, last.yaml]\nnamespace: prod\n", "/r/top/odd.yaml": file, "/r/top/last.yaml": namespaces("y")}
		for i := range 6 {
			f["/r/top/many.yaml"] += fmt.Sprintf("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: many-%d}\n", i)
		}
		options := krusty.MakeDefaultOptions()
		options.Reorder = krusty.ReorderOptionUnspecified
		if _, ok := divide(newFiles(f), options, "/r/top", sizes{minimum: 4, part: 2}); ok {
			t.Errorf("%s: the folder is built in parts", name)
		}
		_, err := krusty.MakeKustomizer(options).Run(newFiles(f), "/r/top")
		if _, got := buildFolder(newFiles(f), options, "/r/top", sizes{minimum: 4, part: 2}); fmt.Sprint(got) != fmt.Sprint(err) {
			t.Errorf("%s: %v, want %v", name, got, err)
		}
	}
}

// recorder notes the files that are read.
type recorder struct {
	folder
	read map[string]bool
}

func (r recorder) ask(q protocol.Query) protocol.Answer {
	if q.Read {
		r.read[q.Path] = true
	}
	return r.folder.ask(q)
}

// TestSmallFoldersAreNotReadAhead checks that a build that fails reads nothing that comes after the failure.
func TestSmallFoldersAreNotReadAhead(t *testing.T) {
	t.Parallel()
	r := recorder{folder{
		"/r/top/kustomization.yaml": "resources: [broken.yaml, secret.yaml]\nnamePrefix: p-\n", "/r/top/broken.yaml": "apiVersion: v1\nkind: ServiceAccount\n",
		"/r/top/secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n",
	}, map[string]bool{}}
	if _, err := buildFolder(newFiles(r), krusty.MakeDefaultOptions(), "/r/top", usualSizes); err == nil || r.read["/r/top/secret.yaml"] {
		t.Errorf("%v, read: %v", err, r.read)
	}
}

// TestDivideRandom builds random folders, whose objects often refer to each other or have the same name, as a whole and in parts.
func TestDivideRandom(t *testing.T) {
	t.Parallel()
	failed, divided := 0, 0
	const runs = 400
	for seed := range uint64(runs) {
		f := randomFolder(rand.New(rand.NewPCG(seed, 1)))
		whole, parts, err := build(t, f, "/r/top")
		switch {
		case err != nil:
			failed++
		case parts != nil:
			divided++
			if diff := cmp.Diff(whole, parts); diff != "" {
				t.Fatalf("seed %d (-whole +in parts):\n%s\n%v", seed, diff, f)
			}
		}
	}
	if divided < runs/10 || failed < runs/50 {
		t.Errorf("of %d folders only %d were built in parts, and %d cannot be built", runs, divided, failed)
	}
}

// randomFolder is an overlay over two bases, of which one can be over the other.
func randomFolder(r *rand.Rand) folder {
	f := folder{}
	pool := 6 + r.IntN(60)
	bases := []string{"/r/one", "/r/two"}
	for i, dir := range bases {
		var resources []string
		for n := range 2 + r.IntN(4) {
			name := fmt.Sprintf("f%d.yaml", n)
			resources = append(resources, name)
			f[path.Join(dir, name)] = randomFile(r, pool)
		}
		if i == 1 && r.IntN(3) == 0 {
			resources = append(resources, "../one")
		}
		f[path.Join(dir, "kustomization.yaml")] = randomKustomization(r, resources, pool)
	}
	resources := []string{"../one", "../two"}
	if r.IntN(3) == 0 {
		resources = append(resources, "own.yaml")
		f["/r/top/own.yaml"] = randomFile(r, pool)
	}
	f["/r/top/kustomization.yaml"] = randomKustomization(r, resources, pool) + "buildMetadata: [originAnnotations]\n"
	return f
}

// pick returns a name, which can be that of an object after a rename.
func pick(r *rand.Rand, pool int) string {
	name := fmt.Sprintf("n%d", r.IntN(pool))
	switch r.IntN(8) {
	case 0:
		return "p-" + name
	case 1:
		return name + "-s"
	case 2:
		return "q-p-" + name
	}
	return name
}

func randomKustomization(r *rand.Rand, resources []string, pool int) string {
	text := "resources: [" + strings.Join(resources, ", ") + "]\n"
	for _, field := range []string{
		"namePrefix: p-", "namePrefix: q-", "nameSuffix: -s", "namespace: " + pick(r, pool), "commonLabels: {team: a}",
		"labels: [{pairs: {x: y}, includeSelectors: true}]", "commonAnnotations: {nginx.ingress.kubernetes.io/auth-secret: " + pick(r, pool) + "}",
		"images: [{name: a, newTag: b}]",
	} {
		key, _, _ := strings.Cut(field, ":")
		if r.IntN(5) == 0 && !strings.Contains(text, key+":") {
			text += field + "\n"
		}
	}
	return text
}

// randomFile has objects of kinds that refer to others by name, namespace, or annotation.
func randomFile(r *rand.Rand, pool int) string {
	var documents []string
	for range 1 + r.IntN(3) {
		name, namespace := pick(r, pool), []string{"", "  namespace: " + pick(r, pool) + "\n", "  namespace: ns\n"}[r.IntN(3)]
		object := func(apiVersion, kind, body string) string {
			return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n%s%s", apiVersion, kind, name, namespace, body)
		}
		documents = append(documents, []string{
			object("v1", "ConfigMap", "data: {a: "+pick(r, pool)+"}\n"),
			object("v1", "ServiceAccount", "secrets: [{name: "+pick(r, pool)+"}]\n"),
			object("v1", "Secret", ""),
			object("v1", "Service", "spec: {selector: {a: b}}\n"),
			"apiVersion: v1\nkind: Namespace\nmetadata: {name: " + pick(r, pool) + "}\n",
			object("rbac.authorization.k8s.io/v1", "Role", "rules: [{apiGroups: [''], resources: [secrets], verbs: [get], resourceNames: ["+pick(r, pool)+"]}]\n"),
			object("rbac.authorization.k8s.io/v1", "RoleBinding", "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: "+pick(r, pool)+
				"}\nsubjects: [{kind: ServiceAccount, name: "+pick(r, pool)+", namespace: "+pick(r, pool)+"}]\n"),
			object("apps/v1", "Deployment", "spec:\n  template:\n    spec:\n      serviceAccountName: "+pick(r, pool)+
				"\n      containers: [{name: a, image: a, envFrom: [{configMapRef: {name: "+pick(r, pool)+"}}]}]\n"),
			object("networking.k8s.io/v1", "Ingress", "spec: {defaultBackend: {service: {name: "+pick(r, pool)+", port: {number: 80}}}}\n"),
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}\n- {apiVersion: v1, kind: Secret, metadata: {name: " + pick(r, pool) + "}}\n",
			object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "webhooks: [{name: a, clientConfig: {service: {name: "+pick(r, pool)+", namespace: "+pick(r, pool)+"}}}]\n"),
		}[r.IntN(11)])
	}
	return strings.Join(documents, "---\n")
}

// TestDivideRefuses lists kustomizations that are built as a whole, because their parts could differ from it.
func TestDivideRefuses(t *testing.T) {
	t.Parallel()
	base := folder{}
	var resources []string
	for i := range 6 {
		name := fmt.Sprintf("f%d.yaml", i)
		resources = append(resources, name)
		base["/r/"+name] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n", i)
	}
	list := "resources: [" + strings.Join(resources, ", ") + "]\n"
	for name, c := range map[string]struct {
		kustomization string
		more          folder
		divided       bool
	}{
		"only resources":         {list + "namePrefix: p-\n", nil, true},
		"a patch":                {list + "patches: [{patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: c1}, data: {a: b}}'}]\n", nil, false},
		"a generator":            {list + "configMapGenerator: [{name: g}]\n", nil, false},
		"an order":               {list + "sortOptions: {order: fifo}\n", nil, false},
		"an added name":          {list + "commonAnnotations: {a: c3}\n", nil, false},
		"a namespace, an object": {strings.Replace(list, "f0", "ns", 1) + "namespace: other\n", folder{"/r/ns.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n"}, false},
		"an alias":               {list, folder{"/r/f0.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: &a x}\ndata: {a: *a}\n"}, false},
		"all belong together":    {list, folder{"/r/f0.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: c1, b: c2, c: c3, d: c4, e: c5}\n"}, false},
		"the same name twice":    {list, folder{"/r/f0.yaml": base["/r/f1.yaml"]}, false},
		"a file is missing":      {strings.Replace(list, "f0", "none", 1), nil, false},
		"an empty base":          {strings.Replace(list, "f0.yaml", "b", 1), folder{"/r/b/kustomization.yaml": "namePrefix: x-\n"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := folder{"/r/kustomization.yaml": c.kustomization}
			for _, from := range []folder{base, c.more} {
				for name, text := range from {
					f[name] = text
				}
			}
			whole, parts, _ := build(t, f, "/r")
			if (parts != nil) != c.divided || parts != nil && !slices.Equal(whole, parts) {
				t.Errorf("built in parts: %t\n%s\n%s", parts != nil, whole, parts)
			}
		})
	}
}
