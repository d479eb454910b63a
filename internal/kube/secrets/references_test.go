package secrets_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/secrets"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"{apiVersion: v1, kind: ServiceAccount, metadata: {name: a}, secrets: [{name: b}, {}], imagePullSecrets: [{name: c}]}": {
			"b secrets[0].name", "c imagePullSecrets[0].name",
		},
		"{apiVersion: v1, kind: Pod, spec: {imagePullSecrets: [{name: a}], volumes: [{name: v, secret: {secretName: b}}, " +
			"{projected: {sources: [{configMap: {name: x}}, {secret: {name: c}}]}}], " +
			"containers: [{env: [{valueFrom: {secretKeyRef: {name: d}}}], envFrom: [{secretRef: {name: e}}]}], initContainers: [{envFrom: [{secretRef: {name: f}}]}]}}": {
			"a spec.imagePullSecrets[0].name", "b spec.volumes[0].secret.secretName mount", "c spec.volumes[1].projected.sources[1].secret.name mount",
			"f spec.initContainers[0].envFrom[0].secretRef.name",
			"d spec.containers[0].env[0].valueFrom.secretKeyRef.name", "e spec.containers[0].envFrom[0].secretRef.name",
		},
		"{apiVersion: v1, kind: ConfigMap, data: {secretName: a}}": nil,
	} {
		var got []string
		for _, ref := range secrets.References(objectstest.Objects(t, filestest.Tree{"object.yaml": text})[0]) {
			line := ref.Name + " " + ref.Path.String()
			if ref.Mount {
				line += " mount"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
