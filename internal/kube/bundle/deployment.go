package bundle

import (
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Annotations from which OLM's operators read their watch namespaces and their own namespace.
const (
	targetNamespacesAnnotation  = "olm.targetNamespaces"
	operatorNamespaceAnnotation = "olm.operatorNamespace"
)

// deploymentObjects adds the deployments of the ClusterServiceVersion.
func (g *generator) deploymentObjects() error {
	served := g.webhookDeployments()
	for i, spec := range g.deployments() {
		d := &appsv1.Deployment{
			TypeMeta:   typeMeta(appsv1.SchemeGroupVersion.String(), "Deployment"),
			ObjectMeta: metav1.ObjectMeta{Namespace: g.namespace, Name: spec.Name, Labels: spec.Label},
			Spec:       *spec.Spec.DeepCopy(),
		}
		d.Spec.RevisionHistoryLimit = new(int32(1))
		d.Spec.Template.Annotations = g.podAnnotations(d.Spec.Template.Annotations)
		if served[spec.Name] {
			mountCertificates(&d.Spec.Template.Spec, certificateName(spec.Name))
		}
		if err := g.add(g.origin(g.lines.deployments, i), d); err != nil {
			return err
		}
	}
	return nil
}

// podAnnotations are those of the ClusterServiceVersion, then the template's own, then OLM's.
func (g *generator) podAnnotations(own map[string]string) map[string]string {
	annotations := map[string]string{}
	maps.Copy(annotations, g.CSV.Annotations)
	maps.Copy(annotations, own)
	annotations[targetNamespacesAnnotation] = strings.Join(g.watched, ",")
	annotations[operatorNamespaceAnnotation] = g.namespace
	return annotations
}

// webhookDeployments are the names of the deployments that webhooks call.
func (g *generator) webhookDeployments() map[string]bool {
	served := map[string]bool{}
	for _, w := range g.CSV.Spec.WebhookDefinitions {
		served[w.DeploymentName] = true
	}
	return served
}

// certificateMounts are the paths at which operators built for OLM look for their serving certificates: that of
// controller-runtime, and that of API servers.
func certificateMounts(secret string) ([]corev1.Volume, []corev1.VolumeMount) {
	volume := func(name, certificate, key string) corev1.Volume {
		return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
			SecretName: secret,
			Items:      []corev1.KeyToPath{{Key: "tls.crt", Path: certificate}, {Key: "tls.key", Path: key}},
		}}}
	}
	return []corev1.Volume{
			volume("webhook-cert", "tls.crt", "tls.key"),
			volume("apiservice-cert", "apiserver.crt", "apiserver.key"),
		}, []corev1.VolumeMount{
			{Name: "webhook-cert", MountPath: "/tmp/k8s-webhook-server/serving-certs"},
			{Name: "apiservice-cert", MountPath: "/apiserver.local.config/certificates"},
		}
}

// mountCertificates replaces the pod's mounts at these paths, or with these names, with the certificate.
func mountCertificates(pod *corev1.PodSpec, secret string) {
	volumes, mounts := certificateMounts(secret)
	replaced, paths := map[string]bool{}, map[string]bool{}
	for _, mount := range mounts {
		replaced[mount.Name], paths[mount.MountPath] = true, true
	}
	for _, container := range pod.Containers {
		for _, mount := range container.VolumeMounts {
			if paths[mount.MountPath] {
				replaced[mount.Name] = true
			}
		}
	}
	pod.Volumes = append(slices.DeleteFunc(pod.Volumes, func(v corev1.Volume) bool { return replaced[v.Name] }), volumes...)
	for i := range pod.Containers {
		c := &pod.Containers[i]
		c.VolumeMounts = append(slices.DeleteFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return replaced[m.Name] }), mounts...)
	}
}
