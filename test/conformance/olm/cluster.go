package olm

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/dynamic"

	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/server"
)

// namespace and account are those of operator-controller.
const (
	namespace = "olmv1-system"
	account   = "operator-controller-controller-manager"
)

// Cluster is an API server with Kubernetes' garbage collector, a catalog with a registry, and operator-controller.
type Cluster struct {
	*server.Server

	objects    dynamic.Interface
	folder     string
	release    release
	store      *store
	controller *controller
	starts     int // of operator-controller
}

// New starts an empty cluster for a test, at whose end everything ends. Without the programs, or without a way to start
// them, the test is skipped.
func New(t *testing.T, versions ...Version) *Cluster {
	t.Helper()
	binaries, err := server.Binaries()
	if err != nil {
		t.Skip(err)
	}
	for _, v := range versions {
		switch _, err := v.Program(); {
		case err != nil && v.isNamed():
			t.Fatal(err)
		case err != nil:
			t.Skip(err)
		}
	}
	if err := privateMounts(); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	folder, err := os.MkdirTemp("", "salint-olm-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeAll(t, folder) })
	c := &Cluster{folder: folder, store: newStore()}
	t.Cleanup(c.store.close)
	t.Cleanup(func() {
		c.Stop()
		cancel()
		if c.Server != nil {
			c.Wait()
		}
	})
	if c.Server, err = server.Start(ctx, binaries, folder); err != nil {
		t.Fatal(err)
	}
	if c.objects, err = dynamic.NewForConfig(c.Config); err != nil {
		t.Fatal(err)
	}
	if err := kube.RunGarbageCollection(ctx, c.Config, c.Client); err != nil {
		t.Fatal(err)
	}
	// In a folder without keys: the library that pulls images expects a client certificate with each key.
	if err := writeFile(filepath.Join(c.trusted(), "ca.crt"), string(c.store.certificate())); err != nil {
		t.Fatal(err)
	}
	return c
}

// trusted is the folder with the certificate of the catalog and the registry.
func (c *Cluster) trusted() string { return filepath.Join(c.folder, "trusted") }

func writeFile(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o600)
}

// removeAll removes a folder. The controller makes the folders of bundles read-only, which stops a user other than root.
func removeAll(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o700)
		}
		return err
	})
	if err := errors.Join(err, os.RemoveAll(folder)); err != nil {
		t.Error(err)
	}
}
