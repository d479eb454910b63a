package refusal_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/refusal"
)

// built returns kustomize's own verdict on a folder.
func built(tree filestest.Tree, dir string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	defer openapi.ResetOpenAPI()
	files := filesys.MakeFsInMemory()
	for name, text := range tree {
		if err := files.WriteFile("/"+name, []byte(text)); err != nil {
			return err
		}
	}
	_, err = krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/"+dir)
	return err
}

// maker writes random repositories, most of which have something that kustomize refuses.
type maker struct {
	*rand.Rand
	tree filestest.Tree
	// changes is set if kustomizations may change names, about which only a build decides.
	changes bool
}

func (m *maker) one(of ...string) string { return of[m.IntN(len(of))] }

func (m *maker) chance(percent int) bool { return m.IntN(100) < percent }

func (m *maker) object() string {
	name, kind := m.one("a", "b", "c", "d", "e", "f", "g", "h"), m.one("ServiceAccount", "ConfigMap", "Deployment", "Secret", "Service")
	namespace := m.one("", "", "\n  namespace: default", "\n  namespace: other")
	switch m.IntN(40) {
	case 0:
		return "metadata:\n  name: " + name + "\n"
	case 1:
		return "apiVersion: v1\nkind: " + kind + "\n"
	case 2:
		return "apiVersion: v1\nkind: " + kind + "\nmetadata:\n\tname: " + name + "\n"
	case 3:
		return "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ServiceAccount, metadata: {name: " + name + "}}\n"
	case 4:
		return "# nothing\n"
	case 5:
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata:\n  list:\n  -\n"
	case 6:
		return "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: " + name + "\n  namespace: " + m.one("x", "y") + "\n"
	case 7:
		return "- a\n- b\n"
	case 8:
		return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  name: twice\n"
	}
	return "apiVersion: v1\nkind: " + kind + "\nmetadata:\n  name: " + name + namespace + "\n"
}

func (m *maker) file(name string) {
	texts := []string{m.object()}
	for m.chance(25) {
		texts = append(texts, m.object())
	}
	m.tree[name] = strings.Join(texts, m.one("---\n", "---\n", "---\n", "--- # next\n", "--- text\n", "\n---\n"))
}

func (m *maker) list(field string, items ...string) string {
	return field + ":\n- " + strings.Join(items, "\n- ") + "\n"
}

// kustomization writes a kustomization that lists some of the others.
func (m *maker) kustomization(dir string, others []string) {
	var text strings.Builder
	isComponent := strings.HasPrefix(dir, "component")
	if isComponent {
		text.WriteString("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n")
	}
	var resources, components []string
	for i := range 1 + m.IntN(3) {
		name := fmt.Sprintf("%c%d.yaml", 'r', i)
		m.file(path.Join(dir, name))
		resources = append(resources, name)
		if m.chance(3) {
			resources = append(resources, name)
		}
	}
	for _, other := range others {
		entry := strings.Repeat("../", strings.Count(dir, "/")+1) + other
		switch isOther := strings.HasPrefix(other, "component"); {
		case !m.chance(40):
		case isOther != m.chance(4):
			components = append(components, entry)
		default:
			resources = append(resources, entry)
		}
	}
	if m.chance(6) {
		resources = append(resources, m.one("missing.yaml", "../none", ".", "..", "../base/r0.yaml", "kustomization.yaml"))
	}
	text.WriteString(m.list(m.one("resources", "resources", "Resources"), resources...))
	if len(components) > 0 {
		text.WriteString(m.list("components", components...))
	}
	m.fields(dir, &text)
	m.tree[path.Join(dir, m.one("kustomization.yaml", "kustomization.yaml", "kustomization.yml", "Kustomization"))] = text.String()
}

// fields adds fields, of which some are invalid.
func (m *maker) fields(dir string, text *strings.Builder) {
	m.tree[path.Join(dir, "some.env")] = m.one("A=1\nB=2\n", "A=1\nA=2\n", "# nothing\n")
	choices := []string{
		"commonLabels: {a: b}\n", "commonLabels: {a: true}\n", "labels:\n- pairs: {a: b}\n", "labels:\n- pair: {a: b}\n",
		"commonAnnotations: {a: b}\n", "commonAnnotations: [a]\n", "images:\n- {name: a, newTag: b}\n", "images: foo\n", "images:\n- {name: a, tag: b}\n",
		"replicas:\n- {name: " + m.one("a", "b", "nothing") + ", count: 2}\n", "replicas:\n- {name: a, count: two}\n",
		"configMapGenerator:\n- name: " + m.one("a", "b", "made") + "\n  " + m.one("files: [nope.txt]", "files: [some.env]", "envs: [some.env]", "literals: [x=y]",
			"literals: [x]", "files: [a=b=c]", "env: some.env", "behavior: merge", "behavior: replace", "behaviour: merge") + "\n",
		"secretGenerator:\n- " + m.one("name: made", "namespace: x") + "\n  files: [" + m.one("some.env", "k=some.env", "../some.env", "none") + "]\n",
		"crds: [" + m.one("none.yaml", "r0.yaml", "schema.json", "empty.json") + "]\n",
		"openapi: {path: " + m.one("none.json", "schema.json") + "}\n",
		"nothing: 1\n", "metadata: {name: x}\n", "sortOptions: {order: " + m.one("fifo", "legacy", "fifo, legacySortOptions: {}", "other") + "}\n", "buildMetadata: [originAnnotations]\n", "generatorOptions: {disableNameSuffixHash: true}\n",
		"apiVersion: kustomize.config.k8s.io/v1\n", "helmGlobals: {chartHome: x}\n",
	}
	if m.changes {
		choices = append(choices, "namePrefix: x-\n", "nameSuffix: -x\n", "namespace: other\n", "patches:\n- path: "+m.one("none.yaml", "r0.yaml")+"\n",
			"patches:\n- target: {kind: ConfigMap}\n  patch: '[{op: replace, path: /metadata/name, value: new}]'\n", "patchesStrategicMerge: [none.yaml]\n", "transformers: [none.yaml]\n", "validators: ["+m.one("none.yaml", "../none", "schema.json")+"]\n", "configurations: [none.yaml]\n")
	}
	m.tree[path.Join(dir, "schema.json")], m.tree[path.Join(dir, "empty.json")] = "{}", ""
	seen := map[string]bool{}
	for m.chance(35) {
		choice := m.one(choices...)
		if field, _, _ := strings.Cut(choice, ":"); !seen[field] {
			seen[field] = true
			text.WriteString(choice)
		}
	}
}

func (m *maker) repository() {
	dirs := []string{"base", "base/deep", "other", "component", "over"}
	for i, dir := range dirs {
		others := slices.Clone(dirs[:i])
		if m.chance(3) {
			others = dirs
		}
		m.kustomization(dir, others)
	}
}

// TestRandomKustomizations compares the verdict with kustomize's own. Without fields that change names both must be the same.
func TestRandomKustomizations(t *testing.T) {
	t.Parallel()
	counts := map[bool]int{}
	for seed := range uint64(600) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 7)), tree: filestest.Tree{}, changes: seed%3 == 0}
		m.repository()
		for _, dir := range []string{"base", "other", "over", "base/deep"} {
			err := built(m.tree, dir)
			refused := refusal.New(render.FromFS(m.tree.FS()), nil).Of(dir, refusal.Options{})
			counts[refused != nil]++
			if refused != nil && err == nil || refused == nil && err != nil && !m.changes {
				var reason string
				if refused != nil {
					reason = refused.Position.String() + ": " + refused.Reason
				}
				t.Fatalf("seed %d, %s: refused %q, kustomize: %v\n%s", seed, dir, reason, err, show(m.tree))
			}
		}
	}
	if counts[true] < 200 || counts[false] < 200 {
		t.Errorf("refused and not refused: %v", counts)
	}
}

func show(tree filestest.Tree) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		fmt.Fprintf(&text, "-- %s --\n%s", name, tree[name])
	}
	return text.String()
}
