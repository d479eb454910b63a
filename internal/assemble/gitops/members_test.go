package gitops

import "testing"

func TestBaseOf(t *testing.T) {
	t.Parallel()
	members := []Member{
		{Name: "fleet", Dir: "fleet"},
		{
			Name: "platform", Dir: "src/platform", Addresses: []string{"git@git.example.com:sea/platform.git"}, Branches: []string{"main"},
			Commit: "0123456789abcdef0123", IsCheckedOut: func(revision string) bool { return revision == "v1.3.0" },
		},
	}
	const other = "was read from the repository platform of the workspace at commit 0123456789ab, which can differ from "
	for address, want := range map[string]struct {
		dir, doubt string
		ok         bool
	}{
		"https://git.example.com/sea/platform//base":                  {"src/platform/base", "", true},
		"https://git.example.com/sea/platform//base?ref=main":         {"src/platform/base", "", true},
		"git@git.example.com:sea/platform.git//base?ref=v1.3.0":       {"src/platform/base", "", true},
		"git@git.example.com:sea/platform.git//base?ref=v1.2.0":       {"src/platform/base", other + "v1.2.0: check that out there", true},
		"ssh://git@git.example.com/sea/platform//a/b?version=feature": {"src/platform/a/b", other + "feature: check that out there", true},
		"https://git.example.com/sea/platform?ref=main&timeout=90s":   {"src/platform", "", true},
		"https://git.example.com/sea/platform//../../etc":             {"src/platform/etc", "", true},
		"https://git.example.com/sea/harbor//base":                    {"", "", false},
		"base": {"", "", false},
	} {
		dir, doubt, ok := BaseOf(members, address)
		if dir != want.dir || doubt != want.doubt || ok != want.ok {
			t.Errorf("%s: %q, %q, %t, want %q, %q, %t", address, dir, doubt, ok, want.dir, want.doubt, want.ok)
		}
	}
}
