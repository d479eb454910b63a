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

const installerBinding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: harbor-installer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: harbor-installer, namespace: harbor}]
`

const installerAccount = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: harbor-installer, namespace: harbor}\n"

// TestLinkedManifests checks that grants reach every folder in which a symbolic link applies the extension, that a file is never
// deleted while a link leads to it, and that links stay links. Golden cases cannot hold symbolic links.
func TestLinkedManifests(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		links  map[string]string
		writes []string
		want   string // of the findings
	}{
		"without links":           {nil, []string{"base/all.yaml", "base/bind.yaml", "base/ext.yaml", "base/harbor-synthetic-rbac.yaml"}, ""},
		"both files are linked":   {map[string]string{"b/ext.yaml": "-> ../base/ext.yaml", "b/bind.yaml": "-> ../base/bind.yaml"}, []string{"base/all.yaml", "base/bind.yaml", "base/ext.yaml"}, "base/bind.yaml: ClusterRoleBinding olm-clusterextension-harbor-cluster-admin"},
		"the extension is linked": {map[string]string{"b/ext.yaml": "-> ../base/ext.yaml"}, nil, "would not be applied everywhere: the symbolic link b/ext.yaml names base/ext.yaml"},
		"the account is linked":   {map[string]string{"b/all.yaml": "-> ../base/all.yaml"}, []string{"base/ext.yaml", "base/harbor-synthetic-rbac.yaml"}, "base/all.yaml would be deleted, but the symbolic link b/all.yaml names it"},
		"the folder is linked":    {map[string]string{"b": "-> base"}, []string{"base/all.yaml", "base/bind.yaml", "base/ext.yaml", "base/harbor-synthetic-rbac.yaml"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"base/ext.yaml": extensionWithAccount, "base/bind.yaml": installerBinding, "base/all.yaml": installerAccount}
			for link, to := range test.links {
				files[link] = to
			}
			out, err := Run(context.Background(), Options{
				PolicyCache: policies, Tree: checkOut(t, files), Config: settings.Default(), Target: "synthetic",
				Fixes: fixing.Fixes{Apply: true, Prune: true}, Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
			})
			if err != nil {
				t.Fatal(err)
			}
			var writes, messages []string
			for _, w := range out.Writes {
				writes = append(writes, w.Path)
			}
			for _, f := range out.Findings {
				messages = append(messages, f.File+": "+f.Message)
			}
			slices.Sort(writes)
			if all := strings.Join(messages, "\n"); !slices.Equal(writes, test.writes) || !strings.Contains(all, test.want) {
				t.Errorf("writes %q, want %q; findings\n%s\nwant %q", writes, test.writes, all, test.want)
			}
		})
	}
}
