package olm_test

import (
	"path/filepath"
	"testing"

	"github.com/salint/salint/test/conformance/olm"
	"github.com/salint/salint/test/conformance/server"
)

// bundles reads the versions of the bundle, of which each upgrades the one before it.
func (s *story) bundles(replaced ...string) (all []olm.Bundle) {
	s.t.Helper()
	for _, version := range []string{"1.0.0", "1.1.0"} {
		b, err := olm.ReadBundle(filepath.Join("testdata", "bundles", version), replaced...)
		s.must(err)
		all = append(all, b)
	}
	return all
}

// bundleFolder writes a bundle into a new folder, for the commands of salint.
func (s *story) bundleFolder(b olm.Bundle) string {
	s.t.Helper()
	folder := s.t.TempDir()
	s.must(b.Write(folder))
	return folder
}

// TestPreflight grants what `salint preflight --format yaml` prints and nothing else. With that, operator-controller v1.10 must install the
// extension, upgrade, and delete it.
func TestPreflight(t *testing.T) {
	s := begin(t, "required", olm.V1_10)
	s.must(s.Run(s.ctx, olm.V1_10))
	bundles := s.bundles()
	s.must(s.Publish(s.ctx, bundles...))
	s.apply()
	if failure, err := s.AwaitFailure(s.ctx, "sample"); err != nil {
		t.Fatalf("the extension must not be installed before the permissions are granted: %s %v", failure, err)
	}
	first, second := s.bundleFolder(bundles[0]), s.bundleFolder(bundles[1])
	s.write("permissions.yaml", s.salint("preflight", "--bundle", first, "--format", "yaml"))
	s.apply()
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.0.0"))

	s.write("permissions.yaml", s.salint("preflight", "--bundle", second, "--from", first, "--format", "yaml"))
	s.edit("extension.yaml", "1.0.0", "1.1.0")
	s.apply()
	s.must(s.AwaitInstalled(s.ctx, "sample", "1.1.0"))
	objects, err := s.Objects(s.ctx, "sample")
	s.must(err)
	t.Log(objects)
	s.must(s.Remove(s.ctx, "sample"))
}

var _ = server.Admin
