package lint

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/test/golden"
)

// TestUnloadedFilesHideNothing lints the repositories of golden cases with and without the contents of files in memory: the findings, the
// fixes, and the notes are the same.
func TestUnloadedFilesHideNothing(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../fixtures/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	findings := 0
	for i, archive := range archives {
		files := filesOfCase(t, archive)
		if i%7 != 0 && !testing.Verbose() || len(files) == 0 {
			continue // a verbose run takes all
		}
		dir := t.TempDir()
		golden.WriteFolder(t, dir, files)
		for _, target := range []string{"olm-1.11", "synthetic"} {
			want, got := lintFolder(t, dir, target, false), lintFolder(t, dir, target, true)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, target %s: unloading files changes the outcome (-kept +unloaded):\n%s", archive, target, diff)
			}
			findings += strings.Count(got, `"Rule"`)
		}
	}
	t.Logf("%d findings", findings)
	if findings == 0 {
		t.Error("the test compares nothing")
	}
}

// lintFolder returns the outcome of a run that applies fixes, or its error.
func lintFolder(t *testing.T, dir, target string, unloads bool) string {
	t.Helper()
	r, err := repo.Open(dir, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	session, err := NewSession(t.Context(), Options{
		Tree: loader.FromRepo(r), Target: target, PolicyCache: policies, Config: settings.Default(), Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), Fixes: Fixes{Apply: true},
		unloads: unloads,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	out, err := session.Run(t.Context())
	if err != nil {
		return err.Error()
	}
	return textOfOutcome(t, out) + fmt.Sprint(out.Writes)
}

// TestUnloadedFileThatChanges changes a file between the two times that it is read.
func TestUnloadedFileThatChanges(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"extension.yaml": "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: web}\n" +
			"spec: {namespace: shop, serviceAccount: {name: web}, source: {sourceType: Catalog, catalog: {packageName: web}}}\n",
		"account.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n",
	}
	for _, changed := range []string{"", "a: b\n"} {
		session, err := NewSession(t.Context(), Options{
			Tree: changingTree{pathTree{files: files}, tree(files), changed}, Target: "olm-1.10", PolicyCache: policies, Config: settings.Default(), unloads: true,
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
