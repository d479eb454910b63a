package session

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/reading"
)

// recordedProgress keeps the stages, and what was counted in each.
type recordedProgress struct {
	mu     sync.Mutex
	stages []string
	counts map[string]int
}

func (p *recordedProgress) Stage(what string, _ int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stages = append(p.stages, what)
}

func (p *recordedProgress) Add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[p.stages[len(p.stages)-1]] += n
}

// TestProgress fixes a repository: each part of a round is displayed, with what is counted in it.
func TestProgress(t *testing.T) {
	t.Parallel()
	progress := &recordedProgress{counts: map[string]int{}}
	files := tree{"extension.yaml": extension, "rbac.yaml": account}
	lintFiles(t, files, Options{
		Tree: loadertest.Repository{Tree: files}, Target: "synthetic", Fixes: fixing.Fixes{Apply: true, Preview: true}, Progress: progress,
	})
	want := []string{
		reading.Reading, reading.Building, reading.Evaluating, reading.Planning, reading.Verifying, reading.Reading,
	}
	if diff := cmp.Diff(want, progress.stages[:min(len(want), len(progress.stages))]); diff != "" {
		t.Errorf("the stages (-want +got):\n%s", diff)
	}
	if progress.counts[reading.Reading] < 2 || progress.counts[reading.Evaluating] == 0 {
		t.Errorf("counted: %v", progress.counts)
	}
}

// TestProgressOfBuilds builds an overlay.
func TestProgressOfBuilds(t *testing.T) {
	t.Parallel()
	progress := &recordedProgress{counts: map[string]int{}}
	files := tree{
		"base/extension.yaml": extension, "base/kustomization.yaml": "resources: [extension.yaml]\n",
		"prod/kustomization.yaml": "resources: [../base]\nnamePrefix: prod-\n",
	}
	lintFiles(t, files, Options{Tree: pathTree{loadertest.Repository{Tree: files}, files, ""}, Target: "synthetic", Progress: progress})
	if progress.counts[reading.Building] == 0 {
		t.Errorf("counted: %v", progress.counts)
	}
}
