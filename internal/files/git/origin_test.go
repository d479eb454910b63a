package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRepositoryName(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://github.com/acme/payments.git":                        "github.com/acme/payments",
		"https://x-access-token:SECRET@GitHub.com/acme/payments/":     "github.com/acme/payments",
		"https://gitlab-ci-token:a%40b@gitlab.example.org:8443/g/s/p": "gitlab.example.org:8443/g/s/p",
		"https://github.com/acme/payments.git?token=SECRET#fragment":  "github.com/acme/payments",
		"git@github.com:acme/payments.git":                            "github.com/acme/payments",
		"github.com:acme/payments":                                    "github.com/acme/payments",
		"git@example.org:/srv/payments.git":                           "example.org/srv/payments",
		"ssh://git@git.example.org:2222/acme/payments.git":            "git.example.org/acme/payments",
		"git://example.org/acme/../acme/payments":                     "example.org/acme/payments",
		"/srv/git/payments.git":                                       "",
		"../payments":                                                 "",
		"file:///srv/git/payments.git":                                "",
		`C:\src\payments`:                                             "",
		"C:/src/payments":                                             "",
		"https://github.com":                                          "",
		"https://github.com:443/acme/payments":                        "github.com/acme/payments",
		"https://dev.azure.com/acme/Cloud%20Ops/_git/pay%20roll":      "dev.azure.com/acme/Cloud%20Ops/_git/pay%20roll",
		"https://acme@dev.azure.com/acme/Cloud Ops/_git/payroll":      "dev.azure.com/acme/Cloud%20Ops/_git/payroll",
		"git@ssh.dev.azure.com:v3/acme/Cloud%20Ops/payroll":           "dev.azure.com/acme/Cloud%20Ops/_git/payroll",
		"ssh://git@ssh.dev.azure.com/v3/acme/ops/payroll":             "dev.azure.com/acme/ops/_git/payroll",
		"https://acme.visualstudio.com/DefaultCollection/ops/_git/p":  "dev.azure.com/acme/ops/_git/p",
		"https://acme.visualstudio.com/_git/ops":                      "dev.azure.com/acme/ops/_git/ops",
		"https://dev.azure.com/acme/_git/ops":                         "dev.azure.com/acme/ops/_git/ops",

		"https://github.com/a b":                      "",
		"https://user:p%zz@example.org/acme/payments": "",
		"https://example.org/acme/pay\nments":         "",
		"":                                            "",
		"acme/payments":                               "",
	} {
		name, ok := RepositoryName(address)
		if name != want || ok != (want != "") {
			t.Errorf("the name of %q is %q (%t), want %q", address, name, ok, want)
		}
		if strings.Contains(name, "SECRET") {
			t.Errorf("the name of %q contains its credentials", address)
		}
	}
}

func TestOriginAndHead(t *testing.T) {
	t.Parallel()
	const a, b = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	remotes := "[remote \"fork\"]\n\turl = https://example.org/fork\n[remote \"origin\"]\n\turl = https://user:SECRET@example.org/upstream.git\n"
	for name, test := range map[string]struct {
		files        map[string]string
		origin, head string
	}{
		"a branch":           {map[string]string{"HEAD": "ref: refs/heads/x/y\n", "refs/heads/x/y": a + "\n", "config": remotes}, "example.org/upstream", a},
		"a packed branch":    {map[string]string{"HEAD": "ref: refs/heads/x\n", "packed-refs": "# pack-refs with: peeled\n" + b + " refs/heads/xx\n" + a + " refs/heads/x\n^" + b + "\n"}, "", a},
		"detached":           {map[string]string{"HEAD": a + "\n", "config": "[remote \"fork\"]\n\turl = git@example.org:fork.git\n"}, "example.org/fork", a},
		"no commit":          {map[string]string{"HEAD": "ref: refs/heads/main\n"}, "", ""},
		"a ref outside":      {map[string]string{"HEAD": "ref: refs/../../secret\n", "../secret": a}, "", ""},
		"a ref to itself":    {map[string]string{"HEAD": "ref: refs/heads/a\n", "refs/heads/a": "ref: refs/heads/a\n"}, "", ""},
		"no commit ID":       {map[string]string{"HEAD": "SECRET\n"}, "", ""},
		"a local remote":     {map[string]string{"HEAD": a, "config": "[remote \"origin\"]\n\turl = /srv/git/x.git\n"}, "", a},
		"reftable is unread": {map[string]string{"HEAD": "ref: refs/heads/.invalid\n"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range test.files {
				file = filepath.Join(dir, ".git", filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			r := openGit(t, dir)
			if got := r.Origin(); got != test.origin {
				t.Errorf("origin %q, want %q", got, test.origin)
			}
			if got := r.Head(); got != test.head {
				t.Errorf("head %q, want %q", got, test.head)
			}
		})
	}
	if r := openGit(t, t.TempDir()); r.Origin() != "" || r.Head() != "" {
		t.Error("without git there is an origin or a commit")
	}
}
