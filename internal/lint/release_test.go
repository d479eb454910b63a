package lint

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/test/golden"
)

// TestReleasedFilesHideNothing lints the repositories of golden cases with and without the contents of files in memory: the findings, the
// fixes, and the notes are the same.
func TestReleasedFilesHideNothing(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../fixtures/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var freed, findings int
	for i, archive := range archives {
		files := filesOfCase(t, archive)
		if i%7 != 0 && !testing.Verbose() || len(files) == 0 {
			continue // a verbose run takes all
		}
		dir := t.TempDir()
		golden.WriteFolder(t, dir, files)
		for _, target := range []string{"olm-1.11", "synthetic"} {
			want, _ := lintFolder(t, dir, target, false)
			got, n := lintFolder(t, dir, target, true)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, target %s: releasing files changes the outcome (-kept +released):\n%s", archive, target, diff)
			}
			freed, findings = freed+n, findings+strings.Count(got, `"Rule"`)
		}
	}
	t.Logf("the memory of %d files was used again; %d findings", freed, findings)
	if freed == 0 || findings == 0 {
		t.Error("the test compares nothing")
	}
}

// lintFolder returns the outcome of a run that plans fixes, or its error, and how many files were released after they were read.
func lintFolder(t *testing.T, dir, target string, releases bool) (outcome string, released int) {
	t.Helper()
	r, err := repo.Open(dir, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	counted := &releasingTree{Tree: loader.FromRepo(r)}
	session, err := NewSession(t.Context(), Options{
		Tree: counted, Target: target, PolicyCache: policies, Config: settings.Default(), Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Fixes: Fixes{Apply: true},
		releases: releases,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	out, err := session.Run(t.Context())
	if err != nil {
		return err.Error(), int(counted.freed.Load())
	}
	return textOfOutcome(t, out) + fmt.Sprint(out.Writes), int(counted.freed.Load())
}

// releasingTree counts the files whose memory a walk used again: their bytes are cleared then.
type releasingTree struct {
	loader.Tree
	freed atomic.Int64
}

func (t *releasingTree) Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	return t.Tree.Walk(ctx, o, func(file repo.File) {
		visit(file)
		if len(file.Data) > 0 && file.Data[0] == 0 {
			t.freed.Add(1)
		}
	})
}

// TestReleasedFileThatChanges changes a file between the two times that it is read.
func TestReleasedFileThatChanges(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"extension.yaml": "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: web}\n" +
			"spec: {namespace: shop, serviceAccount: {name: web}, source: {sourceType: Catalog, catalog: {packageName: web}}}\n",
		"account.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n",
	}
	for _, changed := range []string{"", "a: b\n"} {
		session, err := NewSession(t.Context(), Options{
			Tree: changingTree{pathTree{files: files}, tree(files), changed}, Target: "olm-1.10", PolicyCache: policies, Config: settings.Default(), releases: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		_, err = session.Run(t.Context())
		if err == nil || changed == "" && !errors.Is(err, errGone) || changed != "" && !strings.Contains(err.Error(), ".yaml has changed since it was read") {
			t.Errorf("a file that changes to %q: %v", changed, err)
		}
	}
}

var errGone = errors.New("the file is gone")

// changingTree returns other contents when a file is read again.
type changingTree struct {
	pathTree
	walked  tree
	changed string
}

func (t changingTree) Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error) {
	return t.walked.Walk(ctx, o, visit)
}

func (t changingTree) Read(string) ([]byte, error) {
	if t.changed == "" {
		return nil, errGone
	}
	return []byte(t.changed), nil
}
