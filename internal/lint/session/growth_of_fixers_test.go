package session

import (
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
)

// growthCopies are the numbers of copies of an example that TestFixersGrowWithTheRepository compares.
var growthCopies = [2]int{30, 120}

// maxGrowth is how much more work four times as many copies may take. What is quadratic takes sixteen times as much, but is at first a
// small part of the work.
const maxGrowth = 4.8

// growingFixers are the fixers whose work is the product of two numbers that both grow with the copies.
var growingFixers = map[string]string{
	"replace-cluster-admin": "each binding is compared with the identity of each extension",
}

// layouts are the ways in which copies of an example lie in a repository.
var layouts = map[string]func(copies []string) tree{
	"one file": func(copies []string) tree { return tree{"all.yaml": strings.Join(copies, "\n---\n") + "\n"} },
	"a file for each": func(copies []string) tree {
		files := tree{}
		for i, text := range copies {
			files[fmt.Sprintf("copies/%03d.yaml", i)] = text + "\n"
		}
		return files
	},
	"one overlay": func(copies []string) tree {
		files := tree{}
		list := "resources:\n"
		for i, text := range copies {
			files[fmt.Sprintf("base/%03d.yaml", i)] = text + "\n"
			list += fmt.Sprintf("- %03d.yaml\n", i)
		}
		files["base/kustomization.yaml"] = list
		files["overlay/kustomization.yaml"] = "resources: [../base]\nsortOptions: {order: fifo}\n" // a repository in memory is not built
		return files
	},
}

// namesOfExamples are the names and namespaces of the objects of an example.
var namesOfExamples = regexp.MustCompile(`(?m)^  name(?:space)?: "?([a-z0-9][-a-z0-9.]*)"?$`)

// fixedNames exist on every cluster, so copies share them.
var fixedNames = []string{"cluster-admin", "admin", "edit", "view", "default", "kube-system", "cluster", "olm.synthetic-user"}

// copiesOf returns copies of a text, each with other names of its objects, and the names of all copies.
func copiesOf(text string, n int) (copies, names []string) {
	var words []string
	for _, found := range namesOfExamples.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(fixedNames, found[1]) {
			words = append(words, regexp.QuoteMeta(found[1]))
		}
	}
	word := regexp.MustCompile(`\b(` + strings.Join(words, "|") + `)\b`)
	for i := range n {
		copies = append(copies, word.ReplaceAllString(strings.TrimSpace(text), fmt.Sprintf("${1}-x%d", i)))
		for _, name := range words {
			names = append(names, fmt.Sprintf("%s-x%d", name, i))
		}
	}
	return copies, names
}

// fixWork is what planning, verifying, and reporting the fixes of a round takes.
type fixWork struct {
	allocated           uint64
	fixed, edits, bytes int
	left                []string // the findings without edits
}

// workOfFixes lints a repository with one rule and returns the work of its fixes. It does not count the work of the rule.
func workOfFixes(t *testing.T, registry *rules.Registry, example growthExample, copies int, layout string) fixWork {
	t.Helper()
	texts, names := copiesOf(example.Text, copies)
	config := settings.Default()
	config.Tokens.AudienceGiven = true
	grant, err := engine.ParseGrant(example.grant)
	if err != nil {
		t.Fatal(err)
	}
	others := slices.DeleteFunc(registry.Names(), func(name string) bool { return name == example.rule })
	s, err := NewSession(t.Context(), Options{
		Registry: registry, Tree: loadertest.Repository{Tree: layouts[layout](texts)}, Config: config, Target: example.Target,
		Now: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), Enable: []string{example.rule}, Disable: others,
		Fixes: fixing.Fixes{Apply: true, Unsafe: true, Prune: true, Preview: true, Grant: grant}, Bundles: bundleFor(example.Example, names),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	files, err := s.takeSnapshot(t.Context(), s.options.Tree)
	if err != nil {
		t.Fatal(err)
	}
	judged, err := s.judge(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, err := s.finish(t.Context(), judged)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	w := fixWork{allocated: after.TotalAlloc - before.TotalAlloc}
	for _, f := range out.Findings {
		if f.Rule != example.rule || !hasEdits(f) {
			w.left = append(w.left, fmt.Sprintf("%s:%d: %s %s %+v", f.File, f.Range.Line, f.Rule, f.Message, f.Fix))
			continue
		}
		w.fixed++
		w.edits += len(f.Fix.Edits)
		for _, edit := range f.Fix.Edits {
			w.bytes += len(edit.New)
		}
	}
	return w
}

// compare reports what grows faster than the copies. Edits and their bytes are exactly as many more, but for longer numbers in names.
func (w fixWork) compare(t *testing.T, what string, few fixWork, excused bool) {
	t.Helper()
	times := growthCopies[1] / growthCopies[0]
	if few.fixed != growthCopies[0] || w.fixed != growthCopies[1] {
		t.Errorf("%s: %d of %d and %d of %d copies are fixed; other findings:\n%s", what, few.fixed, growthCopies[0], w.fixed, growthCopies[1],
			strings.Join(append(few.left, w.left...), "\n"))
	}
	if w.edits != times*few.edits || float64(w.bytes) > 1.1*float64(times*few.bytes) {
		t.Errorf("%s: %d edits with %d bytes become %d with %d", what, few.edits, few.bytes, w.edits, w.bytes)
	}
	if ratio := float64(w.allocated) / float64(few.allocated); ratio > maxGrowth && !excused {
		t.Errorf("%s: %d copies allocate %d bytes, %d allocate %d: %.1f times as much",
			what, growthCopies[0], few.allocated, growthCopies[1], w.allocated, ratio)
	}
}

// bundleFor returns the bundle of an example for extensions of some names.
func bundleFor(example metadata.Example, names []string) *bundles.Library {
	if example.Bundle == "" {
		return nil
	}
	sources := map[string]bundles.Source{}
	for _, name := range names {
		sources[name] = bundles.Source{Dir: "bundle", Place: ".salint.yaml:1"}
	}
	// The standard library's only file system in memory is among its testing tools.
	files := fstest.MapFS{"bundle/manifests/all.yaml": {Data: []byte(example.Bundle)}}
	return &bundles.Library{Revision: bundles.Revision{Files: files, Sources: sources}}
}

// TestFixersGrowWithTheRepository fixes many copies of an example of each fixer, in each layout. The work of four times as many copies must
// be about four times as much. Allocated memory stands for all work in this process: other than time, it is the same in every run. The
// test is not parallel, because nothing else may allocate meanwhile.
func TestFixersGrowWithTheRepository(t *testing.T) {
	registry, err := rules.Load(t.Context(), rules.Options{PolicyDirs: []string{policiesWithGeneralFixes(t)}, PolicyCache: policies})
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	for _, fixer := range fixers.Names() {
		example, found := exampleOf(t, registry, fixer)
		if !found {
			t.Errorf("no example is fixed by %s, so nothing shows how its work grows: add one to growthExamples", fixer)
			continue
		}
		for _, layout := range slices.Sorted(maps.Keys(layouts)) {
			few, many := workOfFixes(t, registry, example, growthCopies[0], layout), workOfFixes(t, registry, example, growthCopies[1], layout)
			many.compare(t, fixer+", "+layout, few, growingFixers[fixer] != "")
		}
	}
}

// exampleOf returns an example that a fixer fixes: that of growthExamples, or one of a rule that requests the fixer.
func exampleOf(t *testing.T, registry *rules.Registry, fixer string) (example growthExample, found bool) {
	t.Helper()
	if example, found = growthExamples[fixer]; found {
		return example, workOfFixes(t, registry, example, 1, "one file").fixed > 0
	}
	for _, rule := range registry.Rules() {
		for _, example := range rule.Examples {
			if rule.Fix.Name != fixer || !example.Bad {
				continue
			}
			for _, target := range []string{example.Target, "synthetic", "ignored"} {
				example.Target = target
				if e := (growthExample{rule: rule.Name, Example: example}); workOfFixes(t, registry, e, 1, "one file").fixed > 0 {
					return e, true
				}
			}
		}
	}
	return growthExample{}, false
}
