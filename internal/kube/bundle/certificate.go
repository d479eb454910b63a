package bundle

import (
	"github.com/salint/salint/internal/kube/rendered"
)

// Annotations that request certificates and their authorities.
const (
	injectCAFromAnnotation   = "cert-manager.io/inject-ca-from"
	injectCABundleAnnotation = "service.beta.openshift.io/inject-cabundle"
	servingCertAnnotation    = "service.beta.openshift.io/serving-cert-secret-name"
)

const certManagerAPI = "cert-manager.io/v1"

// injectCA requests the authority that the API server must trust to call webhooks of a deployment.
func (g *generator) injectCA(object map[string]any, deployment string) {
	if g.serviceCA {
		annotate(object, injectCABundleAnnotation, "true")
		return
	}
	annotate(object, injectCAFromAnnotation, g.namespace+"/"+certificateName(deployment))
}

// certificates adds cert-manager's Issuer and Certificate for each deployment that serves webhooks. OpenShift's service CA
// needs no object, only annotations.
//
// Source: operator-controller v1.9.0 to v1.11.0, rukpak/render/certproviders.
func (g *generator) certificates() error {
	if g.serviceCA {
		return nil
	}
	served := g.webhookDeployments()
	for i, d := range g.deployments() {
		if served[d.Name] {
			at := g.origin(g.lines.deployments, i)
			g.objects = append(g.objects,
				rendered.Object{Origin: at, JSON: g.issuer(d.Name)},
				rendered.Object{Origin: at, JSON: g.certificate(d.Name)})
		}
	}
	return nil
}

func (g *generator) issuer(deployment string) map[string]any {
	return map[string]any{
		"apiVersion": certManagerAPI,
		"kind":       "Issuer",
		"metadata":   map[string]any{"name": issuerName(deployment), "namespace": g.namespace},
		"spec":       map[string]any{"selfSigned": map[string]any{}},
	}
}

func (g *generator) certificate(deployment string) map[string]any {
	host := serviceName(deployment) + "." + g.namespace
	return map[string]any{
		"apiVersion": certManagerAPI,
		"kind":       "Certificate",
		"metadata":   map[string]any{"name": certificateName(deployment), "namespace": g.namespace},
		"spec": map[string]any{
			"secretName":  certificateName(deployment),
			"commonName":  host,
			"dnsNames":    []any{host, host + ".svc", host + ".svc.cluster.local"},
			"usages":      []any{"server auth"},
			"issuerRef":   map[string]any{"name": issuerName(deployment)},
			"duration":    "17520h0m0s", // two years, renewed a day before they end, as OLM has always done
			"renewBefore": "24h0m0s",
		},
	}
}
