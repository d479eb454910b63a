package bundle

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func (g *generator) validatingWebhooks() error {
	return g.configurations(v1alpha1.ValidatingAdmissionWebhook, func(name string, w v1alpha1.WebhookDescription) any {
		return &admissionv1.ValidatingWebhookConfiguration{
			TypeMeta:   typeMeta(admissionv1.SchemeGroupVersion.String(), "ValidatingWebhookConfiguration"),
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Webhooks: []admissionv1.ValidatingWebhook{{
				Name: name, ClientConfig: g.clientConfig(w), Rules: w.Rules, FailurePolicy: w.FailurePolicy, MatchPolicy: w.MatchPolicy,
				NamespaceSelector: g.namespaceSelector(), ObjectSelector: w.ObjectSelector, SideEffects: w.SideEffects,
				TimeoutSeconds: w.TimeoutSeconds, AdmissionReviewVersions: w.AdmissionReviewVersions,
			}},
		}
	})
}

func (g *generator) mutatingWebhooks() error {
	return g.configurations(v1alpha1.MutatingAdmissionWebhook, func(name string, w v1alpha1.WebhookDescription) any {
		return &admissionv1.MutatingWebhookConfiguration{
			TypeMeta:   typeMeta(admissionv1.SchemeGroupVersion.String(), "MutatingWebhookConfiguration"),
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Webhooks: []admissionv1.MutatingWebhook{{
				Name: name, ClientConfig: g.clientConfig(w), Rules: w.Rules, FailurePolicy: w.FailurePolicy, MatchPolicy: w.MatchPolicy,
				NamespaceSelector: g.namespaceSelector(), ObjectSelector: w.ObjectSelector, SideEffects: w.SideEffects,
				TimeoutSeconds: w.TimeoutSeconds, AdmissionReviewVersions: w.AdmissionReviewVersions, ReinvocationPolicy: w.ReinvocationPolicy,
			}},
		}
	})
}

// configurations adds one webhook configuration for each webhook of a type. Its name is the prefix from which OLM v0 generated
// names.
func (g *generator) configurations(kind v1alpha1.WebhookAdmissionType, build func(name string, w v1alpha1.WebhookDescription) any) error {
	for i, w := range g.CSV.Spec.WebhookDefinitions {
		if w.Type != kind {
			continue
		}
		if err := g.add(g.origin(g.lines.webhooks, i), build(strings.TrimSuffix(w.GenerateName, "-"), w)); err != nil {
			return err
		}
		g.injectCA(g.objects[len(g.objects)-1].JSON, w.DeploymentName)
	}
	return nil
}

func (g *generator) clientConfig(w v1alpha1.WebhookDescription) admissionv1.WebhookClientConfig {
	return admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{
		Namespace: g.namespace, Name: serviceName(w.DeploymentName), Path: w.WebhookPath, Port: new(w.ContainerPort),
	}}
}

// namespaceSelector limits webhooks to the namespaces that the operator watches.
func (g *generator) namespaceSelector() *metav1.LabelSelector {
	if slices.Contains(g.watched, allNamespaces) {
		return nil
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpIn, Values: g.watched},
	}}
}

// services adds the services of the webhooks, one for each deployment that has webhooks.
func (g *generator) services() error {
	ports := map[string][]corev1.ServicePort{}
	for _, w := range g.CSV.Spec.WebhookDefinitions {
		ports[w.DeploymentName] = append(ports[w.DeploymentName], servicePort(w))
	}
	for i, d := range g.deployments() {
		if len(ports[d.Name]) == 0 {
			continue
		}
		service := &corev1.Service{
			TypeMeta:   typeMeta(corev1.SchemeGroupVersion.String(), "Service"),
			ObjectMeta: metav1.ObjectMeta{Namespace: g.namespace, Name: serviceName(d.Name)},
			Spec:       corev1.ServiceSpec{Ports: distinct(ports[d.Name])},
		}
		if d.Spec.Selector != nil {
			service.Spec.Selector = d.Spec.Selector.MatchLabels
		}
		if g.serviceCA {
			service.Annotations = map[string]string{servingCertAnnotation: certificateName(d.Name)}
		}
		if err := g.add(g.origin(g.lines.deployments, i), service); err != nil {
			return err
		}
	}
	return nil
}

func servicePort(w v1alpha1.WebhookDescription) corev1.ServicePort {
	port := int32(443)
	if w.ContainerPort > 0 {
		port = w.ContainerPort
	}
	target := intstr.FromInt32(port)
	if w.TargetPort != nil {
		target = *w.TargetPort
	}
	return corev1.ServicePort{Name: strconv.Itoa(int(port)), Port: port, TargetPort: target}
}

// distinct sorts ports and removes duplicates.
func distinct(ports []corev1.ServicePort) []corev1.ServicePort {
	slices.SortFunc(ports, func(a, b corev1.ServicePort) int {
		return cmp.Or(cmp.Compare(a.Port, b.Port), cmp.Compare(a.TargetPort.IntValue(), b.TargetPort.IntValue()),
			cmp.Compare(a.TargetPort.String(), b.TargetPort.String()), cmp.Compare(a.TargetPort.Type, b.TargetPort.Type))
	})
	return slices.Compact(ports)
}
