package verify_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/proof/verify"
	"github.com/salint/salint/internal/proof/verify/verifytest"
	"github.com/salint/salint/test/long"
)

// In random overlays of a base, with random plans that change the base and patches and declare the removals of the field
// that kustomize then builds, a plan is verified exactly if nothing else differs.
func TestAgreesWithBuilds(t *testing.T) {
	t.Parallel()
	counts := map[bool]int{}
	for seed := range int64(long.Runs(60, 300)) {
		g := generator{rand.New(rand.NewSource(seed))}
		repo := g.overlays()
		c := repo.Context(t, verifytest.Options{Target: "ignored"})
		plan := g.sourceChanges(repo)
		plan.Object = c.Repo.Units[0].Objects[0]
		after := write(t, c, repo, plan)
		declared := declareRemovals(t, c, plan, repo, after)
		if g.Intn(4) == 0 && len(plan.Applied) > 0 {
			// One declaration is missing. A unit whose kustomization changes nothing is not built: the change of the file says it.
			declared = declared && !plan.Applied[0].Unit.Built
			plan.Applied = plan.Applied[1:]
		}
		proof, err := verify.Prove(c, []*engine.Plan{plan})
		if err != nil {
			t.Fatal(err)
		}
		if proven := len(proof.Plans) == 1; proven != declared {
			t.Fatalf("seed %d: proven is %t (%v), and all was declared is %t\n%s\nafterwards\n%s",
				seed, proven, proof.Refused, declared, dump(repo), dump(after))
		}
		counts[declared]++
	}
	if counts[true] < 10 || counts[false] < 10 {
		t.Errorf("declared in full, or not: %v: the plans are not worth much", counts)
	}
}

// declareRemovals declares for each overlay whether the field is removed from the extension, and reports whether nothing
// else differs.
func declareRemovals(t *testing.T, c *engine.Context, plan *engine.Plan, before, after verifytest.Repo) (all bool) {
	t.Helper()
	all = true
	for _, u := range c.Repo.Units {
		differences := before.Build(t, u.Root).Differences(after.Build(t, u.Root))
		for _, d := range differences {
			if !strings.HasPrefix(d, "ClusterExtension") || !strings.HasSuffix(d, ": - "+field) {
				all = all && !u.Built // the objects of a unit that is not built are those of its files, whose changes say it
				continue
			}
			plan.Applied = append(plan.Applied, engine.AppliedChange{
				Unit: u, Object: extensionIn(t, u), Op: engine.RemoveValue, Path: path(field),
			})
		}
	}
	return all
}

// overlays generates a base and up to three overlays of it, which rename, label and patch.
func (g generator) overlays() verifytest.Repo {
	repo := verifytest.Repo{
		"base/kustomization.yaml": "resources: [harbor.yaml, rbac.yaml]\n" + g.one("", "namePrefix: b-\n"),
		"base/harbor.yaml":        harbor,
		"base/rbac.yaml":          account + "---\n" + role,
	}
	for i := range 1 + g.Intn(3) {
		folder := fmt.Sprintf("o%d", i)
		text := "resources: [../base]\n" + g.one("", "namePrefix: p-\n", "nameSuffix: -s\n") + g.one("", "namespace: ops\n", "commonLabels: {a: b}\n")
		if g.Intn(2) == 0 {
			text += "patches: [{path: patch.yaml, target: {kind: ClusterExtension}}]\n"
			repo[folder+"/patch.yaml"] = g.patch()
		}
		repo[folder+"/kustomization.yaml"] = text
	}
	return repo
}

// patch sets the account of the extension, and sometimes a label.
func (g generator) patch() string {
	return "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: harbor\n  labels:\n    part: '" + g.one("one", "two") +
		"'\nspec:\n  serviceAccount:\n    name: " + g.one("other", "harbor-installer") + "\n"
}

// sourceChanges removes the field from some of the files that set it, and sometimes changes something else.
func (g generator) sourceChanges(repo verifytest.Repo) *engine.Plan {
	plan := &engine.Plan{Description: "try"}
	for _, file := range repo.Tree().Names() {
		if strings.Contains(repo[file], "serviceAccount:") && g.Intn(4) > 0 {
			plan.Changes = append(plan.Changes, removal(file))
		}
	}
	if g.Intn(4) == 0 {
		plan.Changes = append(plan.Changes, engine.Change{File: "base/rbac.yaml", Op: engine.AddField, Path: path("metadata.labels"), Value: map[string]any{"x": "y"}})
	}
	return plan
}
