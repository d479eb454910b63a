package clients

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	sigsyaml "sigs.k8s.io/yaml"
)

// fleetServer is the address of a server of repositories that does not exist: git is told to look in a folder instead.
const fleetServer = "https://git.example.org/"

// fleetOf makes repositories on a server: the even ones have an extension to fix, and the odd ones none. It returns their names, and the
// environment in which git finds them and the scripts find salint.
func fleetOf(t *testing.T, n int) (names, env []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("clients are not run with -short")
	}
	dir := t.TempDir()
	for i := range n {
		name := fmt.Sprintf("acme/r%02d", i)
		manifest := withAccount("argocd")
		if i%2 == 1 {
			manifest = withoutAccount("argocd")
		}
		newRepository(t, filepath.Join(dir, "server", name), map[string]string{"argocd.yaml": manifest})
		names = append(names, name)
	}
	bin := salintFolder(t)
	config := filepath.Join(dir, "gitconfig")
	write(t, config, fmt.Sprintf("[url \"file://%s/\"]\n\tinsteadOf = %s\n\tinsteadOf = https://github.com/\n[protocol \"file\"]\n\tallow = always\n[safe]\n\tdirectory = *\n", filepath.ToSlash(filepath.Join(dir, "server")), fleetServer))
	return names, []string{
		"GIT_CONFIG_GLOBAL=" + config, "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
	}
}

// build is the folder with the program, which the tests of this package share.
var build struct {
	once sync.Once
	dir  string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if build.dir != "" {
		os.RemoveAll(build.dir)
	}
	os.Exit(code)
}

// salintFolder builds the program once.
func salintFolder(t *testing.T) string {
	t.Helper()
	build.once.Do(func() {
		dir, err := os.MkdirTemp("", "salint-clients-")
		if err != nil {
			t.Fatal(err)
		}
		build.dir = dir
		command{t: t, dir: projectRoot(t), name: "go", args: []string{"build", "-o", dir + string(filepath.Separator), "./cmd/salint", "./cmd/salint-action"}}.succeed()
	})
	return build.dir
}

// fleetSummary reads the JSON report on all repositories.
func fleetSummary(t *testing.T, text string) map[string]any {
	t.Helper()
	var report struct{ Summary map[string]any }
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return report.Summary
}

func checkSummary(t *testing.T, got map[string]any, want map[string]float64) {
	t.Helper()
	for key, n := range want {
		if got[key] != n {
			t.Errorf("%s is %v, want %v", key, got[key], n)
		}
	}
}

// TestFleetScript lints ten repositories and one that does not exist with the script, and reports on them.
func TestFleetScript(t *testing.T) {
	t.Parallel()
	names, env := fleetOf(t, 10)
	sh := client(t, "sh", "install a shell")
	dir := t.TempDir()
	list := "# all repositories\n"
	for _, name := range append(names, "acme/none") {
		list += fleetServer + name + "\n"
	}
	write(t, filepath.Join(dir, "repositories.txt"), list)
	out, code := command{t: t, dir: dir, env: env, name: sh, args: []string{
		filepath.Join(projectRoot(t), "examples/fleet/lint.sh"), "repositories.txt", "reports", "--target", "olm-1.11",
	}}.run()
	if code != 1 {
		t.Errorf("exit code %d of the script, want 1 because of the repository that does not exist", code)
	}
	mustContain(t, out, "not cloned: "+fleetServer+"acme/none")
	report, code := command{t: t, dir: dir, env: env, name: "salint", args: []string{"report", "reports", "--expect", "repositories.txt", "--format", "json"}}.runWithPath()
	if code != 2 {
		t.Errorf("exit code %d of the report, want 2 because a repository is missing", code)
	}
	report, _, _ = strings.Cut(report, "\nsalint: ")
	checkSummary(t, fleetSummary(t, report), map[string]float64{"repositories": 10, "clean": 5, "missing": 1, "warnings": 5, "safe": 5, "failed": 0})
	mustContain(t, report, `"repository": "git.example.org/acme/none"`)
}

// runWithPath is run for a program on the PATH of its own environment.
func (c command) runWithPath() (string, int) {
	c.t.Helper()
	for _, v := range c.env {
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			c.name = filepath.Join(filepath.SplitList(path)[0], c.name)
		}
	}
	return c.run()
}

// workflowStep is a step of a job with a script.
type workflowStep struct {
	Name string            `yaml:"name"`
	Run  string            `yaml:"run"`
	Env  map[string]string `yaml:"env"`
}

// scriptOf returns the script of a step of the workflow for many repositories. An expression in it would be executed.
func scriptOf(t *testing.T, job, name string) string {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct{ Steps []workflowStep } `yaml:"jobs"`
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(projectRoot(t), ".github/workflows/fleet.yml"))), &workflow); err != nil {
		t.Fatal(err)
	}
	for _, step := range workflow.Jobs[job].Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("the step %s has an expression in its script", step.Name)
		}
		if step.Name == name {
			return step.Run
		}
	}
	t.Fatalf("the job %s has no step %s", job, name)
	return ""
}

// TestFleetWorkflow runs the scripts of the reusable workflow as a runner does: it divides the repositories, lints each group, and
// reports on all of them, twice.
func TestFleetWorkflow(t *testing.T) {
	t.Parallel()
	names, env := fleetOf(t, 7)
	bash := client(t, "bash", "install bash")
	client(t, "jq", "install jq")
	dir := t.TempDir()
	env = append(env, "REPOSITORIES=  "+strings.Join(append(names, "acme/none"), "\r\n")+"\n# a comment\n\n"+names[0]+"\n", "SERVER="+strings.TrimSuffix(fleetServer, "/"),
		"GITHUB_OUTPUT="+filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "TARGET=olm-1.11", "TOKEN=SECRET")
	run := func(script string, more ...string) (string, int) {
		return command{t: t, dir: dir, env: append(env, more...), name: bash, args: []string{"-e", "-o", "pipefail", "-c", script}}.run()
	}
	if out, code := run(scriptOf(t, "list", "Divide the repositories"), "JOBS=3"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	var groups []struct {
		ID    int
		Names string
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(read(t, filepath.Join(dir, "output")), "groups=")), &groups); err != nil {
		t.Fatal(err)
	}
	var divided []string
	for _, group := range groups {
		divided = append(divided, strings.Fields(group.Names)...)
		out, code := run(scriptOf(t, "lint", "Lint the repositories"), "NAMES="+group.Names)
		if code != 0 {
			t.Errorf("exit code %d\n%s", code, out)
		}
		if strings.Contains(out, "SECRET") || strings.Contains(out, "U0VDUkVU") {
			t.Errorf("the log contains the token:\n%s", out)
		}
	}
	slices.Sort(divided)
	if !slices.Equal(divided, append([]string{"acme/none"}, names...)) || len(groups) != 3 {
		t.Errorf("%d groups of %v", len(groups), divided)
	}
	out, code := run(scriptOf(t, "report", "Report on all repositories"), "FAIL_ON=never")
	if code != 2 || strings.Contains(read(t, filepath.Join(dir, "output")), "complete=true") {
		t.Errorf("exit code %d with a missing repository, want 2\n%s", code, out)
	}
	mustContain(t, read(t, filepath.Join(dir, "summary")), "missing: git.example.org/acme/none", "olm/service-account-deprecated")
	checkSummary(t, fleetSummary(t, read(t, filepath.Join(dir, "fleet/fleet.json"))), map[string]float64{"repositories": 7, "clean": 3, "missing": 1, "warnings": 4})

	complete := "REPOSITORIES=" + strings.Join(names, "\n")
	for _, want := range []map[string]float64{{"new": 0, "open": 0, "missing": 0, "warnings": 4}, {"new": 0, "open": 4, "missing": 0}} {
		if out, code := run(scriptOf(t, "report", "Report on all repositories"), complete, "FAIL_ON=never"); code != 0 {
			t.Errorf("exit code %d\n%s", code, out)
		}
		checkSummary(t, fleetSummary(t, read(t, filepath.Join(dir, "fleet/fleet.json"))), want)
	}
	if out, code := run(scriptOf(t, "report", "Report on all repositories"), complete, "FAIL_ON=warning"); code != 1 {
		t.Errorf("exit code %d with warnings, want 1\n%s", code, out)
	}
	for _, bad := range []string{"", "acme/r00; touch pwned", "../../etc", "$(touch pwned)/x"} {
		if out, code := run(scriptOf(t, "list", "Divide the repositories"), "JOBS=3", "REPOSITORIES="+bad); code == 0 {
			t.Errorf("the list %q is accepted:\n%s", bad, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("a name was executed")
	}
}

// TestMultiGitterScript checks what multi-gitter relies on: it commits if the script exits with 0 and files changed.
func TestMultiGitterScript(t *testing.T) {
	t.Parallel()
	names, env := fleetOf(t, 2)
	sh := client(t, "sh", "install a shell")
	for i, name := range names {
		clone := filepath.Join(t.TempDir(), "clone")
		command{t: t, env: env, name: "git", args: []string{"clone", "--quiet", fleetServer + name, clone}}.succeed()
		fix := func(more ...string) (string, int) {
			return command{t: t, dir: clone, env: append(env, more...), name: sh, args: []string{filepath.Join(projectRoot(t), "examples/fleet/multi-gitter/fix.sh")}}.run()
		}
		if out, code := fix("SALINT_TARGET="); code == 0 || git(t, clone, "status", "--porcelain") != "" {
			t.Errorf("%s: exit code %d without a target\n%s", name, code, out)
		}
		if out, code := fix("SALINT_TARGET=olm-9.99x"); code == 0 || git(t, clone, "status", "--porcelain") != "" {
			t.Errorf("%s: exit code %d with an unknown target\n%s", name, code, out)
		}
		for range 2 { // the second run changes nothing
			if out, code := fix("SALINT_TARGET=olm-1.11"); code != 0 {
				t.Errorf("%s: exit code %d\n%s", name, code, out)
			}
			if changed := git(t, clone, "status", "--porcelain") != ""; changed != (i == 0) {
				t.Errorf("%s: changed: %t", name, changed)
			}
		}
		if got := read(t, filepath.Join(clone, "argocd.yaml")); got != withoutAccount("argocd") {
			t.Errorf("%s: the script left\n%s", name, got)
		}
	}
}

// documentsOf returns the documents of a YAML file.
func documentsOf(t *testing.T, file string) []string {
	t.Helper()
	return strings.Split(read(t, filepath.Join(projectRoot(t), file)), "\n---\n")
}

// TestKubernetesJobs decodes the Jobs with the types of Kubernetes, which have no unknown field, and checks what the API server would.
func TestKubernetesJobs(t *testing.T) {
	t.Parallel()
	var jobs []batchv1.Job
	for _, text := range slices.Concat(documentsOf(t, "examples/fleet/kubernetes/job.yaml"), documentsOf(t, "examples/fleet/kubernetes/report.yaml")) {
		var kind struct{ Kind string }
		if err := sigsyaml.Unmarshal([]byte(text), &kind); err != nil {
			t.Fatal(err)
		}
		var job batchv1.Job
		var err error
		switch kind.Kind {
		case "Job":
			if err = sigsyaml.UnmarshalStrict([]byte(text), &job); err == nil {
				jobs = append(jobs, job)
			}
		case "ServiceAccount":
			err = sigsyaml.UnmarshalStrict([]byte(text), &corev1.ServiceAccount{})
		case "PersistentVolumeClaim":
			err = sigsyaml.UnmarshalStrict([]byte(text), &corev1.PersistentVolumeClaim{})
		default:
			t.Errorf("an object of kind %q", kind.Kind)
		}
		if err != nil {
			t.Errorf("%s: %v", kind.Kind, err)
		}
	}
	if len(jobs) != 2 || *jobs[0].Spec.CompletionMode != batchv1.IndexedCompletion {
		t.Fatalf("%d jobs, or the first is not indexed", len(jobs))
	}
	if spec := jobs[0].Spec; spec.BackoffLimitPerIndex == nil || *spec.MaxFailedIndexes > *spec.Completions || spec.Template.Spec.RestartPolicy != corev1.RestartPolicyNever {
		t.Error("a limit for each index needs the restart policy Never, and at most as many failed indexes as there are")
	}
	for _, job := range jobs {
		pod := job.Spec.Template.Spec
		volumes := map[string]bool{}
		for _, volume := range pod.Volumes {
			volumes[volume.Name] = true
		}
		for _, container := range slices.Concat(pod.InitContainers, pod.Containers) {
			for _, mount := range container.VolumeMounts {
				if !volumes[mount.Name] {
					t.Errorf("%s: %s mounts %s, which is not a volume", job.Name, container.Name, mount.Name)
				}
			}
			for _, arg := range container.Args {
				for _, m := range regexp.MustCompile(`\$\(([A-Z_]+)\)`).FindAllStringSubmatch(arg, -1) {
					if !slices.ContainsFunc(container.Env, func(v corev1.EnvVar) bool { return v.Name == m[1] }) {
						t.Errorf("%s: Kubernetes does not expand %s, which is not in env", job.Name, m[0])
					}
				}
			}
		}
		if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
			t.Errorf("%s: the pods get a token", job.Name)
		}
	}
}

// TestGitLabComponent checks that the component declares the inputs that it uses.
func TestGitLabComponent(t *testing.T) {
	t.Parallel()
	documents := documentsOf(t, "examples/fleet/gitlab/templates/salint.yml")
	if len(documents) != 2 {
		t.Fatalf("%d documents, want the header and the job", len(documents))
	}
	var header struct {
		Spec struct{ Inputs map[string]any }
	}
	var job map[string]any
	for i, into := range []any{&header, &job} {
		if err := sigsyaml.Unmarshal([]byte(documents[i]), into); err != nil {
			t.Fatal(err)
		}
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`\$\[\[ inputs\.([a-z-]+) \]\]`).FindAllStringSubmatch(documents[1], -1) {
		used[m[1]] = true
		if header.Spec.Inputs[m[1]] == nil {
			t.Errorf("the input %s is not declared", m[1])
		}
	}
	for name := range header.Spec.Inputs {
		if !used[name] {
			t.Errorf("the input %s is not used", name)
		}
	}
	script := documents[1][strings.Index(documents[1], "script:"):]
	if strings.Contains(script, "$[[") {
		t.Error("an input is part of a script, which would execute it: pass it as a variable")
	}
}
