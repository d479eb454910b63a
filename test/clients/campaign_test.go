package clients

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/test/long"
)

// campaignRepository is a repository of a fleet, and what a campaign for olm-1.11 does with it.
type campaignRepository struct {
	settings string
	files    map[string]string
	// keeps is set if the settings require the field, so that only a run with --set-target removes it.
	keeps bool
	// public is set for a repository that was not made for the test.
	public bool
}

// campaignRepositories are the kinds of repositories of a generated fleet.
func campaignRepositories(i int) campaignRepository {
	name := fmt.Sprintf("op%03d", i)
	extension := map[string]string{"clusters/prod/extension.yaml": withAccount(name)}
	switch i % 5 {
	case 0:
		return campaignRepository{"target: olm-1.11\n", extension, false, false}
	case 1:
		return campaignRepository{"target: olm-1.10\n", extension, true, false}
	case 2:
		return campaignRepository{"target: olm-1.11\noverrides:\n- {paths: [\"clusters/prod/**\"], target: ocp-4.20}\n", extension, true, false}
	case 3:
		return campaignRepository{"", extension, false, false}
	}
	return campaignRepository{"target: olm-1.10\noverrides:\n- {paths: [\"clusters/**\"], target: ignored}\n", map[string]string{"clusters/prod/extension.yaml": withoutAccount(name)}, false, false}
}

// campaign plays what an owner of many repositories does.
type campaign struct {
	t      *testing.T
	dir    string
	env    []string
	salint string
	all    map[string]campaignRepository
	names  []string
}

// TestCampaign plays a fleet through: an inventory, a campaign in two waves, a run that is killed and repeated, a second inventory, and the
// check of the evidence. No field is removed where the settings of the repository require it. `make long` plays it with a hundred repositories.
// SALINT_PUBLIC names a folder with git repositories, of which clones are part of the fleet, too.
func TestCampaign(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("clients are not run with -short")
	}
	start, n := time.Now(), long.Runs(5, 100)
	c := &campaign{t: t, dir: t.TempDir(), all: map[string]campaignRepository{}}
	bin := salintFolder(t)
	c.salint, c.env = filepath.Join(bin, "salint"), []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	for i := range n {
		name, r := fmt.Sprintf("r%03d", i), campaignRepositories(i)
		files := map[string]string{"README.md": "# A repository\n"}
		for file, text := range r.files {
			files[file] = text
		}
		if r.settings != "" {
			files[".salint.yaml"] = r.settings
		}
		newRepository(t, filepath.Join(c.dir, "work", name), files)
		c.all[name], c.names = r, append(c.names, name)
	}
	c.addPublic(os.Getenv("SALINT_PUBLIC"))

	c.inventory("before", "auto")
	c.report(0, "report", "before", "--expect", "list.txt")
	c.wave(false)
	c.report(2, "report", "before", "--expect", c.list()) // the commits have changed: the reports are stale
	c.wave(true)
	c.inventory("after", "auto")
	out := c.report(0, "report", "after", "--expect", c.list(), "--since", "before")
	mustContain(t, out, fmt.Sprintf("%d repositories: ", len(c.names)), "no longer reported")
	write(t, filepath.Join(c.dir, "after", "SHA256SUMS"), c.report(0, "report", "after", "--format", "manifest"))
	c.report(0, "report", "after", "--verify")
	write(t, filepath.Join(c.dir, "after", "r000.json"), strings.Replace(read(t, filepath.Join(c.dir, "after", "r000.json")), `"severity": "warning"`, `"severity": "note"`, 1)+" ")
	c.report(2, "report", "after", "--verify")
	t.Logf("%d repositories in %v", len(c.names), time.Since(start).Round(time.Second))
}

// addPublic adds clones of the repositories in a folder; "" is none.
func (c *campaign) addPublic(folder string) {
	c.t.Helper()
	if folder == "" {
		return
	}
	found, err := filepath.Glob(filepath.Join(folder, "*", ".git"))
	if err != nil || len(found) == 0 {
		c.t.Fatalf("SALINT_PUBLIC: no git repositories in %s: %v", folder, err)
	}
	for _, f := range found {
		from := filepath.Dir(f)
		name := strings.ReplaceAll(filepath.Base(from), "+", "-")
		git(c.t, c.dir, "clone", "--quiet", from, filepath.Join(c.dir, "work", name))
		c.all[name], c.names = campaignRepository{public: true}, append(c.names, name)
	}
}

func (c *campaign) report(want int, args ...string) string {
	c.t.Helper()
	out, code := command{t: c.t, dir: c.dir, env: c.env, name: c.salint, args: args}.run()
	if code != want {
		c.t.Errorf("salint %s: exit code %d, want %d\n%s", strings.Join(args, " "), code, want, out)
	}
	return out
}

// inventory writes the report of each repository.
func (c *campaign) inventory(to, target string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Join(c.dir, to), 0o755); err != nil {
		c.t.Fatal(err)
	}
	for _, name := range c.names {
		command{t: c.t, dir: filepath.Join(c.dir, "work", name), env: c.env, name: c.salint, args: []string{
			"lint", "--fail-on", "never", "--output", "json=" + filepath.Join(c.dir, to, name+".json"), "--target", target, "--repository", "git.example.org/acme/" + name,
		}}.succeed()
	}
	c.list()
}

// list writes the list of repositories with the commits that they have now.
func (c *campaign) list() string {
	var list strings.Builder
	for _, name := range c.names {
		commit := strings.TrimSpace(git(c.t, filepath.Join(c.dir, "work", name), "rev-parse", "HEAD"))
		fmt.Fprintf(&list, "https://git.example.org/acme/%s.git %s\n", name, commit)
	}
	write(c.t, filepath.Join(c.dir, "list.txt"), list.String())
	return "list.txt"
}

// wave runs the script of the recipe in each repository, kills it once at another moment in each, and commits what it changed.
func (c *campaign) wave(setTarget bool) {
	c.t.Helper()
	env := append(c.env, "SALINT_TARGET=olm-1.11", "SALINT_BODIES="+filepath.Join(c.dir, "bodies"))
	if setTarget {
		env = append(env, "SALINT_SET_TARGET=yes")
	}
	for i, name := range c.names {
		r, dir := c.all[name], filepath.Join(c.dir, "work", name)
		c.kill(dir, env, time.Duration(i%7+1)*20*time.Millisecond)
		out, code := command{t: c.t, dir: dir, env: append(env, "REPOSITORY=acme/"+name), name: filepath.Join(projectRoot(c.t), "examples/fleet/multi-gitter/fix.sh")}.run()
		keeps := r.keeps && !setTarget
		if keeps != (code == 2) {
			c.t.Errorf("%s: exit code %d of the script\n%s", name, code, out)
		}
		if !r.public {
			c.checkField(name, keeps)
		}
		if keeps {
			mustContain(c.t, out, "olm/target-conflict", "nothing was fixed: --target olm-1.11 contradicts")
			if changed := git(c.t, dir, "status", "--porcelain"); changed != "" {
				c.t.Errorf("%s: a refused run changed %s", name, changed)
			}
		} else if git(c.t, dir, "status", "--porcelain") != "" {
			commitAll(c.t, dir)
			mustContain(c.t, read(c.t, filepath.Join(c.dir, "bodies", "acme-"+name+".md")), "serviceAccount")
		}
	}
}

// checkField reports a repository whose extension has the field although the campaign removes it, or the other way round.
func (c *campaign) checkField(name string, keeps bool) {
	c.t.Helper()
	hasField := strings.Contains(read(c.t, filepath.Join(c.dir, "work", name, "clusters/prod/extension.yaml")), "serviceAccount:")
	if hasField != keeps {
		c.t.Errorf("%s: the field is there: %t, and the settings require it: %t", name, hasField, keeps)
	}
}

// kill starts the script, and ends the program at some moment, as a machine that is turned off does.
func (c *campaign) kill(dir string, env []string, after time.Duration) {
	ctx, cancel := context.WithTimeout(c.t.Context(), after)
	defer cancel()
	process := exec.CommandContext(ctx, c.salint, "lint", "--fix", "--fail-on", "never", "--target", "olm-1.11", "--quiet", ".")
	for _, v := range env {
		if v == "SALINT_SET_TARGET=yes" {
			process.Args = append(process.Args, "--set-target")
		}
	}
	process.Dir, process.Env = dir, append(os.Environ(), env...)
	_ = process.Run() // it is killed, or has ended
}
