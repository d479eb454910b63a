package session

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/fixing"
)

// danger is something beside an installation, and the same without what is dangerous about it.
type danger struct{ name, file, text, harmless string }

var (
	readers = []danger{
		{"kapp", "deploy.sh", "kapp deploy -a a -f base\n", "kapp deploy -a a -f other\n"},
		{"a task of Ansible", "play.yml", "- hosts: localhost\n  tasks:\n    - kubernetes.core.k8s: {src: base/ext.yaml}\n", "- hosts: localhost\n  tasks:\n    - kubernetes.core.k8s: {src: other/ext.yaml}\n"},
		{"Terraform", "main.tf", "resource \"kubernetes_manifest\" \"a\" {\n  manifest = yamldecode(file(\"base/ext.yaml\"))\n}\n", "resource \"kubernetes_manifest\" \"a\" {\n  manifest = yamldecode(file(\"other/ext.yaml\"))\n}\n"},
		{"sed", "Makefile", "change:\n\tsed -i s/a/b/ base/ext.yaml\n", "change:\n\tgrep a base/ext.yaml\n"},
	}
	binders = []danger{
		{"oc", "bind.sh", "oc adm policy add-cluster-role-to-user admin -z harbor-installer -n harbor\n", "oc adm policy add-cluster-role-to-user admin -z quay-installer -n harbor\n"},
		{"a ClusterPermission", "permission.yaml", "apiVersion: rbac.open-cluster-management.io/v1alpha1\nkind: ClusterPermission\nmetadata: {name: a, namespace: east}\nspec: {clusterRoleBinding: {subject: {kind: ServiceAccount, name: harbor-installer, namespace: harbor}}}\n", "apiVersion: rbac.open-cluster-management.io/v1alpha1\nkind: ClusterPermission\nmetadata: {name: a, namespace: east}\nspec: {clusterRoleBinding: {subject: {kind: ServiceAccount, name: harbor-installer, namespace: quay}}}\n"},
		{"a module of Terraform", "rbac.tf", "resource \"kubernetes_cluster_role_binding\" \"a\" {\n  subject {\n    kind = \"ServiceAccount\"\n    name = \"harbor-installer\"\n    namespace = \"harbor\"\n  }\n}\n", "resource \"kubernetes_cluster_role_binding\" \"a\" {\n  subject {\n    kind = \"ServiceAccount\"\n    name = \"quay-installer\"\n    namespace = \"harbor\"\n  }\n}\n"},
	}
	// deliveries are annotations of the extension.
	deliveries = []danger{
		{"Flux creates it once", "", "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent", "kustomize.toolkit.fluxcd.io/ssa: Merge"},
		{"Flux leaves it alone", "", "kustomize.toolkit.fluxcd.io/reconcile: disabled", "kustomize.toolkit.fluxcd.io/reconcile: enabled"},
	}
)

// TestDangersCross puts what makes a fix unsafe, what makes it impossible, and what makes a prune wrong beside one installation, each present, harmless,
// or absent, in all combinations.
func TestDangersCross(t *testing.T) {
	t.Parallel()
	for i, reader := range readers {
		for j, binder := range binders {
			delivery := deliveries[(i+j)%len(deliveries)]
			t.Run(strings.Join([]string{reader.name, binder.name, delivery.name}, ", "), func(t *testing.T) {
				t.Parallel()
				for n := range 27 {
					c := crossing{is: [3]presence{presence(n % 3), presence(n / 3 % 3), presence(n / 9)}}
					c.write(reader, binder, delivery)
					c.check(t)
				}
			})
		}
	}
}

type presence int

const (
	absent presence = iota
	harmless
	dangerous
)

func (p presence) of(d danger) string { return [...]string{"", d.harmless, d.text}[p] }

// crossing is one combination: whether the reader, the binder, and the delivery are dangerous.
type crossing struct {
	is    [3]presence
	files map[string]string
}

func (c *crossing) write(reader, binder, delivery danger) {
	c.files = map[string]string{"base/bind.yaml": installerBinding, "base/account.yaml": installerAccount, "base/ext.yaml": extensionWithAccount}
	for i, d := range []danger{reader, binder} {
		if text := c.is[i].of(d); text != "" {
			c.files[d.file] = text
		}
	}
	if annotation := c.is[2].of(delivery); annotation != "" {
		c.files["base/ext.yaml"] = strings.Replace(extensionWithAccount, "name: harbor", "annotations: {"+annotation+"}, name: harbor", 1)
	}
}

// check compares what is written for each release with what the combination allows.
func (c *crossing) check(t *testing.T) {
	t.Helper()
	for _, target := range []string{"olm-1.11", "synthetic"} {
		out, err := Run(context.Background(), Options{
			PolicyCache: policies, Tree: checkOut(t, c.files), Config: settings.Default(), Target: target,
			Fixes: fixing.Fixes{Apply: true, Prune: true}, Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
		})
		if err != nil {
			t.Fatal(err)
		}
		var writes []string
		for _, w := range out.Writes {
			writes = append(writes, w.Path)
		}
		isDangerous := func(i int) bool { return c.is[i] == dangerous }
		// On synthetic, what binds the account elsewhere is not carried over.
		edits := !isDangerous(0) && (target == "olm-1.11" || !isDangerous(1))
		if got := slices.Contains(writes, "base/ext.yaml"); got != edits {
			t.Errorf("%s: the field is removed: %v, want %v\n%v\n%v", target, got, edits, c.is, c.files)
		}
		if got := slices.Contains(writes, "base/account.yaml"); got && (!edits || isDangerous(1) || isDangerous(2)) {
			t.Errorf("%s: the account is removed\n%v\n%v", target, c.is, c.files)
		} else if harmlessOnly := !isDangerous(0) && !isDangerous(1) && !isDangerous(2); target == "olm-1.11" && harmlessOnly && !got && !c.isNamed() {
			t.Errorf("%s: the account stays\n%v\n%v", target, c.is, c.files)
		}
	}
}

// isNamed reports whether something beside the installation names the account.
func (c *crossing) isNamed() bool {
	for name, text := range c.files {
		if !strings.HasPrefix(name, "base/") && strings.Contains(text, "harbor-installer") {
			return true
		}
	}
	return false
}
