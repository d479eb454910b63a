package applying_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

const wave, hook, helmHook, helmWeight = "argocd.argoproj.io/sync-wave", "argocd.argoproj.io/hook", "helm.sh/hook", "helm.sh/hook-weight"

func TestOrderWithin(t *testing.T) {
	t.Parallel()
	type marks = map[string]string
	argo, helm, flux := &gitops.Application{Tool: gitops.ArgoCD}, &gitops.Application{Tool: gitops.FluxHelm}, &gitops.Application{Tool: gitops.FluxKustomize}
	for _, c := range []struct {
		name             string
		app              *gitops.Application
		grant, extension marks
		want             applying.Relation
	}{
		{"no annotations", argo, nil, nil, applying.Before},
		{"an earlier wave", argo, marks{wave: "-1"}, nil, applying.Before},
		{"a later wave", argo, marks{wave: "2"}, marks{wave: "1"}, applying.After},
		{"a wave that is no number", argo, marks{wave: "late"}, nil, applying.Before},
		{"a hook before", argo, marks{hook: "PreSync", wave: "9"}, nil, applying.Before},
		{"a hook after", argo, marks{hook: "PostSync"}, marks{wave: "9"}, applying.After},
		{"a hook of both", argo, marks{hook: "PostSync, PreSync"}, nil, applying.Before},
		{"a hook of a failure", argo, marks{hook: "SyncFail"}, nil, applying.Never},
		{"skipped", argo, marks{hook: "Skip"}, nil, applying.Never},
		{"an extension that is skipped", argo, nil, marks{hook: "Skip"}, applying.Unordered},
		{"a hook of Helm in Argo CD", argo, marks{helmHook: "post-install"}, nil, applying.After},
		{"a weight of Helm in Argo CD", argo, marks{helmWeight: "5"}, nil, applying.After},
		{"Argo CD's wave wins over the weight", argo, marks{wave: "0", helmWeight: "5"}, nil, applying.Before},
		{"a test of Helm in Argo CD", argo, marks{helmHook: "test"}, nil, applying.Never},
		{"a hook of Helm", helm, marks{helmHook: "post-upgrade"}, nil, applying.After},
		{"weights of hooks", helm, marks{helmHook: "pre-install", helmWeight: "2"}, marks{helmHook: "pre-install", helmWeight: "1"}, applying.After},
		{"Helm knows no waves", helm, marks{wave: "5"}, nil, applying.Before},
		{"a weight without a hook", helm, marks{helmWeight: "5"}, nil, applying.Before},
		{"a hook of a deletion", helm, marks{helmHook: "pre-delete"}, nil, applying.Never},
		{"Flux knows no order", flux, marks{wave: "5", helmHook: "post-install"}, nil, applying.Before},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := applying.NewOrder(new(gitops.Result)).Of(applying.Member{Application: c.app, Annotations: c.grant}, applying.Member{Application: c.app, Annotations: c.extension})
			if got.Relation != c.want || got.Why == "" {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}

const stages = `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: grants, namespace: flux-system}
spec: {path: grants}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: middle, namespace: flux-system}
spec: {dependsOn: [{name: grants}, {name: late}, {name: nowhere}]}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: late, namespace: flux-system}
spec: {dependsOn: [{name: middle, namespace: flux-system}]}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: middle, namespace: flux-system}
spec: {dependsOn: [{name: base}]}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: base, namespace: flux-system}
spec: {}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: other-source, namespace: flux-system}
spec: {sourceRef: {kind: GitRepository, name: other}, dependsOn: [{name: grants}]}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: expressed, namespace: flux-system}
spec: {dependsOn: [{name: grants, readyExpr: "true"}]}
`

func TestOrderAcrossFlux(t *testing.T) {
	t.Parallel()
	files := filestest.Tree{"north/a.yaml": stages, "south/a.yaml": stages}
	result := gitops.Read(objectstest.Objects(t, files), gitops.Options{Tree: files})
	find := func(tool gitops.Tool, file, name string) *gitops.Application {
		for _, a := range result.Applications {
			if a.Tool == tool && a.Name.Value == name && a.Object.File == file {
				return a
			}
		}
		t.Fatal(name)
		return nil
	}
	north := func(name string) *gitops.Application { return find(gitops.FluxKustomize, "north/a.yaml", name) }
	order := applying.NewOrder(result)
	for _, c := range []struct {
		name             string
		grant, extension *gitops.Application
		want             applying.Relation
		line             int
	}{
		{"through another one, in a circle", north("grants"), north("late"), applying.Before, 15},
		{"the other way round", north("late"), north("grants"), applying.After, 15},
		{"another cluster", find(gitops.FluxKustomize, "south/a.yaml", "grants"), north("late"), applying.Unordered, 0},
		{"another tool", find(gitops.FluxHelm, "north/a.yaml", "middle"), north("late"), applying.Unordered, 0},
		{"releases wait for no change", find(gitops.FluxHelm, "north/a.yaml", "base"), find(gitops.FluxHelm, "north/a.yaml", "middle"), applying.Unordered, 20},
		{"a later release", find(gitops.FluxHelm, "north/a.yaml", "middle"), find(gitops.FluxHelm, "north/a.yaml", "base"), applying.After, 20},
		{"another source", north("grants"), north("other-source"), applying.Unordered, 30},
		{"an expression", north("grants"), north("expressed"), applying.Unordered, 35},
		{"no application", nil, north("late"), applying.Unordered, 0},
	} {
		got := order.Of(applying.Member{Application: c.grant}, applying.Member{Application: c.extension})
		if got.Relation != c.want || got.Location.Position().Line != c.line {
			t.Errorf("%s: got %+v at line %d, want %s at line %d", c.name, got.Relation, got.Location.Position().Line, c.want, c.line)
		}
	}
}

const apps = `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: early, annotations: {argocd.argoproj.io/sync-wave: "1"}}
spec: {source: {repoURL: u, path: one}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: late, annotations: {argocd.argoproj.io/sync-wave: "2"}}
spec: {source: {repoURL: u, path: two}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: late-too, annotations: {argocd.argoproj.io/sync-wave: "2"}}
spec: {source: {repoURL: u, path: two}}
`

const healthCheck = `
apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm}
data: {resource.customizations.health.argoproj.io_Application: "hs = {}"}
`

func TestOrderAcrossArgo(t *testing.T) {
	t.Parallel()
	const parent = "{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: parent}, spec: {source: {repoURL: u, path: apps}}}"
	for _, c := range []struct {
		name, settings, grant, extension string
		annotations                      map[string]string
		want                             applying.Relation
	}{
		{"an earlier wave alone", "", "early", "late", nil, applying.Unordered},
		{"an earlier wave with a health check", healthCheck, "early", "late", nil, applying.Before},
		{"a later wave", "", "late", "early", nil, applying.After},
		{"the same wave", healthCheck, "late", "late-too", nil, applying.Unordered},
		{"from above", "", "parent", "late", nil, applying.Unordered},
		{"from above, and later", "", "parent", "late", map[string]string{wave: "3"}, applying.After},
		{"from above, and never", "", "parent", "late", map[string]string{hook: "Skip"}, applying.Never},
		{"not of one parent", "", "early", "parent", nil, applying.Unordered},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := filestest.Tree{"parent.yaml": parent, "apps/a.yaml": apps, "one/a.yaml": "", "two/a.yaml": "", "cm.yaml": c.settings}
			result := gitops.Read(objectstest.Objects(t, files), gitops.Options{Tree: files})
			byName := map[string]*gitops.Application{}
			for _, a := range result.Applications {
				byName[a.Name.Value] = a
			}
			got := applying.NewOrder(result).Of(applying.Member{Application: byName[c.grant], Annotations: c.annotations}, applying.Member{Application: byName[c.extension]})
			if got.Relation != c.want || got.Why == "" {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}

// Applications of one set sync independently, or in steps that are unknown here.
func TestOrderWithinSet(t *testing.T) {
	t.Parallel()
	const generated = "{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: {name: s}, spec: {goTemplate: true, " +
		"generators: [{list: {elements: [{a: x}, {a: y}]}}], template: {metadata: {name: '{{ .a }}'}, spec: {source: {repoURL: u, path: base}}}}}"
	for _, strategy := range []string{"", "strategy: {rollingSync: {steps: []}}, "} {
		text := strings.Replace(generated, "spec: {", "spec: {"+strategy, 1)
		files := filestest.Tree{"a.yaml": text}
		result := gitops.Read(objectstest.Objects(t, files), gitops.Options{Tree: files})
		got := applying.NewOrder(result).Of(applying.Member{Application: result.Applications[0]}, applying.Member{Application: result.Applications[1]})
		if got.Relation != applying.Unordered || (got.Location.Object != nil) != (strategy != "") {
			t.Errorf("%s: got %+v", strategy, got)
		}
	}
}

func TestDestructiveOptions(t *testing.T) {
	t.Parallel()
	set := view.Field[bool]{Value: true}
	for _, c := range []struct {
		name        string
		app         gitops.Application
		annotations map[string]string
		want        string
	}{
		{"nothing", gitops.Application{Tool: gitops.ArgoCD}, nil, ""},
		{"Force of an Application has no effect", gitops.Application{Tool: gitops.ArgoCD, Force: set}, nil, ""},
		{"Replace of an Application", gitops.Application{Tool: gitops.ArgoCD, Replace: set}, nil, "Replace=true;"},
		{"of an object", gitops.Application{Tool: gitops.ArgoCD}, map[string]string{"argocd.argoproj.io/sync-options": "Prune=false, Force=true,Replace=true"}, "Force=true;Replace=true;"},
		{"of a Kustomization", gitops.Application{Tool: gitops.FluxKustomize, Force: set}, nil, "force: true;"},
		{"of an object in Flux", gitops.Application{Tool: gitops.FluxKustomize}, map[string]string{"kustomize.toolkit.fluxcd.io/force": "Enabled"}, "kustomize.toolkit.fluxcd.io/force: enabled;"},
		{"of a release", gitops.Application{Tool: gitops.FluxHelm, Replace: set, Uninstall: set}, nil, "upgrade.force: true;upgrade.remediation.strategy: uninstall;"},
	} {
		got := ""
		for _, danger := range applying.DestructiveOptions(&c.app, c.annotations, nil) {
			got += danger.What + ";"
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A chain of dependencies that is as long as it is wide is followed once.
func TestManyDependencies(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	const count = 500
	for i := range count {
		fmt.Fprintf(&text, "---\n{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: k%d}, spec: {dependsOn: [", i)
		for needs := max(0, i-20); needs < i; needs++ {
			fmt.Fprintf(&text, "{name: k%d},", needs)
		}
		text.WriteString("{name: none}]}}\n")
	}
	files := filestest.Tree{"a.yaml": text.String()}
	result := gitops.Read(objectstest.Objects(t, files), gitops.Options{Tree: files})
	first, last := result.Applications[0], result.Applications[count-1]
	if got := applying.NewOrder(result).Of(applying.Member{Application: first}, applying.Member{Application: last}); got.Relation != applying.Before {
		t.Errorf("got %+v", got)
	}
}
