package sources

import "testing"

func TestFolderHere(t *testing.T) {
	t.Parallel()
	remotes := []string{"git@github.com:team/apps.git", "https://dev.azure.com/org/project/_git/apps"}
	tests := map[string]struct {
		folder string
		ok     bool
	}{
		"https://github.com/team/apps//base?ref=main":            {"base", true},
		"https://github.com/team/apps.git//a/base?ref=v1":        {"a/base", true},
		"https://github.com/team/apps.git/a/base":                {"a/base", true},
		"https://github.com/team/apps/a/base?ref=v1":             {"a/base", true},
		"github.com/team/apps//base/":                            {"base", true},
		"github.com/team/apps?ref=main":                          {".", true},
		"git::https://github.com/team/apps//base":                {"base", true},
		"git@github.com:team/apps.git//base":                     {"base", true},
		"git@github.com:team/apps//base":                         {"base", true},
		"ssh://git@github.com/team/apps.git//base?ref=main":      {"base", true},
		"https://dev.azure.com/org/project/_git/apps//base?ref=": {"base", true},
		"https://github.com/other/apps//base?ref=main":           {"base", false},
		"https://github.com/team/apps2//base?ref=main":           {"base", false},
	}
	for address, want := range tests {
		folder, ok := FolderHere(address, remotes)
		if folder != want.folder || ok != want.ok {
			t.Errorf("FolderHere(%q) = %q, %v, want %q, %v", address, folder, ok, want.folder, want.ok)
		}
	}
	if folder, ok := FolderHere("https://github.com/team/apps//base?ref=main", nil); folder != "base" || !ok {
		t.Errorf("without remotes: %q, %v", folder, ok)
	}
}
