package olm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/olm"
)

func TestIdentity(t *testing.T) {
	t.Parallel()
	if got, want := olm.User("argocd"), "olm:clusterextension:argocd"; got != want {
		t.Errorf("User: got %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"olm:clusterextensions", "system:authenticated"}, olm.Groups()); diff != "" {
		t.Errorf("Groups (-want +got):\n%s", diff)
	}
}

func TestDeprecation(t *testing.T) {
	t.Parallel()
	const upstream = "spec.serviceAccount is deprecated, ignored, and will be removed in a future release."
	const proposal = "[DEPRECATION] 'spec.serviceAccount' is specified in ClusterExtension 'foo', " +
		"but is ignored and will be removed in a future release."
	for target, want := range map[string]string{
		"olm-1.11": upstream, "olm-1.12": upstream, "ignored": upstream, "": upstream, "ocp-4.21-proposed": proposal,
	} {
		if got := olm.Deprecation(target, "foo"); got != want {
			t.Errorf("Deprecation on %q: got %q, want %q", target, got, want)
		}
	}
}

func TestMistyped(t *testing.T) {
	t.Parallel()
	const user, group, account = "User", "Group", "ServiceAccount"
	tests := []struct{ kind, name, wantKind, wantName string }{
		{user, "olm:clusterextensions:argocd", user, "olm:clusterextension:argocd"},
		{group, "olm:clusterextension", group, "olm:clusterextensions"},
		{user, "olm:clusterextensions", group, "olm:clusterextensions"},
		{group, "olm:clusterextension:argocd", user, "olm:clusterextension:argocd"},
		{group, "olm:clusterextensions:argocd", user, "olm:clusterextension:argocd"},
		{account, "olm:clusterextension:argocd", user, "olm:clusterextension:argocd"},
		{account, "olm:clusterextensions", group, "olm:clusterextensions"},
		{user, "OLM:ClusterExtension:argocd", user, "olm:clusterextension:argocd"},
		{user, "olm:cluster-extension:argocd", user, "olm:clusterextension:argocd"},
		{user, "olm:clusterextention:argocd", user, "olm:clusterextension:argocd"},
		{group, "olm:clusterextention", group, "olm:clusterextensions"},
		{user, "olm/clusterextension/argo.cd", user, "olm:clusterextension:argo.cd"},
		{user, "olm.clusterextension.argocd", user, "olm:clusterextension:argocd"},
		{user, " olm:clusterextension:argocd ", user, "olm:clusterextension:argocd"},
		{user, "olm:clusterextensions:${NAME}", user, "olm:clusterextension:${NAME}"},
		{user, "olm:clusterextensions:{{ .Values.name }}", user, "olm:clusterextension:{{ .Values.name }}"},
		// the intention is not certain
		{user, "olm:clusterextension", "", ""},
		{account, "olm:clusterextension", "", ""},
		{user, "olm:clusterextension:", "", ""},
		{user, "olm:clusterextension:argocd-system:argocd", "", ""},
		{user, "olm.synthetic-user", "", ""},
		{group, "olm.synthetic-user", "", ""},
	}
	for _, test := range tests {
		kind, name, why, ok := olm.Mistyped(test.kind, test.name)
		if !ok || why == "" || kind != test.wantKind || name != test.wantName {
			t.Errorf("Mistyped(%s, %q) = %q, %q, %q, %t; want %q, %q and a reason",
				test.kind, test.name, kind, name, why, ok, test.wantKind, test.wantName)
		}
	}
}

func TestMistypedIgnoresOthers(t *testing.T) {
	t.Parallel()
	for _, subject := range [][2]string{
		{"User", "olm:clusterextension:argocd"},
		{"User", "olm:clusterextension:argo.cd-1"},
		{"User", "olm:clusterextension:${NAME:-argocd}"},
		{"User", "olm:clusterextension:{{ .Values.name }}"},
		{"Group", "olm:clusterextensions"},
		{"ServiceAccount", "olm.synthetic-user"},
		{"ServiceAccount", "olm.clusterextensions"},
		{"ServiceAccount", "argocd-installer"},
		{"User", "system:serviceaccount:argocd:argocd-installer"},
		{"Group", "system:authenticated"},
		{"User", "olm:catalog:argocd"},
		{"User", "olm"},
		{"User", "jane@example.com"},
		{"User", "olm:clusterextension-admin"},
		{"user", "olm:clusterextensions:argocd"},
		{"", ""},
	} {
		if kind, name, why, ok := olm.Mistyped(subject[0], subject[1]); ok {
			t.Errorf("Mistyped(%s, %q) = %q, %q, %q; want nothing", subject[0], subject[1], kind, name, why)
		}
	}
}
