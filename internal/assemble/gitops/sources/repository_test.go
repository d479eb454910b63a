package sources_test

import (
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"testing"
)

func TestSameRepository(t *testing.T) {
	t.Parallel()
	same := [][]string{
		{
			"https://git.example.com/Platform/fleet", "https://git.example.com/platform/fleet.git", "git@git.example.com:platform/fleet.git",
			"ssh://git@git.example.com:2222/platform/fleet", "https://user:token@git.example.com/platform/fleet/",
			"http://git.example.com/platform/fleet.git/", "git://git.example.com/platform/fleet", "git.example.com:platform/fleet",
		},
		{"git@ssh.dev.azure.com:v3/org/project/repo", "https://org@dev.azure.com/org/project/_git/repo"},
		{"ssh://git@ssh.github.com:443/platform/fleet.git", "https://github.com/platform/fleet"},
		{"/srv/git/fleet", "file:///srv/git/fleet.git"},
	}
	for i, group := range same {
		for _, address := range group {
			for j, other := range same {
				if got := sources.SameRepository(address, other[0]); got != (i == j) {
					t.Errorf("%s and %s: got %v", address, other[0], got)
				}
			}
		}
	}
	for _, address := range []string{"", "https://[", "{{ .repo }}", "://"} {
		if sources.SameRepository(address, "https://git.example.com/platform/fleet") {
			t.Errorf("%q is taken for a repository", address)
		}
	}
}
