package delivery_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/kube/objects"
)

const options, force = "argocd.argoproj.io/sync-options", "kustomize.toolkit.fluxcd.io/force"

func TestDestructiveAnnotations(t *testing.T) {
	t.Parallel()
	argo, flux := app("apps", "apps", "", ""), stage("apps", "./apps")
	for _, c := range []struct {
		name, key, value, by string
		want                 []string
	}{
		{"nothing", "", "", "", nil},
		{"harmless", options, "ServerSideApply=true, Replace=false", "", nil},
		{"both options of one field", options, "Replace=true,Force=true", argo, []string{"metadata.annotations[\"argocd.argoproj.io/sync-options\"] Force=true and Replace=true: force"}},
		{"an unknown tool", options, "Replace=true", "", []string{"metadata.annotations[\"argocd.argoproj.io/sync-options\"] Replace=true: replace"}},
		{"Flux looks at no options", options, "Replace=true", flux, nil},
		{"Flux", force, "Enabled", flux, []string{"metadata.annotations[\"kustomize.toolkit.fluxcd.io/force\"] kustomize.toolkit.fluxcd.io/force: enabled: force"}},
		{"Argo CD looks at no force", force, "enabled", argo, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, tree{"clusters/a.yaml": c.by, "apps/a.yaml": extension(c.key, c.value)})
			if diff := cmp.Diff(c.want, described(r.DestructiveAnnotations(r.units["apps"], r.find(t, "apps", "ClusterExtension")))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func described(dangers []delivery.DestructiveField) []string {
	var texts []string
	for _, d := range dangers {
		text := fmt.Sprintf("%s %s: %s", d.Path, d.What, d.Effect)
		for _, o := range d.Objects {
			text += " " + o.File
		}
		texts = append(texts, text)
	}
	return texts
}

func TestDestructiveOptions(t *testing.T) {
	t.Parallel()
	release := `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: apps, namespace: harbor}
spec:
  chart: {spec: {chart: apps, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}
  upgrade: {force: true, remediation: {strategy: uninstall}}
`
	for _, c := range []struct {
		name, by string
		want     []string
	}{
		{"options of an Application", app("apps", "apps", "", ", syncPolicy: {syncOptions: [CreateNamespace=true, Replace=true]}"),
			[]string{"spec.syncPolicy.syncOptions[1] Replace=true: replace apps/a.yaml apps/b.yaml"}},
		{"Force of an Application does nothing", app("apps", "apps", "", ", syncPolicy: {syncOptions: [Force=true]}"), nil},
		{"an Application of something else", app("apps", "web", "", ", syncPolicy: {syncOptions: [Replace=true]}"), nil},
		{"Flux", stage("apps", "./apps, force: true"), []string{"spec.force force: true: force apps/a.yaml apps/b.yaml"}},
		{"a release", release, []string{
			"spec.upgrade.force upgrade.force: true: replace apps/a.yaml apps/b.yaml",
			"spec.upgrade.remediation.strategy upgrade.remediation.strategy: uninstall: uninstall apps/a.yaml apps/b.yaml",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, tree{
				"clusters/a.yaml": c.by, "apps/a.yaml": extension("", ""), "apps/b.yaml": extension("", ""), "apps/c.yaml": role("", ""),
				"apps/Chart.yaml": "{apiVersion: v2, name: apps}",
			})
			got := described(r.DestructiveOptions(r.units["clusters"].Objects[0], objects.Query{Kind: "ClusterExtension"}))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	var none *delivery.Delivery
	if none.DestructiveOptions(nil, objects.Query{}) != nil {
		t.Error("without applications nothing is endangered by one")
	}
}
