package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/salint/salint/test/golden"
)

// linkTo begins the content of a file that is a symbolic link.
const linkTo = "link to "

// writeWithLinks writes files and symbolic links.
func writeWithLinks(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	texts := map[string]string{}
	for name, content := range files {
		target, is := strings.CutPrefix(content, linkTo)
		if !is {
			texts[name] = content
			continue
		}
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(at); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, at); err != nil {
			t.Skipf("no symlinks here: %v", err)
		}
	}
	golden.WriteFolder(t, dir, texts)
}

// linked are symbolic links inside the repository that lead elsewhere, where kustomize and Argo CD follow them, and where nothing does.
func linked() (all []variant) {
	powerful := accountOf("admin") + separator + bindingOf("admin", "cluster-admin")
	folders := map[string]string{
		"powerful/a.yaml": powerful, "quiet/a.yaml": quietObject, "calm/a.yaml": quietObject,
		"powerful/kustomization.yaml": "resources: [a.yaml]\n", "quiet/kustomization.yaml": "resources: [a.yaml]\n", "calm/kustomization.yaml": "resources: [a.yaml]\n",
	}
	chart := map[string]string{
		"chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "chart/values.yaml": "role: view\n",
		"chart/templates/a.yaml": accountOf("runner") + separator + bindingOf("runner", "{{ .Values.role }}"),
		"values/quiet.yaml":      "role: view\n", "values/powerful.yaml": "role: cluster-admin\n", "values/calm.yaml": "role: view\nreplicas: 4\n",
	}
	valuesOf := func(name string) map[string]string {
		apps := argoFiles("north", "", "chart")
		apps["argocd/north-0.yaml"] = strings.Replace(apps["argocd/north-0.yaml"], "path: chart", "path: chart, helm: {valueFiles: ["+name+"]}", 1)
		return apps
	}
	patched := map[string]string{
		"k/a.yaml":             accountOf("runner") + separator + roleOf("shared", "", readPods) + separator + bindingOf("runner", "shared"),
		"k/kustomization.yaml": "resources: [a.yaml]\npatches: [{path: p.yaml}]\n",
		"k/quiet.yaml":         roleOf("shared", "", readPods), "k/powerful.yaml": roleOf("shared", "", anySecret), "k/calm.yaml": roleOf("shared", "a: b", readPods),
	}
	kustomized := func(more string) map[string]string {
		apps := argoFiles("north", "", "current")
		apps["argocd/north-0.yaml"] = strings.Replace(apps["argocd/north-0.yaml"], "path: current", "path: current"+more, 1)
		return apps
	}
	for name, c := range map[string]struct {
		before            map[string]string
		link, from, ended string
		want              string
	}{
		"a base":                       {both(folders, changed("k/kustomization.yaml", "resources: [../current]\n")), "current", "", "", "power"},
		"a base of Argo CD":            {both(both(folders, argoFiles("north", "", "k")), changed("k/kustomization.yaml", "resources: [../current]\n")), "current", "", "", "power"},
		"a folder above":               {both(both(folders, argoFiles("north", "", "up/current/in")), changed("powerful/in/a.yaml", powerful, "quiet/in/a.yaml", quietObject, "calm/in/a.yaml", quietObject)), "up/current", "../", "", "power"},
		"a base of Flux":               {both(both(folders, fluxFiles("north", "", "k")), changed("k/kustomization.yaml", "resources: [../current]\n")), "current", "", "", "power"}, // it fetches no links, so its objects are those of the files
		"a folder with settings":       {both(folders, kustomized(", kustomize: {namePrefix: a-}")), "current", "", "", "power"},
		"a folder without settings":    {both(folders, kustomized("")), "current", "", "", passes}, // Argo CD does not enter it
		"a resource":                   {both(folders, changed("powerful/kustomization.yaml", "resources: [a.yaml, b/current.yaml]\n", "powerful/a.yaml", quietObject, "powerful/b/powerful.yaml", powerful, "powerful/b/quiet.yaml", strings.Replace(quietObject, "settings", "others", 1), "powerful/b/calm.yaml", strings.Replace(quietObject, "settings", "calm", 1))), "powerful/b/current.yaml", "", ".yaml", "power"},
		"a file of Argo CD":            {both(both(folders, argoFiles("north", "", "d")), changed("d/b.yaml", strings.Replace(quietObject, "settings", "others", 1))), "d/a.yaml", "../", "/a.yaml", "power"},
		"values of Argo CD":            {both(chart, valuesOf("../current.yaml")), "current.yaml", "values/", ".yaml", "power"},
		"values by a pattern":          {both(chart, valuesOf("more-*.yaml")), "chart/more-a.yaml", "../values/", ".yaml", "power"},
		"a patch":                      {patched, "k/p.yaml", "", ".yaml", "power"},
		"a page that nothing applies":  {both(folders, changed("docs/README.md", "# Birds\n")), "docs/current", "../", "", passes},
		"a link that nothing mentions": {both(folders, argoFiles("north", "", "quiet")), "current", "", "", passes},
	} {
		link := func(to string) string { return linkTo + c.from + to + c.ended }
		all = append(all,
			variant{name + " leads elsewhere", with(c.before, c.link, link("quiet")), changed(c.link, link("powerful")), c.want},
			variant{name + " leads to the same", with(c.before, c.link, link("quiet")), changed(c.link, link("calm")), passes},
		)
	}
	return all
}
