package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/test/golden"
)

// plannedTransition is the part of a plan in JSON that the test reads.
type plannedTransition struct {
	Extensions []struct {
		Label   string
		Account struct{ State string }
		Cells   []struct{ Target, Status, Rule, Reason string }
	}
	Transitions []struct{ Steps []plannedStep }
}

type plannedStep struct {
	Do       string
	Commands []string
}

// TestStepsOfPlans runs the commands of plans as printed, in order, and those of the way back. Then the extensions work on
// the target, and after the way back every one has an account. Extensions whose steps a plan leaves to the user are excluded.
func TestStepsOfPlans(t *testing.T) {
	t.Parallel()
	const preview = "ocp-techpreview-proposed"
	directions := []struct{ low, high string }{
		{"olm-1.10", "olm-1.11"}, {"ocp-4.20-proposed", "ocp-4.23-proposed"}, {"ocp-4.20-proposed", preview},
	}
	up := []string{"minio", "${NAME}"}                                // if identities count, the needs of these are unknown
	back := []string{"kiali", "kiali (the chart chart)", "kiali-dev"} // no fix adds an account to a chart
	for _, c := range []struct {
		repository string
		// up and back are the extensions that the transitions to a target and back leave to the user.
		up, back map[string][]string
	}{
		{"plan/every-target", nil, nil},
		{"plan/base-with-two-overlays", nil, nil},
		{"plan/proposed-schedule-there-and-back", map[string][]string{preview: up}, map[string][]string{preview: up}},
		{
			"plan/steps-there-and-back", map[string][]string{preview: up},
			map[string][]string{"olm-1.11": back, "ocp-4.23-proposed": back, preview: append(back, up...)},
		},
	} {
		for _, direction := range directions {
			t.Run(c.repository+" "+direction.high, func(t *testing.T) {
				t.Parallel()
				work := t.TempDir()
				golden.WriteFolder(t, work, repositoryOf(t, c.repository))
				makeRepository(t, work)
				walk(t, work, direction.low, direction.high)
				checkWorks(t, work, direction.low, direction.high, c.up[direction.high])
				walk(t, work, direction.high, direction.low)
				checkAccounts(t, work, direction.high, direction.low, c.back[direction.high])
			})
		}
	}
}

// TestStepsLeaveOthersAlone upgrades one of three clusters to a release that ignores the field. Another cluster keeps a
// release that requires it, and both use the same base.
func TestStepsKeepOtherClusters(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	tree := repositoryOf(t, "plan/from-today")
	golden.WriteFolder(t, work, tree)
	makeRepository(t, work)
	p := planned(t, work, "--to", "olm-1.11", "clusters/old")
	const manager = "clusters/old/manager.yaml"
	golden.WriteFolder(t, work, map[string]string{manager: strings.ReplaceAll(tree[manager], ":v1.9.0", ":v1.11.0")})
	run(t, work, p)
	if out, code := runWords(work, []string{"lint", "--fail-on", "error"}); code != 0 {
		t.Errorf("lint exits with %d:\n%s", code, out)
	}
	for _, e := range planned(t, work, "--targets", "olm-1.8,olm-1.11").Extensions {
		want := map[string]string{"harbor (the kustomization clusters/oldest)": "named"}[e.Label]
		if e.Account.State != cmp.Or(want, "absent") {
			t.Errorf("%s: the account is %s", e.Label, e.Account.State)
		}
	}
}

// walk runs the commands of a plan that change manifests.
func walk(t *testing.T, work, from, to string) {
	t.Helper()
	run(t, work, planned(t, work, "--from", from, "--to", to))
}

func run(t *testing.T, work string, p plannedTransition) {
	t.Helper()
	for _, transition := range p.Transitions {
		for _, step := range transition.Steps {
			for _, command := range step.Commands {
				if args, ok := strings.CutPrefix(command, "salint "); ok {
					if out, code := runWords(work, wordsOf(t, args)); code == exitError {
						t.Fatalf("%s: %s: %s", step.Do, command, out)
					}
				}
			}
		}
	}
}

func planned(t *testing.T, work string, args ...string) plannedTransition {
	t.Helper()
	out, _ := runWords(work, append([]string{"plan", "--format", "json"}, args...))
	var p plannedTransition
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return p
}

func checkWorks(t *testing.T, work, from, to string, byHand []string) {
	t.Helper()
	for _, e := range planned(t, work, "--from", from, "--to", to).Extensions {
		for _, c := range e.Cells {
			if c.Target == to && c.Status != "works" && !slices.Contains(byHand, e.Label) {
				t.Errorf("%s %s on %s: %s", e.Label, c.Status, to, c.Reason)
			}
		}
	}
	checkLint(t, work, to, byHand)
}

func checkAccounts(t *testing.T, work, from, to string, byHand []string) {
	t.Helper()
	for _, e := range planned(t, work, "--from", from, "--to", to).Extensions {
		if state := e.Account.State; state != "named" && state != "templated" && !slices.Contains(byHand, e.Label) {
			t.Errorf("%s has no account (%s)", e.Label, state)
		}
	}
	checkLint(t, work, to, byHand)
}

// checkLint expects no errors if nothing is left to do by hand.
func checkLint(t *testing.T, work, to string, byHand []string) {
	t.Helper()
	if len(byHand) > 0 {
		return
	}
	if out, code := runWords(work, []string{"lint", "--fail-on", "error", "--target", to}); code != 0 {
		t.Errorf("lint for %s exits with %d:\n%s", to, code, out)
	}
}

func runWords(work string, args []string) (out string, code int) {
	var stdout, stderr bytes.Buffer
	c := testCommand(work, &stdout, &stderr)
	code = c.Main(args)
	if stdout.Len() == 0 {
		return stderr.String(), code
	}
	return stdout.String(), code
}

// wordsOf splits a command line as a shell does, as far as plans use it: names, and quotes around whole words.
func wordsOf(t *testing.T, line string) []string {
	t.Helper()
	var all []string
	for line != "" {
		word, rest, _ := strings.Cut(line, " ")
		if quoted, ok := strings.CutPrefix(line, "'"); ok {
			if word, rest, ok = strings.Cut(quoted, "'"); !ok || rest != "" && rest[0] != ' ' {
				t.Fatalf("the test cannot read %s", line)
			}
		}
		all, line = append(all, word), strings.TrimLeft(rest, " ")
	}
	return all
}
