package gitops_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
)

// application is an Application with a source.
func application(name, url, path string) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: " + name + "}\nspec: {source: {repoURL: '" + url + "', path: '" + path + "'}}\n---\n"
}

func TestWhichRepository(t *testing.T) {
	t.Parallel()
	const own = "https://git.example.com/platform/fleet"
	for _, c := range []struct {
		name    string
		remotes []string
		apps    string
		want    sources.Certainty
	}{
		{"a remote has the address", []string{"git@git.example.com:platform/fleet.git"}, application("a", own, "nowhere"), sources.Here},
		{"no remote is known and the folder is here", nil, application("a", own, "base"), sources.Assumed},
		{"no remote is known and the folder is not here", nil, application("a", own, "nowhere"), sources.OtherRepository},
		{"the root is in every repository", nil, application("a", own, "."), sources.OtherRepository},
		{"the root, and another folder is here", nil, application("a", own, "/") + application("b", own+".git", "base"), sources.Assumed},
		{"most folders are not here", nil, application("a", own, "base") + application("b", own, "x") + application("c", own, "y"), sources.OtherRepository},
		{"a fork", []string{"git@git.example.com:me/fleet.git"}, application("a", own, "base"), sources.Assumed},
		{"another repository with the same folders", []string{"https://git.example.com/platform/rest"}, application("a", own, "base"), sources.OtherRepository},
		{"an address that is filled in later", nil, application("a", "{{ .repo }}", "base"), sources.OtherRepository},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := tree{"apps.yaml": c.apps, "base/a.yaml": "a: 1"}
			result := gitops.Read(objectsOf(files), gitops.Options{Remotes: c.remotes, Tree: files})
			if got := result.Applications[0].Sources[0].Repository; got.Is != c.want || got.Why == "" {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}

// Without the files, folders are not checked, and a known address is enough.
func TestNoTree(t *testing.T) {
	t.Parallel()
	files := tree{"apps.yaml": application("a", "https://git.example.com/platform/fleet", "base")}
	result := gitops.Read(objectsOf(files), gitops.Options{Remotes: []string{"https://git.example.com/platform/fleet"}})
	source := result.Applications[0].Sources[0]
	if !source.Here() || source.Kind != "" || len(result.Applications[0].NotChecked) > 0 {
		t.Errorf("got %+v", source)
	}
}

func TestConfigMaps(t *testing.T) {
	t.Parallel()
	files := tree{"a.yaml": `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a}
spec: {valuesFrom: [{kind: ConfigMap, name: values}, {kind: Secret, name: secret}]}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a}
spec: {postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}}
`}
	got := strings.Join(gitops.ConfigMaps(objectsOf(files)), " ")
	if want := "argocd-cm argocd-cmd-params-cm settings values"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
