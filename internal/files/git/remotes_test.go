package git

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRemotes(t *testing.T) {
	tests := []struct {
		name, config string
		want         []string
	}{
		{"one", "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@example.com:org/repo.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
			[]string{"git@example.com:org/repo.git"}},
		{"several, in their order", "[remote \"b\"]\nurl=https://example.com/b\n[remote \"a\"]\nURL = https://example.com/a\n",
			[]string{"https://example.com/b", "https://example.com/a"}},
		{"other sections", "[url \"https://example.com/\"]\n\tinsteadOf = x:\n[submodule \"s\"]\n\turl = ../s\n[branch \"main\"]\n\tremote = origin\n", nil},
		{"a push address is not a fetch address", "[remote \"origin\"]\n\tpushurl = https://example.com/push\n", nil},
		{"on the line of the header", "[remote \"o]r\\\"igin\"] url = https://example.com/r # here\n", []string{"https://example.com/r"}},
		{"quotes, comments and space", "[remote \"o\"]\n\turl =  \"https://example.com/a#b\" ; here\n", []string{"https://example.com/a#b"}},
		{"a continued line", "[remote \"o\"]\r\n\turl = https://example\\\r\n.com/r\r\n", []string{"https://example.com/r"}},
		{"old header", "[remote.origin]\nurl = https://example.com/r\n", []string{"https://example.com/r"}},
		{"not a remote", "[remote \"o\nurl = \nurl\n]][[\n\\", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var urls []string
			for _, remote := range remotes(test.config) {
				urls = append(urls, remote.url)
			}
			if diff := cmp.Diff(test.want, urls); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRemotesOfALinkedWorkTree checks that a linked work tree has the configuration of the main one.
func TestRemotesOfALinkedWorkTree(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("main/.git/HEAD", "ref: refs/heads/main\n")
	write("main/.git/config", "[remote \"origin\"]\n\turl = https://example.com/r\n")
	write("main/.git/worktrees/linked/commondir", "../..\n")
	write("linked/.git", "gitdir: ../main/.git/worktrees/linked\n")
	for _, tree := range []string{"main", "linked"} {
		r := openGit(t, filepath.Join(dir, tree))
		if diff := cmp.Diff([]string{"https://example.com/r"}, r.Remotes()); diff != "" {
			t.Errorf("%s: %s", tree, diff)
		}
	}
	if got := openGit(t, t.TempDir()).Remotes(); got != nil {
		t.Errorf("without git: %q", got)
	}
}
