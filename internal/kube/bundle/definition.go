package bundle

import (
	"fmt"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/salint/salint/internal/kube/rendered"
)

// definition is a CustomResourceDefinition as operator-controller keeps it, whatever its version: in the type of v1, which
// drops fields that v1 does not have.
type definition struct {
	*apiextensionsv1.CustomResourceDefinition
	at rendered.Origin
}

func readDefinition(o rendered.Object) (definition, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.JSON, crd); err != nil {
		return definition{}, errorAt(o.Origin, "not a valid CustomResourceDefinition: %s", clip(err.Error()))
	}
	return definition{CustomResourceDefinition: crd, at: o.Origin}, nil
}

// definitions adds the CustomResourceDefinitions, with the conversion webhooks that apply to them.
func (g *generator) definitions() error {
	converters := g.converters()
	for _, d := range g.crds {
		crd := d.DeepCopy()
		crd.Namespace = ""
		webhook, converted := converters[crd.Name]
		if converted {
			crd.Spec.Conversion = g.conversion(webhook)
		}
		if err := g.add(d.at, crd); err != nil {
			return err
		}
		if converted {
			g.injectCA(g.objects[len(g.objects)-1].JSON, webhook.DeploymentName)
		}
	}
	return nil
}

// checkConverted returns why definitions cannot be converted.
func (b *Bundle) checkConverted() []string {
	var reasons []string
	converters := b.converters()
	for _, d := range b.crds {
		if _, converted := converters[d.Name]; converted && d.Spec.PreserveUnknownFields {
			reasons = append(reasons, fmt.Sprintf("custom resource definition '%s' must have .spec.preserveUnknownFields set to false to let API Server call webhook to do the conversion", d.Name))
		}
	}
	return reasons
}

// converters returns the conversion webhooks by the definition that they convert. A definition has at most one; the bundle
// would be refused otherwise.
func (b *Bundle) converters() map[string]v1alpha1.WebhookDescription {
	out := map[string]v1alpha1.WebhookDescription{}
	for _, w := range b.webhooks(v1alpha1.ConversionWebhook) {
		for _, crd := range w.ConversionCRDs {
			out[crd] = w
		}
	}
	return out
}

// conversion returns the conversion of versions by a webhook.
func (g *generator) conversion(w v1alpha1.WebhookDescription) *apiextensionsv1.CustomResourceConversion {
	path := w.WebhookPath
	if path == nil {
		path = new("/")
	}
	return &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig: &apiextensionsv1.WebhookClientConfig{Service: &apiextensionsv1.ServiceReference{
				Namespace: g.namespace, Name: serviceName(w.DeploymentName), Path: path, Port: new(w.ContainerPort),
			}},
			ConversionReviewVersions: w.AdmissionReviewVersions,
		},
	}
}
