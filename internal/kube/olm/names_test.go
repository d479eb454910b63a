package olm_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/salint/salint/internal/kube/olm"
)

func TestBindingName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("observability.", 18) + "x"
	tests := []struct{ extension, role, want string }{
		{"argocd", "argocd-installer", "olm-clusterextension-argocd-argocd-installer"},
		{"argocd", "system:image-puller", "olm-clusterextension-argocd-system:image-puller"},
		{"pipelines.v1", "admin", "olm-clusterextension-pipelines.v1-admin"},
		// 63 bytes fit, 64 do not.
		{"e", strings.Repeat("r", 40), "olm-clusterextension-e-" + strings.Repeat("r", 40)},
		{"e", strings.Repeat("r", 41), "olm-clusterextension-e-" + strings.Repeat("r", 29) + "-"},
		{long, "admin", "olm-clusterextension-observability.observability.obs-"},
		// Cut after a dot, which is removed.
		{"observability.observability.sso.x", strings.Repeat("r", 20), "olm-clusterextension-observability.observability.sso-"},
		{"${NAME}", "{{ role }}", "olm-clusterextension-${NAME}-{{-role-}}-"},
		{"argocd", "team/admin%41", "olm-clusterextension-argocd-team-admin-41-"},
		{"é" + strings.Repeat("é", 40), "r", "olm-clusterextension-" + strings.Repeat("é", 15) + "-"},
	}
	for _, test := range tests {
		got := olm.BindingName(test.extension, test.role)
		if !strings.HasPrefix(got, test.want) || strings.HasSuffix(test.want, "-") == (got == test.want) {
			t.Errorf("BindingName(%q, %q) = %q, want it to begin with %q", test.extension, test.role, got, test.want)
		}
		if len(got) > 63 || !utf8.ValidString(got) || strings.ContainsAny(got, "/% \n") {
			t.Errorf("BindingName(%q, %q) = %q, %d bytes: not a name", test.extension, test.role, got, len(got))
		}
	}
}

// TestBindingNameIsStable checks that runs, machines, and versions yield the same names; otherwise they would create the
// binding a second time.
func TestBindingNameIsStable(t *testing.T) {
	t.Parallel()
	want := "olm-clusterextension-openshift-cert-manager-operator-d0cd1a75d5"
	got := olm.BindingName("openshift-cert-manager-operator", "openshift-cert-manager-operator-installer-clusterrole")
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 80)
	names := []string{
		olm.BindingName(long, "a"), olm.BindingName(long, "b"), olm.BindingName(long+"-a", "b"), olm.BindingName(long, "a-b"),
		olm.UniqueBindingName("a", "b-c"), olm.UniqueBindingName("a-b", "c"),
		olm.UniqueBindingName("a", "b-c", "Role"), olm.UniqueBindingName("a", "b-c", "ClusterRole"),
		olm.BindingName("a", "b/c"), olm.BindingName("a", "b%c"), olm.BindingName("a", "b-c"),
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			t.Errorf("%q is used twice", name)
		}
		if len(name) > 63 {
			t.Errorf("%q has %d bytes", name, len(name))
		}
		seen[name] = true
	}
}

func TestInstallerName(t *testing.T) {
	t.Parallel()
	if got, want := olm.InstallerName("argocd"), "argocd-installer"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	long := olm.InstallerName(strings.Repeat("a", 253))
	if len(long) != 253 || !strings.HasSuffix(long, "-installer") {
		t.Errorf("got %q with %d bytes, want 253", long, len(long))
	}
	if other := olm.InstallerName(strings.Repeat("a", 252) + "b"); other == long {
		t.Errorf("two extensions share the account %q", other)
	}
}
