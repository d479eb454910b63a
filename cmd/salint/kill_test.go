package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
	"github.com/salint/salint/test/golden"
	"github.com/salint/salint/test/long"
)

// killCases are golden cases that fix, with the options of the run: plain files, overlays, charts, several units, most of them with
// pruning. Those of killTrees are made for what golden cases do not have.
var killCases = map[string]string{
	"fix/prune-in-the-same-run":                          "--prune --target olm-1.11",
	"fix/prune-patches-of-removed-objects":               "--prune --target olm-1.11",
	"fix/prune-under-namespaces-and-variables":           "--prune --target olm-1.11",
	"fix/prune-under-prefixes":                           "--prune --target olm-1.11",
	"fix/prune-keeps-accounts-in-use":                    "--prune --target olm-1.11",
	"fix/prune-under-synthetic":                          "--prune --target synthetic",
	"overlays/fix-base-of-several-targets":               "",
	"fix/prune-keeps-token-secrets-of-others":            "--prune --target olm-1.11",
	"gitops/overrides-for-clusters-that-are-not-known":   "--prune --target synthetic",
	"fix/two-extensions-of-one-overlay":                  "--prune --target synthetic",
	"fix/fixes-in-several-rounds":                        "--unsafe-fixes --prune --target synthetic",
	"fix/chart":                                          "--prune --target synthetic",
	"fix/carry-over-role-bindings-in-several-namespaces": "--prune --target synthetic",
	"fix/downgrade-to-required":                          "--target olm-1.2",
	"consumers/folder-applied-by-a-makefile":             "--prune --target synthetic",
	"gitops-safety/argo-cd-deletes-what-is-ignored":      "--prune --target olm-1.11",
	"gitops-safety/variable-name-in-another-namespace":   "--prune --target olm-1.11",
	"generators/fix-manifests-of-a-policy-generator":     "--prune --target synthetic",
	"shapes/role-of-several-accounts":                    "--prune --target olm-1.11 thanos",
	"shapes/bindings-in-other-folders":                   "--prune --target synthetic",
	"shapes/mixed-subjects":                              "--prune --target synthetic",
	"overlays/fix-beside-the-base":                       "--prune --target synthetic",
	"overlays/fix-component-prefix-and-json-patch":       "--prune --target synthetic",
	"gains and loses files":                              "--prune --target synthetic",
	"gains and loses files, accounts are ignored":        "--prune --target olm-1.11",
	"files without namespaces":                           "--prune --target synthetic",
}

// killTrees are overlays whose kustomization gains the file of the new bindings and loses those of the account.
var killTrees = map[string]map[string]string{
	"gains and loses files":                       gainsAndLoses("  namespace: kiwi\n"),
	"gains and loses files, accounts are ignored": gainsAndLoses("  namespace: kiwi\n"),
	"files without namespaces":                    gainsAndLoses(""),
}

func gainsAndLoses(namespace string) map[string]string {
	return map[string]string{
		"kustomization.yaml": "namespace: kiwi\nresources:\n- base\n- account.yaml\n- binding.yaml\n- role.yaml\npatches:\n" +
			"- patch: |\n    apiVersion: v1\n    kind: ServiceAccount\n    metadata:\n      name: kiwi\n" + strings.ReplaceAll(namespace, "  n", "      n") + "      labels: {team: fruit}\n",
		"base/kustomization.yaml": "resources:\n- extension.yaml\n",
		"base/extension.yaml": "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: kiwi\nspec:\n  namespace: kiwi\n" +
			"  serviceAccount:\n    name: kiwi\n  source:\n    sourceType: Catalog\n    catalog:\n      packageName: kiwi\n",
		"account.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: kiwi\n" + namespace,
		"binding.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n  name: kiwi\nroleRef:\n" +
			"  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n  name: kiwi\nsubjects:\n- kind: ServiceAccount\n  name: kiwi\n" + strings.TrimPrefix(namespace, "") + strings.Repeat("  namespace: kiwi\n", 1-strings.Count(namespace, "kiwi")),
		"role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: kiwi\nrules:\n" +
			"- apiGroups: [\"\"]\n  resources: [configmaps]\n  verbs: [get, list]\n",
	}
}

// TestKilledRuns kills runs before every operation on the disk. In every state each file is whole, the units build, and extensions
// have the permissions that they had. The next run removes the temporary files, and it either leaves the same files as a run that
// nothing killed, or names what is left. A short run takes a third of the cases.
func TestKilledRuns(t *testing.T) {
	t.Parallel()
	var total tally
	var mu sync.Mutex
	step := long.Runs(3, 1)
	t.Cleanup(func() { // after the parallel cases
		t.Logf("%d kills in %d repositories, %d of them among the writes: every file whole, permissions kept, no temporary files after the next run; "+
			"same end state after %d, the rest named after %d", total.kills, total.repositories, total.writes, total.same, total.named)
		if total.writes < 150/step || total.repositories < 20/step {
			t.Errorf("only %d kills among the writes of %d repositories", total.writes, total.repositories)
		}
	})
	for i, name := range slices.Sorted(maps.Keys(killCases)) {
		if i%step != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := killEverywhere(t, name)
			mu.Lock()
			defer mu.Unlock()
			total.add(found)
		})
	}
}

// tally counts kills: all, those after which something was written and something not, and how the next run ends after these.
type tally struct {
	kills, writes, repositories, same, named int
}

func (a *tally) add(b tally) {
	a.kills += b.kills
	a.writes += b.writes
	a.same += b.same
	a.named += b.named
	if b.writes > 0 {
		a.repositories++
	}
}

func killEverywhere(t *testing.T, name string) (found tally) {
	t.Helper()
	judge, states := newKillJudge(t, name)
	for _, dir := range states {
		judge.add(&found, dir)
	}
	t.Logf("%d kills among the writes, the next run completes %d and names the rest after %d", found.writes, found.same, found.named)
	return found
}

// newKillJudge runs a case of killCases and returns its judge, and copies of the repository as it was before every operation on the disk.
func newKillJudge(t *testing.T, name string) (judge *killJudge, states []string) {
	t.Helper()
	files, line := killTrees[name], "lint --fix "+killCases[name]
	if files == nil {
		files = repositoryOf(t, name)
	}
	work := t.TempDir()
	golden.WriteFolder(t, work, files)
	makeRepository(t, work)
	before := golden.ReadFolder(t, work)
	states = statesOf(t, work, line)
	judge = &killJudge{t: t, line: line, before: before, end: golden.ReadFolder(t, work), same: map[string]bool{}}
	judge.needed = judge.permissions(judge.copy())
	for extension, rules := range judge.permissions(work) {
		if len(policyrules.Missing(rules, judge.needed[extension])) > 0 {
			judge.needed[extension] = nil // OLM acts as itself: only the unit must build, and an account that is named exist
		}
	}
	return judge, states
}

// statesOf runs a command line, and returns copies of the repository as it was before every operation on the disk: what a kill at
// that moment leaves.
func statesOf(t *testing.T, work, line string) (states []string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := testCommand(work, &stdout, &stderr)
	c.opened = func(r *repo.Repo) {
		r.Writer.Probe = func(string, string) error {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(work)); err != nil {
				t.Error(err)
			}
			states = append(states, dir)
			return nil
		}
	}
	if code := c.Main(strings.Fields(line)); code == exitError {
		t.Fatalf("%s\n%s", line, &stderr)
	}
	return states
}

func withoutTemporary(files map[string]string) map[string]string {
	maps.DeleteFunc(files, func(file, _ string) bool { return strings.Contains(file, ".salint-tmp-") })
	return files
}

// killJudge judges the states after kills of one run.
type killJudge struct {
	t           *testing.T
	line        string
	before, end map[string]string
	needed      map[string][]rbacv1.PolicyRule
	same        map[string]bool // by the state: whether the next run completes the killed one
}

// copy returns a new copy of the repository before the run.
func (j *killJudge) copy() string {
	j.t.Helper()
	dir := j.t.TempDir()
	golden.WriteFolder(j.t, dir, j.before)
	makeRepository(j.t, dir)
	return dir
}

// add judges the state that a kill left in a folder, and counts it.
func (j *killJudge) add(found *tally, dir string) {
	j.t.Helper()
	found.kills++
	now := withoutTemporary(golden.ReadFolder(j.t, dir))
	if cmp.Equal(now, j.before) || cmp.Equal(now, j.end) {
		j.checkCleaned(dir, now)
		return
	}
	found.writes++
	state := filesAndContents(now)
	same, judged := j.same[state]
	if !judged {
		same = j.check(dir, now)
		j.same[state] = same
	} else {
		j.checkCleaned(dir, now)
	}
	if same {
		found.same++
	} else {
		found.named++
	}
}

// check runs the same line again in a state among the writes.
func (j *killJudge) check(dir string, now map[string]string) (same bool) {
	j.t.Helper()
	for extension, missing := range j.missing(dir) {
		j.t.Errorf("%s lacks %v in\n%s", extension, missing, filesAndContents(now))
	}
	out := runLine(dir, j.line)
	after := golden.ReadFolder(j.t, dir)
	if diff := cmp.Diff(j.end, after); diff == "" {
		return true
	}
	for file := range after {
		if strings.Contains(file, ".salint-tmp-") {
			j.t.Errorf("the next run leaves %s", file)
		}
	}
	for _, file := range differing(j.end, after) {
		// A kustomization lists what is left and named.
		if !names(out, file) && !strings.Contains(out, filepath.ToSlash(filepath.Dir(file))+"/") {
			j.t.Errorf("the next run leaves another %s and does not say so:\n%s\nstate:\n%s\n%s", file, out, filesAndContents(now), cmp.Diff(j.end, after))
		}
	}
	return false
}

// checkCleaned checks that the next run removes the temporary files of a run that was killed before its first or after its last write.
func (j *killJudge) checkCleaned(dir string, now map[string]string) {
	j.t.Helper()
	r, err := repo.Open(dir, nil)
	if err != nil {
		j.t.Fatal(err)
	}
	defer r.Close()
	_, err = r.Writer.Recover(context.Background())
	if err := errors.Join(err, r.Writer.Commit(context.Background(), commit.Batch{})); err != nil {
		j.t.Error(err)
	}
	if diff := cmp.Diff(now, golden.ReadFolder(j.t, dir)); diff != "" {
		j.t.Errorf("temporary files stay:\n%s", diff)
	}
}

func differing(a, b map[string]string) (files []string) {
	for file, content := range a {
		if other, ok := b[file]; !ok || other != content {
			files = append(files, file)
		}
	}
	for file := range b {
		if _, ok := a[file]; !ok {
			files = append(files, file)
		}
	}
	return files
}

func filesAndContents(files map[string]string) string {
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(file, ".git/") {
			fmt.Fprintf(&b, "-- %s --\n%s", file, files[file])
		}
	}
	return b.String()
}

// missing returns the permissions that extensions lack in a state, and problems of their units.
func (j *killJudge) missing(dir string) map[string]string {
	missing := map[string]string{}
	now := j.permissions(dir)
	for extension, needed := range j.needed {
		rules, there := now[extension]
		switch lacks := policyrules.Missing(rules, needed); {
		case !there:
			missing[extension] = "everything: its unit does not build, or it is gone, or its account is"
		case len(lacks) > 0:
			missing[extension] = fmt.Sprint(lacks)
		}
	}
	return missing
}

// permissions returns what the identities of extensions can do, by unit and extension. Extensions whose account does not exist
// although the field names it, and those of units that do not build, are left out.
func (j *killJudge) permissions(dir string) map[string][]rbacv1.PolicyRule {
	j.t.Helper()
	r, err := repo.Open(dir, nil)
	if err != nil {
		j.t.Fatal(err)
	}
	defer r.Close()
	w, err := loader.Read(context.Background(), loader.FromRepo(r), loader.Options{
		Kinds: loader.Kinds(loader.RBAC(), loader.Installers()), Charts: (&workspace.Workspace{Repo: r, Config: settings.Default()}).Charts(),
	})
	if err != nil {
		j.t.Fatal(err)
	}
	all := map[string][]rbacv1.PolicyRule{}
	for _, u := range w.Units {
		if u.NotBuilt || len(u.Problems) > 0 {
			continue
		}
		for _, o := range u.Objects {
			e, ok := olm.ReadExtension(o.Node)
			if !ok {
				continue
			}
			who := rbac.Subject{Kind: "User", Name: olm.User(o.Name)}
			if e.Account.State == olm.Named {
				account := objects.Account{Namespace: e.Namespace, Name: e.Account.Name}
				if who = rbac.Account(account); !exists(u, account) {
					continue
				}
			}
			effective := rbac.EffectiveRules(u, o, who)
			rules := effective.In("")
			all[u.String()+" "+o.Name] = rules
		}
	}
	return all
}

func exists(u *objects.Unit, account objects.Account) bool {
	group := ""
	return len(u.Find(objects.Query{Group: &group, Kind: "ServiceAccount", Namespace: account.Namespace, Name: account.Name})) > 0
}

// names returns whether an output names a file, by itself or in a pattern with others.
func names(out, file string) bool {
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	return strings.Contains(out, file+":") || regexp.MustCompile(`[{,]`+regexp.QuoteMeta(base)+`[,}]`).MatchString(out)
}
