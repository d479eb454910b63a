package pods_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/proof/verify/verifytest"
	"github.com/salint/salint/test/long"
)

// TestAliasesInOverlays fixes random overlays: what kustomize builds after the fix differs only by the deprecated field and
// its new name, every pod keeps its account, and a second run changes nothing.
func TestAliasesInOverlays(t *testing.T) {
	t.Parallel()
	made, refused := 0, map[string]int{}
	for seed := range int64(long.Runs(120, 600)) {
		g := aliasOverlays{Rand: rand.New(rand.NewSource(seed)), repo: verifytest.Repo{}}
		g.generate()
		fixer := g.one("rename-account-alias", "rename-account-alias", "drop-account-alias")
		var requests []verifytest.Request
		for _, name := range []string{"web", "p-web", "web-s", "p-web-s"} {
			requests = append(requests, verifytest.Request{Fixer: fixer, Kind: "Deployment", Name: name, Path: "spec.template.spec.serviceAccount"})
		}
		options := verifytest.Options{Target: "ignored"}
		result := g.repo.Run(t, options, requests...)
		if faults := g.check(t, result); len(faults) > 0 {
			t.Fatalf("seed %d, %s:\n%s\n%s\n%s\nafterwards\n%s", seed, fixer, strings.Join(faults, "\n"), result.Report(), g.repo.Tree().Dump(), result.After.Tree().Dump())
		}
		if diff := cmp.Diff(result.After, result.After.Run(t, options, requests...).After); diff != "" {
			t.Fatalf("seed %d: the second run changes\n%s\n%s", seed, diff, g.repo.Tree().Dump())
		}
		made += len(result.Proof.Plans)
		if len(result.Proof.Plans) == 0 {
			refused[result.Report()]++
		}
	}
	for reason, n := range refused {
		t.Logf("%d times %s", n, reason)
	}
	if made < 50 {
		t.Errorf("only %d fixes in all: the overlays are not worth much", made)
	}
}

// aliasOverlays generates random overlays of a base with one pod.
type aliasOverlays struct {
	*rand.Rand
	repo  verifytest.Repo
	roots []string
}

func (g *aliasOverlays) one(of ...string) string { return of[g.Intn(len(of))] }

const aliasHead = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n"

func (g *aliasOverlays) generate() {
	alias := g.one("", "web", "web", "web")
	text := aliasHead + g.accounts(alias, g.one("", "", "", "web", "other")) + "      containers:\n      - {name: main, image: web:1}\n"
	if g.Intn(4) == 0 {
		text += "---\napiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: web\n"
	}
	g.repo["base/web.yaml"] = text + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {account: replaced}\n"
	g.repo["base/kustomization.yaml"] = "resources:\n- web.yaml\n" + g.one("", "", "", "namePrefix: p-\n")
	for i := range 1 + g.Intn(3) {
		dir := fmt.Sprintf("o%d", i)
		g.repo[dir+"/kustomization.yaml"] = "resources:\n- ../base\n" + g.patch(dir, alias) +
			g.one("", "", "nameSuffix: -s\n") + g.one("", "", "namespace: shop\n") + g.one("", "", "images: [{name: web, newTag: v2}]\n") +
			g.one("", "", "labels: [{pairs: {a: b}, includeTemplates: true}]\n")
		g.roots = append(g.roots, dir)
	}
}

func (g *aliasOverlays) accounts(alias, name string) string {
	text := ""
	if alias != "" {
		text = "      serviceAccount: " + alias + "\n"
	}
	if name != "" {
		text += "      serviceAccountName: " + name + "\n"
	}
	return text
}

// patch returns fields of a kustomization that change the account in a random way.
func (g *aliasOverlays) patch(dir, alias string) string {
	const at = "/spec/template/spec/serviceAccount"
	strategic := aliasHead + g.accounts(g.one("", "null", "web", "special"), g.one("", "", "special"))
	if strings.HasSuffix(strategic, "spec:\n") {
		strategic += "      replicas: 2\n"
	}
	ops := fmt.Sprintf("- {op: add, path: %s, value: %s}\n", at, g.one("web", "special"))
	target := "  target: {kind: Deployment}\n"
	switch kind := g.Intn(9); {
	case kind == 0:
		g.repo[dir+"/patch.yaml"] = strategic
		return "patches:\n- path: patch.yaml\n"
	case kind == 1:
		return "patches:\n- patch: |-\n" + verifytest.Indented(strategic, 4)
	case kind == 2:
		return "patchesStrategicMerge:\n- |-\n" + verifytest.Indented(strategic, 2)
	case kind == 3:
		return "patches:\n- patch: |-\n" + verifytest.Indented(ops, 4) + target
	case kind == 4:
		g.repo[dir+"/patch.yaml"] = ops
		return "patchesJson6902:\n- path: patch.yaml\n  target: {group: apps, version: v1, kind: Deployment, name: web}\n"
	case kind == 5 && alias != "":
		test := fmt.Sprintf("- {op: test, path: %s, value: %s}\n", at, alias)
		return "patches:\n- patch: |-\n" + verifytest.Indented(g.one("", test)+g.one(ops, "- {op: remove, path: "+at+"}\n"), 4) + target
	case kind == 6 && alias != "":
		return "replacements:\n- source: {kind: ConfigMap, name: settings, fieldPath: data.account}\n  targets:\n" +
			"  - select: {kind: Deployment}\n    fieldPaths:\n    - spec.template.spec.serviceAccount\n"
	}
	return ""
}

// check compares the builds of all roots before and after the fix.
func (g *aliasOverlays) check(t *testing.T, result verifytest.Result) (faults []string) {
	t.Helper()
	for _, root := range g.roots {
		before, after := g.repo.Build(t, root), result.After.Build(t, root)
		for _, d := range before.Differences(after) {
			if _, path, _ := strings.Cut(d, ": "); !strings.HasPrefix(strings.TrimLeft(path, "+- "), "spec.template.spec.serviceAccount") {
				faults = append(faults, root+": "+d)
			}
		}
		was, is := podOfBuild(before), podOfBuild(after)
		if runsAs(was) != runsAs(is) {
			faults = append(faults, fmt.Sprintf("%s: the pod runs as %s, and ran as %s", root, runsAs(is), runsAs(was)))
		}
		if _, there := is["serviceAccount"]; there && len(result.Proof.Plans) > 0 {
			faults = append(faults, root+": the field is still there")
		}
	}
	return faults
}

func podOfBuild(built verifytest.Built) map[string]any {
	for _, o := range built {
		if o["kind"] == "Deployment" {
			spec := o["spec"].(map[string]any)["template"].(map[string]any)["spec"]
			return spec.(map[string]any)
		}
	}
	return nil
}

func runsAs(pod map[string]any) string {
	for _, field := range []string{"serviceAccountName", "serviceAccount"} {
		if name, _ := pod[field].(string); name != "" {
			return name
		}
	}
	return "default"
}
