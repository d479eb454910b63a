package fixers_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/proof/verify/verifytest"
	"github.com/salint/salint/test/long"
)

// TestOverlaysDifferByTheFix fixes random overlays: what kustomize builds differs only by the field and the bindings, the
// identity of each extension keeps its permissions, units that require the field do not change, and a second run changes
// nothing.
func TestOverlaysDifferByTheFix(t *testing.T) {
	t.Parallel()
	made, refused := 0, map[string]int{}
	for seed := range int64(long.Runs(100, 500)) {
		g := overlays{Rand: rand.New(rand.NewSource(seed)), repo: verifytest.Repo{}, options: verifytest.Options{Target: "synthetic", Targets: map[string]string{}}}
		g.generate()
		var requests []verifytest.Request
		for _, name := range []string{"argocd", "p-argocd", "argocd-s", "p-argocd-s"} {
			requests = append(requests, verifytest.Request{Fixer: "remove-service-account", Kind: "ClusterExtension", Name: name})
		}
		result := g.repo.Run(t, g.options, requests...)
		if faults := g.check(t, result); len(faults) > 0 {
			t.Fatalf("seed %d, %v:\n%s\n%s\n%s\nafterwards\n%s", seed, g.options.Targets, strings.Join(faults, "\n"), result.Report(), g.repo.Tree().Dump(), result.After.Tree().Dump())
		}
		if diff := cmp.Diff(result.After, result.After.Run(t, g.options, requests...).After); diff != "" {
			t.Fatalf("seed %d: the second run changes\n%s", seed, diff)
		}
		made += len(result.Proof.Plans)
		if len(result.Proof.Plans) == 0 {
			refused[result.Report()]++
		}
	}
	for reason, n := range refused {
		t.Logf("%d times %s", n, reason)
	}
	if made < 60 {
		t.Errorf("only %d fixes in all: the overlays are not worth much", made)
	}
}

// overlays generates random overlays of a base with one extension.
type overlays struct {
	*rand.Rand
	repo    verifytest.Repo
	options verifytest.Options
	roots   []string
	// component is the account that the component leaves.
	component string
}

func (g *overlays) one(of ...string) string { return of[g.Intn(len(of))] }

const (
	overlaidExtension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: argocd\nspec:\n  namespace: argocd\n"
	namedAccount      = "  serviceAccount:\n    name: %s\n"
)

func (g *overlays) generate() {
	account := g.one("", "installer", "installer")
	extension := overlaidExtension
	if account != "" {
		extension += fmt.Sprintf(namedAccount, account)
	}
	g.repo["base/extension.yaml"] = extension + "  source: {sourceType: Catalog}\n"
	g.repo["base/rbac.yaml"] = g.bindings()
	g.repo["base/kustomization.yaml"] = "resources:\n- extension.yaml\n- rbac.yaml\n" + g.one("", "", "namePrefix: p-\n")
	if g.Intn(2) == 0 {
		text, after := g.patches("component", account)
		g.component = after
		g.repo["component/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + text + "commonAnnotations: {a: b}\n"
	}
	for i := range 1 + g.Intn(3) {
		g.overlay(fmt.Sprintf("o%d", i), account)
	}
}

// overlay adds an overlay, with or without the component.
func (g *overlays) overlay(dir, account string) {
	text := "resources:\n- ../base\n"
	if _, ok := g.repo["component/kustomization.yaml"]; ok && g.Intn(2) == 0 {
		text += "components:\n- ../component\n"
		account = g.component
	}
	patches, _ := g.patches(dir, account)
	text += patches + g.one("", "", "nameSuffix: -s\n") + g.one("", "", "commonLabels: {team: ops}\n") + g.one("", "", "namespace: argocd\n")
	g.repo[dir+"/kustomization.yaml"] = text
	g.options.Targets[dir] = g.one("synthetic", "synthetic", "ignored", "required")
	g.roots = append(g.roots, dir)
}

func (g *overlays) bindings() string {
	var texts []string
	for _, account := range []string{"installer", "special"} {
		role := g.one("edit", "cluster-admin", "installing")
		texts = append(texts, fmt.Sprintf("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n  name: %s\n"+
			"roleRef: {kind: ClusterRole, name: %s, apiGroup: rbac.authorization.k8s.io}\n"+
			"subjects:\n- {kind: ServiceAccount, name: %s, namespace: argocd}\n", account, role, account))
	}
	texts = append(texts, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: installing\nrules:\n- {apiGroups: [''], resources: [pods], verbs: [get]}\n")
	texts = append(texts, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {account: special}\n")
	if g.Intn(4) == 0 {
		texts = append(texts, "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: installer, namespace: argocd}\n")
	}
	return strings.Join(texts, "---\n")
}

// patches returns fields of a kustomization that change the account, and the account after them.
func (g *overlays) patches(dir, account string) (text, after string) {
	name := g.one("installer", "special")
	strategic := overlaidExtension[:strings.Index(overlaidExtension, "  namespace")] + fmt.Sprintf(namedAccount, name) + g.one("", "  config: {inline: {}}\n")
	target := "  target:\n    kind: ClusterExtension\n" + g.one("", "    name: argocd\n")
	operation := fmt.Sprintf("- op: add\n  path: /spec/serviceAccount\n  value:\n    name: %s\n", name) + g.one("", "- {op: add, path: /spec/config, value: {inline: {}}}\n")
	switch kind := g.Intn(10); {
	case kind == 0:
		g.repo[dir+"/account.yaml"] = strategic
		return "patches:\n- path: account.yaml\n" + g.one("", target), name
	case kind == 1:
		return "patches:\n- patch: |-\n" + verifytest.Indented(strategic, 4), name
	case kind == 2:
		g.repo[dir+"/account.yaml"] = strategic
		return "patchesStrategicMerge:\n- account.yaml\n", name
	case kind == 3:
		return "patchesStrategicMerge:\n- |-\n" + verifytest.Indented(strategic, 2), name
	case kind == 4:
		return "patches:\n- patch: |-\n" + verifytest.Indented(operation, 4) + target, name
	case kind == 5:
		g.repo[dir+"/account.yaml"] = operation
		return "patchesJson6902:\n- path: account.yaml\n  target: {group: olm.operatorframework.io, version: v1, kind: ClusterExtension, name: argocd}\n", name
	case kind == 6 && account != "":
		test := fmt.Sprintf("- {op: test, path: /spec/serviceAccount/name, value: %s}\n", account)
		return "patches:\n- patch: |-\n" + verifytest.Indented(g.one("", test)+"- op: replace\n  path: /spec/serviceAccount/name\n  value: "+name+"\n", 4) + target, name
	case kind == 7 && account != "":
		return "patches:\n- patch: '[{\"op\": \"remove\", \"path\": \"/spec/serviceAccount\"}]'\n" + target, ""
	case kind == 8 && account != "":
		return "replacements:\n- source: {kind: ConfigMap, name: settings, fieldPath: data.account}\n  targets:\n" +
			"  - select: {kind: ClusterExtension}\n    fieldPaths:\n    - spec.serviceAccount.name\n", "special"
	}
	return "", account
}

// check compares the builds of all roots before and after the fix.
func (g *overlays) check(t *testing.T, result verifytest.Result) (faults []string) {
	t.Helper()
	isMade := len(result.Proof.Plans) > 0
	for _, root := range g.roots {
		before, after := g.repo.Build(t, root), result.After.Build(t, root)
		for _, d := range before.Differences(after) {
			expected := strings.HasPrefix(d, "ClusterExtension ") && strings.HasSuffix(d, ": - spec.serviceAccount") ||
				strings.HasPrefix(d, "+ ") && strings.Contains(d, "RoleBinding ") && strings.Contains(d, "olm-clusterextension-")
			if !expected || g.options.Targets[root] == "required" {
				faults = append(faults, root+": "+d)
			}
		}
		old, new := values(before), values(after)
		was, is := extensionOf(old), extensionOf(new)
		if isMade && g.options.Targets[root] != "required" && is.text("spec", "serviceAccount", "name") != "" {
			faults = append(faults, root+": the field is still there")
		}
		if g.options.Targets[root] == "ignored" {
			continue
		}
		had, has := may(old, actor(was)), may(new, actor(is))
		if lost, gained := missing(had, has), missing(has, had); len(lost)+len(gained) > 0 {
			faults = append(faults, fmt.Sprintf("%s: lost %v, gained %v", root, lost, gained))
		}
	}
	return faults
}

func values(built verifytest.Built) []object {
	var all []object
	for _, o := range built {
		all = append(all, o)
	}
	return all
}

func extensionOf(world []object) object {
	i := slices.IndexFunc(world, func(o object) bool { return o.text("kind") == "ClusterExtension" })
	return world[i]
}
