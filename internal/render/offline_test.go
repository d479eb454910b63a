package render_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/salint/salint/internal/render"
)

// listen counts connections.
func listen(t *testing.T) (address string, connections *atomic.Int32) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skipf("cannot listen on loopback: %v", err)
	}
	t.Cleanup(func() { listener.Close() })
	connections = new(atomic.Int32)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			connection.Close()
		}
	}()
	return "http://" + listener.Addr().String(), connections
}

// Remote bases are refused before kustomize sees them, because it would run git and send HTTP requests.
func TestNoProgramIsStarted(t *testing.T) {
	bin := t.TempDir()
	ran := filepath.Join(bin, "ran")
	script := "#!/bin/sh\necho >" + ran + "\nexit 1\n"
	for _, program := range []string{"git", "helm", "docker"} {
		if err := os.WriteFile(filepath.Join(bin, program), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	address, connections := listen(t)
	for _, base := range []string{
		address + "/a/b", address + "/a/b.git", "git::" + address + "/a", "github.com/a/b", "GitHub.com:a/b", "git@127.0.0.1:a/b.git",
		"me@host/a/b", "file:///a/b", "ssh://127.0.0.1/a/b?ref=x", "HTTP://127.0.0.1/x.yaml",
	} {
		for _, field := range []string{"resources", "bases", "components", "generators", "transformers", "validators"} {
			_, err := render.Kustomize(t.Context(), tree(remote(field+": ['"+base+"']")), "a", render.KustomizeOptions{})
			var refused *render.RemoteError
			if !errors.As(err, &refused) {
				t.Errorf("%s in %s: %v", base, field, err)
			}
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program was started")
	}
	if connections.Load() > 0 {
		t.Error("a connection was made")
	}
}

// kustomize can build the configuration of a plugin, and only then sees the URL: the process has no file descriptor left
// for a connection.
func TestNoConnectionIsMade(t *testing.T) {
	t.Parallel()
	address, connections := listen(t)
	files := map[string]string{
		"a/kustomization.yaml": "resources: [x.yaml]\ntransformers: [plugins]\n",
		"a/x.yaml":             account,
		"a/plugins/kustomization.yaml": "resources: [p.yaml]\npatches:\n- target: {kind: PatchTransformer}\n" +
			"  patch: |\n    - {op: replace, path: /path, value: " + address + "/p.yaml}\n",
		"a/plugins/p.yaml": "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\npath: x\n",
	}
	_, err := render.Kustomize(t.Context(), tree(files), "a", render.KustomizeOptions{})
	if err == nil || !strings.Contains(err.Error(), "dial tcp") {
		t.Errorf("kustomize did not get as far as to connect: %v", err)
	}
	schema := `{"$id": "` + address + `/", "properties": {"x": {"$ref": "x.json"}}}`
	_, err = render.Chart(t.Context(), tree(with(ops, map[string]string{"ops/values.schema.json": schema})), "ops", render.ChartOptions{})
	if err != nil {
		t.Errorf("a chart with a schema from elsewhere: %v", err)
	}
	if connections.Load() > 0 {
		t.Error("a connection was made")
	}
}
