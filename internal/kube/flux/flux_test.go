package flux_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

func applied(t *testing.T, manifests ...string) []flux.Applied {
	t.Helper()
	return flux.Read(objectstest.Applied(t, filestest.Tree{"flux.yaml": strings.Join(manifests, "\n---\n")}).Objects)
}

const (
	kustomization = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: fleet}\nspec: "
	release       = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\nspec: "
	sources       = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: "
	generator     = "apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: {name: split, namespace: fleet}\nspec: "
	isolated      = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: kustomize-controller, namespace: flux-system}\n" +
		"spec: {template: {spec: {containers: [{name: manager, args: [--no-cross-namespace-refs=true, --default-service-account=tenant]}]}}}"
	open = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: kustomize-controller, namespace: other}\nspec: {template: {spec: {containers: [{name: manager, args: [--watch-all-namespaces]}]}}}"
)

// TestDeciders checks who decides what is applied. An object that does not exist has a question mark.
func TestDeciders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		manifests []string
		want      []string
	}{
		{"a source that is not in the repository", []string{kustomization + "{sourceRef: {kind: GitRepository, name: code}}"},
			[]string{"GitRepository fleet/code?", "the status of GitRepository fleet/code"}},
		{"a source of the repository in another namespace", []string{
			kustomization + "{sourceRef: {kind: OCIRepository, name: code, namespace: other}}", sources + "OCIRepository\nmetadata: {name: code, namespace: other}",
		}, []string{"OCIRepository other/code", "the status of OCIRepository other/code"}},
		{"a namesake in another namespace", []string{
			kustomization + "{sourceRef: {kind: Bucket, name: code}}", sources + "Bucket\nmetadata: {name: code, namespace: other}",
		}, []string{"Bucket fleet/code?", "the status of Bucket fleet/code"}},
		{"references to other namespaces are refused", []string{kustomization + "{sourceRef: {kind: Bucket, name: code, namespace: other}}", isolated}, nil},
		{"references to other namespaces are refused by one of two", []string{kustomization + "{sourceRef: {kind: Bucket, name: code, namespace: other}}", isolated, open},
			[]string{"Bucket other/code?", "the status of Bucket other/code"}},
		{"the source of the bootstrap", []string{kustomization + "{sourceRef: {kind: GitRepository, name: flux-system}}"},
			[]string{"GitRepository fleet/flux-system", "the status of GitRepository fleet/flux-system"}},
		{"included repositories", []string{
			kustomization + "{path: ./apps/base, sourceRef: {kind: GitRepository, name: code}}",
			sources + "GitRepository\nmetadata: {name: code, namespace: fleet}\nspec: {include: [{repository: {name: inside}, toPath: apps}, {repository: {name: beside}}]}",
		}, []string{"GitRepository fleet/code", "GitRepository fleet/inside?, which GitRepository fleet/code includes",
			"GitRepository fleet/beside?, which GitRepository fleet/code includes, assumes that what is applied uses the folder beside", "the status of GitRepository fleet/code"}},
		{"a generated artifact", []string{
			kustomization + "{sourceRef: {kind: ExternalArtifact, name: web}}",
			generator + "{sources: [{alias: a, kind: GitRepository, name: code, namespace: dev}], artifacts: [{name: web}]}",
		}, []string{"an ArtifactGenerator in namespace fleet?, which can make ExternalArtifact fleet/web", "ArtifactGenerator fleet/split, which can make ExternalArtifact fleet/web",
			"GitRepository dev/code?, of which ArtifactGenerator fleet/split makes ExternalArtifact fleet/web",
			"the status of GitRepository dev/code, of which ArtifactGenerator fleet/split makes ExternalArtifact fleet/web", "the status of ExternalArtifact fleet/web"}},
		{"a generator of another artifact", []string{
			kustomization + "{sourceRef: {kind: ExternalArtifact, name: web}}",
			generator + "{sources: [{alias: a, kind: GitRepository, name: code}], artifacts: [{name: other}]}",
		}, []string{"an ArtifactGenerator in namespace fleet?, which can make ExternalArtifact fleet/web", "ArtifactGenerator fleet/split, which can make ExternalArtifact fleet/web",
			"the status of ExternalArtifact fleet/web"}},
		{"a chart of a release", []string{release + "{chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts, namespace: fleet}}}}"},
			[]string{"HelmRepository fleet/charts?", "the status of HelmChart fleet/shop-web"}},
		{"a chart that a release references", []string{
			release + "{chartRef: {kind: HelmChart, name: web}}",
			sources + "HelmChart\nmetadata: {name: web, namespace: shop}\nspec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}",
		}, []string{"HelmChart shop/web", "HelmRepository shop/charts?, from which HelmChart shop/web is built", "the status of HelmChart shop/web"}},
		{"Flux Operator", []string{"apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\nspec: {sync: {kind: OCIRepository, url: oci://x, path: .}}"},
			[]string{"OCIRepository flux-system/flux-system", "the status of OCIRepository flux-system/flux-system"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := applied(t, c.manifests...)
			if len(found) != 1 {
				t.Fatalf("%d are applied", len(found))
			}
			var got []string
			for _, d := range found[0].Deciders {
				text := d.String()
				if !d.Exists {
					text += "?"
				}
				for _, more := range []string{d.Through, d.Assumes} {
					if more != "" {
						text += ", " + more
					}
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	const source = "sourceRef: {kind: GitRepository, name: code}"
	const tenants = "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\nspec: {cluster: {multitenant: true}}"
	const patched = "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\n" +
		"spec: {kustomize: {patches: [{target: {kind: Deployment, name: %s}, patch: '[{op: add, path: /a, value: --default-service-account=tenant}]'}]}}"
	for _, c := range []struct {
		name      string
		manifests []string
		want      string
	}{
		{"the controller", []string{kustomization + "{" + source + "}"}, "fleet/"},
		{"named", []string{kustomization + "{serviceAccountName: deployer, " + source + "}", isolated}, "fleet/deployer"},
		{"by default", []string{kustomization + "{" + source + "}", isolated}, "fleet/tenant"},
		{"by default of one of two clusters", []string{kustomization + "{" + source + "}", isolated, open}, "fleet/"},
		{"for tenants", []string{kustomization + "{" + source + "}", tenants}, "fleet/default"},
		{"by a patch", []string{kustomization + "{" + source + "}", strings.ReplaceAll(patched, "%s", "(kustomize-controller|helm-controller)")}, "fleet/tenant"},
		{"by a patch of another controller", []string{kustomization + "{" + source + "}", strings.ReplaceAll(patched, "%s", "helm-controller")}, "fleet/"},
		{"suspended", []string{kustomization + "{suspend: true, " + source + "}"}, ""},
		{"another cluster", []string{kustomization + "{kubeConfig: {secretRef: {name: other}}, " + source + "}"}, ""},
		{"filled in later", []string{kustomization + "{serviceAccountName: '${ACCOUNT}', " + source + "}"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, a := range applied(t, c.manifests...) {
				got += a.Account.Namespace + "/" + a.Account.Name
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
