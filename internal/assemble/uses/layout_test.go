package uses_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
)

// TestFindInTemplates checks which lines of a template can name the account olm/argocd-installer.
func TestFindInTemplates(t *testing.T) {
	t.Parallel()
	const name = "{{ .Release.Name }}-installer"
	const action = "{{- if .Values.on }}\n"
	tests := []struct {
		name, text string
		path       string
		account    bool // it can be the account
		other      bool // it can be a role
	}{
		{"own name", "kind: Deployment\nmetadata:\n  labels:\n    a: b\n" + action + "  name: " + name + "\n", "metadata.name", false, false},
		{"own name in braces", "kind: Job\nmetadata: {labels: x, name: \"" + name + "\"}\n" + action, "metadata.name", false, false},
		{"name of a role", action + "roleRef:\n  kind: ClusterRole\n  name: " + name + "\n", "roleRef.name", false, true},
		{"label", action + "metadata:\n  labels:\n    name: " + name + "\n", "", true, true},
		{"template of a pod", action + "spec:\n  template:\n    metadata:\n      name: " + name + "\n", "", true, true},
		{"annotation in braces", action + "metadata: {annotations: {name: " + name + "}}\n", "", true, true},
		{"text of a ConfigMap", action + "data:\n  a: |\n    metadata:\n      name: " + name + "\n", "", true, true},
		{"account of a pod", action + "spec:\n  serviceAccountName: " + name + "\n", "", true, true},
		{"subject of another namespace", action + "subjects:\n  - kind: ServiceAccount\n    name: " + name + "\n    namespace: web # x\n", "subjects.name", false, false},
		{"subject of another namespace, not indented", action + "subjects:\n- namespace: web\n  name: " + name + "\n  kind: ServiceAccount\n", "subjects.name", false, false},
		{"subject of another namespace, in braces", action + "subjects:\n- {kind: ServiceAccount, name: " + name + ", namespace: web}\n", "subjects.name", false, false},
		{"subject of the namespace", action + "subjects:\n- kind: ServiceAccount\n  name: " + name + "\n  namespace: olm\n", "subjects.name", true, false},
		{"subject of a templated namespace", action + "subjects:\n- kind: ServiceAccount\n  name: " + name + "\n  namespace: {{ .Values.ns }}\n", "subjects.name", true, true},
		{"subject of one of two namespaces", "subjects:\n- kind: ServiceAccount\n  name: " + name +
			"\n  {{- if .x }}\n  namespace: web\n  {{- else }}\n  namespace: olm\n  {{- end }}\n", "subjects.name", true, true},
		{"the namespace of another subject", action + "subjects:\n- kind: ServiceAccount\n  name: " + name +
			"\n- kind: ServiceAccount\n  name: x\n  namespace: web\n", "subjects.name", true, true},
		{"list of another name", action + "accounts:\n- kind: ServiceAccount\n  name: " + name + "\n  namespace: web\n", "", true, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tr := tree{"charts/web/templates/a.yaml": test.text}
			found, err := uses.Find(t.Context(), texts(tr), []string{"argocd-installer"})
			if err != nil || len(found["argocd-installer"]) != 1 {
				t.Fatalf("found %v, %v", found, err)
			}
			m := found["argocd-installer"][0]
			got := []any{m.Path.String(), m.CanName(objects.Account{Namespace: "olm", Name: "argocd-installer"}), m.CanNameOther()}
			if diff := cmp.Diff([]any{test.path, test.account, test.other}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
