//go:build olm_v1_3

package main

import (
	"context"
	"os"
	"strings"

	"helm.sh/helm/v3/pkg/release"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/operator-framework/operator-controller/internal/operator-controller/authorization"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/bundle/source"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/convert"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/preflights/crdupgradesafety"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render/certproviders"
	"github.com/operator-framework/operator-controller/internal/operator-controller/rukpak/render/registryv1"
)

// render renders a bundle as v1.3 does (cmd/operator-controller/main.go, applier/helm.go). All gates are off by default.
func render(q Question, folder string) (string, error) {
	converter := convert.BundleToHelmChartConverter{BundleRenderer: registryv1.Renderer}
	watch := ""
	if q.Gates {
		converter.CertificateProvider, converter.IsWebhookSupportEnabled = certproviders.CertManagerCertificateProvider{}, true
		watch = q.Watch
	}
	chart, err := converter.ToHelmChart(source.FromFS(os.DirFS(folder)), q.Namespace, watch)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, file := range chart.Files {
		out.WriteString("---\n" + string(file.Data) + "\n")
	}
	return out.String(), nil
}

// missing asks the pre-authorizer.
func missing(ctx context.Context, q Question, manifest string, mapper meta.RESTMapper, grant []Scoped) ([]Scoped, error) {
	rules, err := authorization.NewRBACPreAuthorizer(newCluster(q, mapper, grant)).PreAuthorize(ctx, extension(q), strings.NewReader(manifest))
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
	if err := crdupgradesafety.NewPreflight(crds).Upgrade(ctx, &release.Release{Name: "manifest", Manifest: manifest}); err != nil {
		return err.Error(), nil
	}
	return "", nil
}
