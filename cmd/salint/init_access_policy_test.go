package main

import (
	"strings"
	"testing"

	"github.com/salint/salint/test/golden"
)

// The policy limits all subjects that the rule finds in the repositories of its golden cases: lint then finds none. The two
// determine independently who can write and is not an administrator.
func TestAccessPolicyResolvesFindings(t *testing.T) {
	t.Parallel()
	const rule = "olm/extension-write-access"
	tried := 0
	for _, path := range fixtures.Names(t) {
		_, name, _ := strings.Cut(path, "/")
		if !strings.Contains(name, "write-access") && !strings.Contains(name, "round-trip") && name != "cluster-admin-by-effect" {
			continue
		}
		tried++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			makeRepository(t, dir)
			golden.WriteFolder(t, dir, repositoryOf(t, path))
			const lint = "lint --target olm-1.11 --quiet --enable " + rule
			found := strings.Contains(runLine(dir, lint), "["+rule+"]")
			written := runLine(dir, "init access-policy")
			if none := strings.Contains(written, "no subject to limit"); none && found {
				t.Errorf("lint finds a subject, but there is none to limit:\n%s", written)
			}
			// Someone who can change the policy is not limited by it, which the finding reports.
			if after := runLine(dir, lint); strings.Contains(after, "["+rule+"]") && !strings.Contains(after, "can be changed by") {
				t.Errorf("lint still finds\n%s", after)
			}
		})
	}
	if tried < 7 {
		t.Errorf("only %d cases", tried)
	}
}
