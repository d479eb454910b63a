package rules_test

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/evaluate"
	"github.com/salint/salint/rules/examples"
	"github.com/salint/salint/rules/metadata"
)

// growthCopies are the numbers of copies of an example that TestRulesGrowWithTheRepository compares.
var growthCopies = [2]int{40, 160}

// maxGrowth is how much more memory four times as many copies may allocate. Work that is quadratic allocates sixteen times as much.
const maxGrowth = 6

// growing are the examples whose work is the product of two numbers that both grow with the copies.
var growing = map[string]string{
	"grafana/token-read 1":         "each pod is compared with the accounts of Grafana that write a Secret of its name",
	"grafana/token-read 2":         "each pod is compared with the accounts of Grafana that write a Secret of its name",
	"token/audience 1":             "each pod is compared with the pods of API servers",
	"olm/extension-write-access 2": "each admission policy is asked about each binding",
}

// namesOfExamples are the names and namespaces of the objects of an example.
var namesOfExamples = regexp.MustCompile(`(?m)^  name(?:space)?: "?([a-z0-9][-a-z0-9.]*)"?$`)

// fixedNames exist on every cluster, so copies share them.
var fixedNames = []string{
	"cluster-admin", "admin", "edit", "view", "default", "kube-system", "openshift-config", "cluster", "olm.synthetic-user",
}

// copiesOf returns a text n times, each time with other names of its objects.
func copiesOf(text string, n int) string {
	var names []string
	for _, found := range namesOfExamples.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(fixedNames, found[1]) && !slices.Contains(names, found[1]) {
			names = append(names, regexp.QuoteMeta(found[1]))
		}
	}
	copied := make([]string, n)
	for i := range copied {
		copied[i] = strings.TrimSuffix(text, "\n")
		if len(names) > 0 {
			word := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
			copied[i] = word.ReplaceAllString(copied[i], fmt.Sprintf("${1}-x%d", i))
		}
	}
	return strings.Join(copied, "\n---\n") + "\n"
}

// TestRulesGrowWithTheRepository evaluates each rule on many copies of each of its examples. The memory that this allocates stands for
// the work: other than time, it is the same in every run. The test is not parallel, because nothing else may allocate meanwhile.
func TestRulesGrowWithTheRepository(t *testing.T) {
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, rule := range registry.Rules() {
		if rule.Scope == metadata.ScopeProgram {
			continue
		}
		evaluator, err := registry.Evaluator(t.Context(), []string{rule.Name})
		if err != nil {
			t.Fatal(err)
		}
		for i, example := range rule.Examples {
			few, many, ratio := allocationGrowth(t, evaluator, example)
			checked++
			if excused := growing[fmt.Sprintf("%s %d", rule.Name, i+1)] != ""; excused != (ratio > maxGrowth) {
				t.Errorf("%s, example %d: %d copies allocate %d bytes, %d allocate %d: %.1f times as much",
					rule.Name, i+1, growthCopies[0], few, growthCopies[1], many, ratio)
			}
		}
	}
	if checked == 0 {
		t.Error("no rule has an example")
	}
}

// allocationGrowth returns what few and many copies of an example allocate. It measures again if the ratio is too large: pools that a collection
// has emptied are filled again by whatever is evaluated next.
func allocationGrowth(t *testing.T, evaluator *evaluate.Evaluator, example metadata.Example) (few, many uint64, ratio float64) {
	t.Helper()
	for range 3 {
		few, many = allocatedFor(t, evaluator, example, growthCopies[0]), allocatedFor(t, evaluator, example, growthCopies[1])
		if ratio = float64(many) / float64(few); ratio <= maxGrowth {
			break
		}
	}
	return few, many, ratio
}

// nothingMentions is in place of a search through all texts, which lint does once for all names.
func nothingMentions(context.Context, objects.Account, *objects.Object) ([]uses.Place, error) {
	return nil, nil
}

// allocatedFor returns how many bytes the evaluation of copies of an example allocates.
func allocatedFor(t *testing.T, evaluator *evaluate.Evaluator, example metadata.Example, copies int) uint64 {
	t.Helper()
	example.Text = copiesOf(example.Text, copies)
	w, err := examples.Context(example)
	if err != nil {
		t.Fatal(err)
	}
	w.Shared, w.Mentions = new(evalcontext.Shared), nothingMentions
	selections := []*evaluate.Selection{evaluator.Select(w, nil)}
	for _, o := range w.Unit.Objects {
		selections = append(selections, evaluator.Select(w, o))
	}
	if err := evaluator.Compile(t.Context(), selections...); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = examples.EvaluateUnit(t.Context(), evaluator, w)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Errorf("%d copies: %v", copies, err)
	}
	return after.TotalAlloc - before.TotalAlloc
}
