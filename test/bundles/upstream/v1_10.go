//go:build olm_v1_10

package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	ocv1 "github.com/operator-framework/operator-controller/api/v1"
	"github.com/operator-framework/operator-controller/internal/operator-controller/applier"
	"github.com/operator-framework/operator-controller/internal/operator-controller/authorization"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/preflights/crdupgradesafety"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render/certproviders"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render/registryv1"
)

// render renders a bundle as the Helm runtime of v1.10 does (cmd/operator-controller/main.go). By default, the gate for cert-manager is on,
// and those for namespaces to watch and for the configuration of deployments are off.
func render(q Question, folder string) (string, error) {
	provider := applier.RegistryV1ManifestProvider{
		BundleRenderer: registryv1.Renderer, CertificateProvider: certproviders.CertManagerCertificateProvider{}, IsWebhookSupportEnabled: true,
		IsSingleOwnNamespaceEnabled: q.Gates, IsDeploymentConfigEnabled: q.Gates,
	}
	e := extension(q)
	if q.Watch != "" {
		e.Spec.Config = &ocv1.ClusterExtensionConfig{ConfigType: ocv1.ClusterExtensionConfigTypeInline,
			Inline: jsonOf(fmt.Sprintf(`{"watchNamespace":%q}`, q.Watch))}
	}
	objects, err := provider.Get(os.DirFS(folder), e)
	if err != nil {
		return "", err
	}
	return manifestOf(objects)
}

func jsonOf(text string) *apiextensionsv1.JSON { return &apiextensionsv1.JSON{Raw: []byte(text)} }

// missing asks the pre-authorizer as the Helm runtime does (applier/helm.go).
func missing(ctx context.Context, q Question, manifest string, mapper meta.RESTMapper, grant []Scoped) ([]Scoped, error) {
	pre := authorization.NewRBACPreAuthorizer(newCluster(q, mapper, grant), authorization.WithClusterCollectionVerbs("list", "watch"))
	account := &user.DefaultInfo{Name: fmt.Sprintf("system:serviceaccount:%s:%s", q.Namespace, q.Account)}
	rules, err := pre.PreAuthorize(ctx, account, strings.NewReader(manifest), func(u user.Info) []authorizer.AttributesRecord {
		return []authorizer.AttributesRecord{{
			User: u, Name: q.Extension, APIGroup: ocv1.GroupVersion.Group, APIVersion: ocv1.GroupVersion.Version,
			Resource: "clusterextensions/finalizers", ResourceRequest: true, Verb: "update",
		}}
	})
	return scopedOf(rules), err
}

// blocked returns why a manifest does not replace that of another bundle.
func blocked(ctx context.Context, before Question, manifest string) (string, error) {
	installed, err := render(before, before.Bundle)
	if err != nil {
		return "", nil // the version before is refused
	}
	crds, err := definitionsOf(installed)
	if err != nil {
		return "", err
	}
	objects, err := objectsOf(manifest)
	if err != nil {
		return "", err
	}
	if err := crdupgradesafety.NewPreflight(crds).Upgrade(ctx, objects); err != nil {
		return err.Error(), nil
	}
	return "", nil
}
