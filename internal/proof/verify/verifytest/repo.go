// Package verifytest runs fixes on small repositories in memory, for the tests of the fixers and of their verification.
package verifytest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/engine/enginetest"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/proof/verify"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/rules"
)

// Repo is a repository in memory on which fixes can be run.
type Repo filestest.Tree

// Tree returns the files.
func (r Repo) Tree() filestest.Tree { return filestest.Tree(r) }

// Options configure how the fixes are run.
type Options struct {
	// Target is the target of all units, Targets those of single ones by name, or of files by folder with a trailing slash.
	Target        string
	Targets       map[string]string
	Grant         string
	Prune, Unsafe bool
	// Bundles are folders of the repository by the extensions whose bundles they contain.
	Bundles map[string]string
}

// Request requests a fix of the objects of a kind and name, in one file or in all.
type Request struct {
	Fixer, Kind, Name, File string
	Path                    string
}

// Result is the result of a run.
type Result struct {
	Work  engine.Work
	Proof verify.Proof
	// After is the repository with everything written.
	After Repo
}

// Context builds the units of the repository.
func (r Repo) Context(t testing.TB, o Options) *engine.Context {
	t.Helper()
	a := r.assembly(t, o)
	units, err := loader.Assemble(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	grant, err := engine.ParseGrant(o.Grant)
	if err != nil {
		t.Fatal(err)
	}
	lookups := &enginetest.Lookups{
		Targets: o.target(t), Find: r.mentions,
		Build: func(contents map[string][]byte, parsed map[string]*manifest.File, also func(*objects.Unit) bool) ([]*objects.Unit, error) {
			return loader.Rebuild(t.Context(), a, units, loader.Change{Contents: contents, Parsed: parsed, Built: also})
		},
	}
	if len(o.Bundles) > 0 {
		lookups.Needs = r.needs(o.target(t), o.Bundles)
	}
	return &engine.Context{
		Repo: &applied.Repository{Units: units, Read: r.Tree().Read},
		Policy: engine.Policy{
			Grant: grant, Prune: o.Prune, Unsafe: o.Unsafe,
			Now: time.Date(2026, time.January, 31, 12, 0, 0, 0, time.UTC), TokenLifetime: 90 * 24 * time.Hour,
		},
		Lookups: lookups,
	}
}

// assembly returns the inputs of the units: everything in the repository, read as a lint run does.
func (r Repo) assembly(t testing.TB, o Options) loader.Assembly {
	t.Helper()
	all := func(*manifest.Document) bool { return true }
	files := map[string]*manifest.File{}
	for path, text := range r {
		if repo.IsManifest(path) && !o.isBundle(path) {
			files[path] = manifest.Scan(path, []byte(text))
		}
	}
	parsed, err := loader.Selection{Names: r.Tree().Names(), Files: files, Matters: all, Missed: func(*manifest.Document) bool { return false }}.Parse(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return loader.Assembly{
		Objects: parsed.Objects, Kustomizations: parsed.Kustomizations, Names: r.Tree().Names(),
		Files: render.FromFS(r.Tree().FS()), Workers: workers,
	}
}

// workers are build processes for all tests of a program, and end with it. The TestMain of the test program must call
// process.Main.
var workers = render.NewWorkers(render.Limits{})

func (o Options) isBundle(path string) bool {
	for _, dir := range o.Bundles {
		if strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// needs reads the bundles as a lint run does.
func (r Repo) needs(target func(*objects.Unit, *objects.Object) olm.Target, dirs map[string]string) func(*objects.Unit, *objects.Object, rbac.Subject) (engine.BundleNeeds, error) {
	sources := map[string]bundles.Source{}
	for name, dir := range dirs {
		sources[name] = bundles.Source{Dir: dir, Place: ".salint.yaml:1"}
	}
	library := &bundles.Library{Revision: bundles.Revision{Files: r.Tree().FS(), Sources: sources}}
	return func(unit *objects.Unit, o *objects.Object, who rbac.Subject) (engine.BundleNeeds, error) {
		extension, _ := olm.ReadExtension(o.Node)
		resolved := loader.ResolvedTarget{Target: target(unit, o), Known: true}
		i, err := installer.As(loader.Extension{Extension: extension, Object: o, Unit: unit, Resolved: resolved}, nil, who.Identity())
		if err != nil {
			return engine.BundleNeeds{}, &engine.Refusal{Reason: err.Error()}
		}
		needs, err := library.Preflight(context.Background(), i)
		if err != nil {
			return engine.BundleNeeds{}, &engine.Refusal{Reason: err.Error()}
		}
		return engine.BundleNeeds{Bundle: dirs[o.Name], Version: needs.Content.Version, All: needs.Needed, Missing: needs.Missing}, nil
	}
}

func (o Options) target(t testing.TB) func(*objects.Unit, *objects.Object) olm.Target {
	t.Helper()
	parse := func(name string) olm.Target {
		target, err := olm.ParseTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		return target
	}
	all := parse(o.Target)
	byUnit := map[string]olm.Target{}
	for unit, name := range o.Targets {
		byUnit[unit] = parse(name)
	}
	return func(u *objects.Unit, object *objects.Object) olm.Target {
		if target, ok := byUnit[path.Dir(object.File)+"/"]; ok {
			return target
		}
		if target, ok := byUnit[u.Name]; ok {
			return target
		}
		return all
	}
}

// Indented returns a text with blanks before each line.
func Indented(text string, by int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Repeat(" ", by) + line)
	}
	return b.String()
}

func (r Repo) mentions(names []string) (map[string][]uses.Place, error) {
	var files iter.Seq2[string, []byte] = func(yield func(string, []byte) bool) {
		for _, path := range r.Tree().Names() {
			if !yield(path, []byte(r[path])) {
				return
			}
		}
	}
	return uses.Find(context.Background(), files, names)
}

// Run resolves the requests, verifies the plans and writes the verified ones.
func (r Repo) Run(t testing.TB, o Options, requests ...Request) Result {
	t.Helper()
	c := r.Context(t, o)
	work, err := fixers.All(c, Resolve(c, requests))
	if err != nil {
		t.Fatal(err)
	}
	proof, err := verify.Prove(c, work.Plans())
	if err != nil {
		t.Fatal(err)
	}
	return Result{work, proof, r.Write(t, proof)}
}

// Resolve returns the objects of the requests, in the order of the units.
func Resolve(c *engine.Context, requests []Request) []engine.Request {
	var resolved []engine.Request
	for _, want := range requests {
		for _, unit := range c.Repo.Units {
			for _, o := range unit.Objects {
				if o.Kind != want.Kind || o.Name != want.Name || want.File != "" && want.File != o.File {
					continue
				}
				path, _ := manifest.ParsePath(want.Path)
				resolved = append(resolved, engine.Request{Fixer: want.Fixer, Kind: kinds()[want.Fixer], Object: o, Path: path})
			}
		}
	}
	return resolved
}

// kinds returns the kinds of fixes that the rules request, by the name of the fixer.
var kinds = sync.OnceValue(func() map[string]finding.FixKind {
	registry, err := rules.Load(context.Background(), rules.Options{})
	if err != nil {
		panic(fmt.Sprintf("the built-in rules: %v", err))
	}
	kinds := map[string]finding.FixKind{}
	for _, rule := range registry.Rules() {
		kinds[rule.Fix.Name] = finding.FixKind(rule.Fix.Kind)
	}
	return kinds
})

// Write returns the repository with the files of a proof written.
func (r Repo) Write(t testing.TB, proof verify.Proof) Repo {
	t.Helper()
	after := maps.Clone(r)
	for _, w := range proof.Writes() {
		if before, ok := r[w.Path]; ok != (w.Before != nil) || before != string(w.Before) {
			t.Errorf("%s: the write starts from %q, but the file contains %q", w.Path, w.Before, before)
		}
		if w.After == nil {
			delete(after, w.Path)
			continue
		}
		if bytes.Equal(w.Before, w.After) && w.Before != nil {
			t.Errorf("%s is written without a change", w.Path)
		}
		after[w.Path] = string(w.After)
	}
	return after
}

// Report describes the results of the requests as text, for golden files.
func (r Result) Report() string {
	var b strings.Builder
	refused := map[*engine.Plan]string{}
	for _, p := range r.Proof.Refused {
		refused[p.Plan] = p.Reason
	}
	seen := map[string]bool{}
	for _, o := range slices.Concat(r.Work.Outcomes, r.Work.Prunes) {
		text := outcomeText(o, refused)
		if !seen[text] {
			seen[text] = true
			b.WriteString(text)
		}
	}
	return b.String()
}

func outcomeText(o engine.Outcome, refused map[*engine.Plan]string) string {
	name := "run"
	if o.Object != nil {
		name = fmt.Sprintf("%s %s (%s)", o.Object.Kind, o.Object.Name, o.Object.File)
	}
	if o.Refusal != nil {
		return fmt.Sprintf("refused %s: %s\n", name, o.Refusal.Reason)
	}
	if reason, ok := refused[o.Plan]; ok {
		return fmt.Sprintf("dropped %s: %s\n", name, reason)
	}
	text := fmt.Sprintf("fixed %s: %s\n", name, o.Plan.Description)
	for _, note := range o.Plan.Notes {
		text += "  note: " + note + "\n"
	}
	return text
}
