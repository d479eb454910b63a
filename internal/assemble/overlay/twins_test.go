package overlay_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/render"
)

// randomTwins returns a base with objects that refer to each other, and overlays over it, most of which set only a prefix or a namespace.
func randomTwins(r *rand.Rand) tree {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	name := func() string {
		return one("web", "queue", "1e5", "default", "x", "tl-eu2") + one("", "0", "1", "2", "3")
	}
	made := 0
	namespace := func() string {
		return one("", "", "  namespace: shop\n", "  namespace: default\n", "  namespace: east\n", "  namespace: "+name()+"\n")
	}
	object := func(kind, version, more string) string {
		made++
		own := fmt.Sprint(one("web", "queue", "default", "x", "tl-eu2"), made%5)
		return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata:\n  name: " + one(own, "'"+own+"'") + "\n" + namespace() + more + "---\n"
	}
	objs := func() (text string) {
		for range 1 + r.IntN(6) {
			text += one(
				object("ServiceAccount", "v1", ""), object("Service", "v1", "spec: {selector: {a: b}}\n"), object("Namespace", "v1", ""), object("ConfigMap", "v1", "data: {a: "+name()+"}\n"),
				object(one("Role", "ClusterRole"), "rbac.authorization.k8s.io/v1", "rules: [{apiGroups: [''], resources: [secrets], resourceNames: ["+name()+"], verbs: [get]}]\n"),
				object(one("RoleBinding", "ClusterRoleBinding"), "rbac.authorization.k8s.io/v1", "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: "+one("Role", "ClusterRole")+", name: "+name()+
					"}\nsubjects:\n- kind: ServiceAccount\n  name: "+name()+"\n"+one("", "  namespace: shop\n", "  namespace: "+name()+"\n")),
				object("Deployment", "apps/v1", "spec: {template: {spec: {serviceAccountName: "+name()+", containers: [{name: a, image: b, envFrom: [{configMapRef: {name: "+name()+"}}]}]}}}\n"),
				object("CustomResourceDefinition", "apiextensions.k8s.io/v1", "spec: {conversion: {webhook: {clientConfig: {service: {name: "+name()+", namespace: shop}}}}}\n"),
				object("ValidatingWebhookConfiguration", "admissionregistration.k8s.io/v1", "webhooks: [{name: a, clientConfig: {service: {name: "+name()+", namespace: shop}}}]\n"),
				object("ClusterExtension", "olm.operatorframework.io/v1", "spec: {namespace: "+name()+", serviceAccount: {name: "+name()+"}}\n"),
				object("Thing", "example.com/v1", "spec: {a: "+name()+"}\n"),
			)
		}
		return text
	}
	changes := func() string {
		return one("nameSuffix: -in\n", "commonLabels: {a: b}\n",
			"patches:\n- target: {kind: ServiceAccount}\n  patch: |-\n    - {op: replace, path: /metadata/name, value: "+name()+"}\n",
			"patches:\n- target: {name: t.*}\n  patch: |-\n    - {op: add, path: /metadata/labels, value: {a: b}}\n", "configMapGenerator: [{name: web, literals: [a=b]}]\n",
			"replacements:\n- source: {kind: ServiceAccount, fieldPath: metadata.name}\n  targets: [{select: {kind: Thing}, fieldPaths: [spec.a]}]\n")
	}
	fields := func() string {
		return one("", "", "", "", "", "", "namePrefix: in-\n", "namespace: inner-1\n", changes())
	}
	files := tree{
		"bases/one/objects.yaml": objs(), "bases/one/kustomization.yaml": "resources: [objects.yaml]\n" + fields(),
		"bases/two/more.yaml": objs(), "bases/two/kustomization.yaml": "resources: [../one, more.yaml]\n" + fields(),
	}
	prefix, space := r.IntN(3) > 0, r.IntN(2) == 0
	for i := range 3 + r.IntN(4) {
		text := "resources: [" + one("../../bases/two", "../../bases/two", "../../bases/two", "../../bases/one") + "]\n"
		if prefix {
			text += "namePrefix: " + one(fmt.Sprintf("c%d-", i), fmt.Sprintf("cluster-%d-", i), fmt.Sprintf("p%d-", i), fmt.Sprintf("q%d-", i), one("eu1-", "t-", "tl-", "'9-'")) + "\n"
		}
		if space || !prefix {
			text += "namespace: " + one(fmt.Sprintf("team-%d", i), fmt.Sprintf("space%d", i), fmt.Sprintf("n-%d", i), one("shop", "default", "eu-1", "inner-1")) + "\n"
		}
		files[fmt.Sprintf("overlays/o%d/kustomization.yaml", i)] = text + one("", "", "", "", "", "", changes())
	}
	if r.IntN(20) == 0 {
		files["bases/one/objects.yaml"] += "apiVersion: v1\nkind: Secret\nmetadata: {name: \"t\\x2dx\", namespace: \"e\\x75-1\"}\n"
	}
	return files
}

// TestTwins builds units that differ in nothing but a prefix or a namespace at once, and each by itself: the objects, where they come
// from, and what cannot be built are the same. Most of the builds are saved.
func TestTwins(t *testing.T) {
	t.Parallel()
	seeds := uint64(40)
	if testing.Short() {
		seeds = 20
	}
	atOnce, single := 0, 0
	for seed := range seeds {
		files := randomTwins(rand.New(rand.NewPCG(seed, 4)))
		got, some := textOfTwins(t, files, false)
		want, all := textOfTwins(t, files, true)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-each by itself +at once):\n%s\n%s", seed, diff, files.Dump())
		}
		atOnce, single = atOnce+some, single+all
	}
	t.Logf("%d instead of %d builds", atOnce, single)
	if atOnce*10 > single*9 {
		t.Errorf("%d instead of %d builds", atOnce, single)
	}
}

func textOfTwins(t *testing.T, files tree, alone bool) (text []string, builds int) {
	t.Helper()
	workers := render.NewWorkers(render.Limits{})
	defer workers.Close()
	units, err := overlay.Build(t.Context(), objectstest.Units(t, files), overlay.Options{
		Files: render.FromFS(files.FS()), Workers: workers, ByKustomize: alone, Wanted: func(*manifest.Document) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		for _, o := range u.Objects {
			data, err := json.Marshal(o.JSON())
			from := ""
			if source := o.Source(); source != nil {
				from = source.Ref()
			}
			text = append(text, fmt.Sprint(u.Name, o.Ref(), o.File, from, string(data), err))
		}
		text = append(text, fmt.Sprint(u.Name, u.Built, u.NotBuilt, u.Problems))
	}
	return text, workers.Counters().Kustomizations
}

// TestOneBuildOfTwins counts the builds of 5 and of 50 twins: one.
func TestOneBuildOfTwins(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 50} {
		files := tree{"base/kustomization.yaml": "resources: [x.yaml]\n", "base/x.yaml": fmt.Sprintf(extension, "x")}
		for i := range n {
			files[fmt.Sprintf("clusters/c%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [../../base]\nnamePrefix: cluster-%d-\n", i)
		}
		text, builds := textOfTwins(t, files, false)
		if builds != 1 || len(text) != 2*n {
			t.Errorf("%d twins: %d builds, %d lines", n, builds, len(text))
		}
	}
}
