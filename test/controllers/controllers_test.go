package controllers_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/salint/salint/test/controllers/applied"
	"github.com/salint/salint/test/controllers/argocd"
	"github.com/salint/salint/test/controllers/flux"
	"github.com/salint/salint/test/controllers/random"
	"github.com/salint/salint/test/controllers/repository"
	"github.com/salint/salint/test/controllers/salint"
)

var (
	program = flag.String("salint", "", "the program to compare")
	seed    = flag.Uint64("seed", 0, "the seed of the first repository; 0 takes one from the clock. Repository n has this seed plus n")
	runs    = flag.Int("runs", 1000, "how many repositories are made for each tool")
	all     = flag.Bool("all", false, "go on after a difference, and show all of them without removing what is not needed; also why applications are not compared")
)

func TestMain(m *testing.M) {
	flag.Parse()
	for _, name := range []string{"helm", "kustomize", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			fmt.Printf("%s is not installed: run `make controllers`\n", name)
			os.Exit(1)
		}
	}
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	fmt.Printf("seed %d, %d repositories; to repeat: make controllers SEED=%[1]d RUNS=%[2]d\n", *seed, *runs)
	os.Exit(m.Run())
}

// tool computes what a controller applies from the repository in a folder.
type tool func(dir string) (applied.World, error)

// TestCases compares the repositories in testdata. The names of their files begin with the tool.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			controller := flux.Applied
			if strings.HasPrefix(filepath.Base(file), "argocd") {
				controller = argocd.Applied
			}
			differences, counts, err := compare(repository.Parse(data), controller)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range differences {
				t.Error(d)
			}
			t.Log(counts)
			for _, reason := range counts.Reasons {
				t.Log(reason)
			}
		})
	}
}

func TestFlux(t *testing.T) { forRepositories(t, random.Flux, flux.Applied) }

func TestArgoCD(t *testing.T) { forRepositories(t, random.ArgoCD, argocd.Applied) }

// TestRepository compares the Kustomizations of a repository as it is. What Flux has in Secrets is left out.
func TestRepository(t *testing.T) {
	dir := os.Getenv("SALINT_FLUX_REPOSITORY")
	if dir == "" {
		t.Skip("SALINT_FLUX_REPOSITORY is not set: it is the folder of a clone of a repository for Flux")
	}
	all, objects, err := salint.WithoutSecrets(*program, dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := flux.Kustomizations(dir, objects)
	if err != nil {
		t.Fatal(err)
	}
	got := applied.World{}
	for name := range want {
		got[name] = all[name]
	}
	want.Drop("Secret")
	got.Drop("Secret")
	differences, counts := applied.Compare(want, got)
	for _, d := range differences {
		t.Error(d)
	}
	t.Log(counts)
	t.Log(strings.Join(counts.Reasons, "\n"))
}

// forRepositories compares many random repositories. If one differs, it is shown without the documents that are not needed for it.
func forRepositories(t *testing.T, generate func(seed uint64) repository.Repository, controller tool) {
	var next atomic.Int64
	var workers sync.WaitGroup
	var lock sync.Mutex
	var total applied.Counts
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(*runs) && (*all || !t.Failed()); i = next.Add(1) - 1 {
				counts := oneRepository(t, *seed+uint64(i), generate, controller)
				lock.Lock()
				total.Add(counts)
				lock.Unlock()
			}
		})
	}
	workers.Wait()
	t.Log(total)
	if *all {
		t.Log(strings.Join(total.Reasons, "\n"))
	}
}

func oneRepository(t *testing.T, seed uint64, generate func(seed uint64) repository.Repository, controller tool) applied.Counts {
	r := generate(seed)
	differences, counts, err := compare(r, controller)
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, r)
		return counts
	}
	if len(differences) == 0 {
		return counts
	}
	if !*all {
		r, differences = reduce(r, controller, differences)
		t.Errorf("seed %d:\n%s\n\n%s", seed, strings.Join(differences, "\n"), r)
		return counts
	}
	t.Errorf("seed %d:\n%s", seed, short(differences))
	return counts
}

// short returns the differences without the lines that are the same on both sides.
func short(differences []string) string {
	lines := strings.Split(strings.Join(differences, "\n"), "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.TrimLeftFunc(line, unicode.IsSpace) != line || line == "" }), "\n")
}

// compare writes the repository and compares what both sides say about it.
func compare(r repository.Repository, controller tool) ([]string, applied.Counts, error) {
	dir, err := os.MkdirTemp("", "repository")
	if err != nil {
		return nil, applied.Counts{}, err
	}
	defer os.RemoveAll(dir)
	if err := r.Commit(dir); err != nil {
		return nil, applied.Counts{}, err
	}
	want, err := controller(dir)
	if err != nil {
		return nil, applied.Counts{}, err
	}
	got, err := salint.Applied(*program, dir)
	if err != nil {
		return nil, applied.Counts{}, err
	}
	differences, counts := applied.Compare(want, got)
	return differences, counts, nil
}

// reduce removes documents as long as there is a difference in the same object.
func reduce(r repository.Repository, controller tool, differences []string) (repository.Repository, []string) {
	object, _, _ := strings.Cut(differences[0], "\n")
	isSame := func(difference string) bool { return strings.HasPrefix(difference, object) }
	for smaller := true; smaller; {
		smaller = false
		for _, candidate := range withoutOne(r) {
			found, _, err := compare(candidate, controller)
			if err != nil || !slices.ContainsFunc(found, isSame) {
				continue
			}
			r, differences, smaller = candidate, found, true
			break
		}
	}
	return r, differences
}

// withoutOne returns the repositories that lack one document or file.
func withoutOne(r repository.Repository) []repository.Repository {
	var without []repository.Repository
	for _, name := range r.Names() {
		documents := strings.Split(r[name], "---\n")
		for i := range documents {
			smaller := repository.Repository{}
			for other, content := range r {
				smaller[other] = content
			}
			if len(documents) == 1 {
				delete(smaller, name)
			} else {
				smaller[name] = strings.Join(slices.Delete(slices.Clone(documents), i, i+1), "---\n")
			}
			without = append(without, smaller)
		}
	}
	return without
}
