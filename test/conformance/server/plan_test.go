package server_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/server"
)

// liveExtensions are the extensions on the cluster before a plan: harbor still has the field, loki has another account than
// in its manifest, and vault has none.
const liveExtensions = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: harbor}
spec: {namespace: harbor, serviceAccount: {name: installer}}
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: loki}
spec: {namespace: loki, serviceAccount: {name: made-by-hand}}
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: vault}
spec: {namespace: vault}
`

// TestLiveObjectsOfPlans runs the commands of a plan that read the field on the cluster, and remove it.
func TestLiveObjectsOfPlans(t *testing.T) {
	s := start(t)
	definition := read(t, "testdata/clusterextensions.yaml")
	if err := s.Apply(t.Context(), server.Admin, definition); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Kubectl(t.Context(), server.Admin, "", "wait", "--for=condition=Established", "crd/clusterextensions.olm.operatorframework.io"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Delete(running, liveExtensions); err != nil {
			t.Error(err)
		}
	})
	// A field that another manager applied stays when the manifest no longer has it.
	if _, err := s.Kubectl(t.Context(), server.Admin, liveExtensions, "apply", "--server-side", "--field-manager=somebody-else", "--filename=-"); err != nil {
		t.Fatal(err)
	}
	cleared := strings.ReplaceAll(liveExtensions, ", serviceAccount: {name: installer}", "")
	cleared = strings.ReplaceAll(cleared, ", serviceAccount: {name: made-by-hand}", "")
	if err := s.Apply(t.Context(), server.Admin, cleared); err != nil {
		t.Fatal(err)
	}
	commands := planned(t)
	managed := commandOf(t, commands, "--show-managed-fields")
	if got, err := s.Kubectl(t.Context(), server.Admin, "", managed...); err != nil || !strings.Contains(got, "manager: somebody-else") {
		t.Errorf("kubectl %q prints %q, %v; want who manages the field", managed, got, err)
	}
	for _, step := range []struct {
		command, prints string
		fails           bool
	}{
		{"?(@.spec.serviceAccount)", "harbor\nloki\n", false},
		{"patch clusterextension loki", "", true},
		{"patch clusterextension harbor", "clusterextension.olm.operatorframework.io/harbor patched\n", false},
		{"patch clusterextension harbor", "", true},
		{"?(@.spec.serviceAccount)", "loki\n", false},
		{"ACCOUNT:", "NAME     NAMESPACE   ACCOUNT\nharbor   harbor      <none>\nloki     loki        made-by-hand\nvault    vault       <none>\n", false},
	} {
		args := commandOf(t, commands, step.command)
		got, err := s.Kubectl(t.Context(), server.Admin, "", args...)
		if got != step.prints || step.fails != (err != nil) {
			t.Errorf("kubectl %q prints %q, %v; want %q", args, got, err, step.prints)
		}
	}
}

// commandOf finds the command that contains a text, among the commands of plans for the upgrade and for the downgrade.
func commandOf(t *testing.T, commands []string, text string) []string {
	t.Helper()
	i := slices.IndexFunc(commands, func(command string) bool { return strings.Contains(command, text) })
	if i < 0 {
		t.Fatalf("no plan has a command with %s: %s", text, strings.Join(commands, "\n"))
	}
	return salint.Words(strings.TrimPrefix(commands[i], "kubectl "))
}

// planned returns the commands of `salint plan` for the extensions, whose manifests set another account for loki.
func planned(t *testing.T) (commands []string) {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	repository := t.TempDir()
	manifests := strings.ReplaceAll(liveExtensions, "made-by-hand", "installer")
	if err := os.WriteFile(filepath.Join(repository, "extensions.yaml"), []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ends := range [][]string{{"olm-1.10", "olm-1.11"}, {"olm-1.11", "olm-1.10"}} {
		some, err := file.Commands(repository, ends[0], ends[1])
		if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, some...)
	}
	return commands
}
