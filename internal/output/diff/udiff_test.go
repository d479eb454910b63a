package diff

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	got, err := Unified("apps/argo cd.yaml", []byte("a\nb\nc\nd\ne\n"), []byte("a\nb\nd\ne"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "diff --git a/apps/argo cd.yaml b/apps/argo cd.yaml\n" +
		"--- a/apps/argo cd.yaml\t\n+++ b/apps/argo cd.yaml\t\n" +
		"@@ -1,5 +1,4 @@\n a\n b\n-c\n d\n-e\n+e\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnifiedUnchanged(t *testing.T) {
	t.Parallel()
	for _, data := range [][]byte{nil, {}, []byte("a\n")} {
		if got, err := Unified("x", data, data, nil); got != "" || err != nil {
			t.Errorf("%q: %q, %v", data, got, err)
		}
	}
}

// change is a file before and after; nil means that the file does not exist.
type change struct {
	path          string
	before, after []byte
}

func TestGitApply(t *testing.T) {
	t.Parallel()
	text := func(s string) []byte { return []byte(s) }
	changes := []change{
		{"plain.yaml", text("a\nb\nc\n"), text("a\nc\n")},
		{"new.yaml", nil, text("a\nb\n")},
		{"new, no newline.yaml", nil, text("a")},
		{"new and empty.yaml", nil, text("")},
		{"deleted.yaml", text("a\nb\n"), nil},
		{"deleted, no newline.yaml", text("a"), nil},
		{"deleted and empty.yaml", text(""), nil},
		{"emptied.yaml", text("a\n"), text("")},
		{"filled.yaml", text(""), text("a\n")},
		{"one line.yaml", text("a"), text("b")},
		{"loses newline.yaml", text("a\nb\n"), text("a\nb")},
		{"gains newline.yaml", text("a\nb"), text("a\nb\n")},
		{"crlf.yaml", text("a\r\nb\r\nc\r\n"), text("a\r\nc\r\n")},
		{"mixed.yaml", text("a\r\nb\nc\r\n"), text("a\nb\nc\r\nd\r\n")},
		{"bom.yaml", text("\ufeffa\nb\n"), text("\ufeffa\n")},
		{"latin.yaml", text("a\xff\nb\n"), text("a\xff\nc\n")},
		{"deep er/fold er/x.yaml", text("a\n"), text("b\n")},
		{"süß/日本.yaml", text("a\n"), text("b\n")},
		{"quo\"te\\back.yaml", text("a\n"), text("b\n")},
		{"tab\tnew\nline\x01.yaml", nil, text("b\n")},
		{"##[group]x.yaml", text("a\n"), text("b\n")},
		{"-dash.yaml", text("-- a\n"), text("--- b\n+++ c\n")},
	}
	changes = append(changes, randomChanges(200)...)
	applied := gitApply(t, changes)
	for _, c := range changes {
		got, err := os.ReadFile(filepath.Join(applied, filepath.FromSlash(c.path)))
		if c.after == nil {
			if !os.IsNotExist(err) {
				t.Errorf("%q still exists", c.path)
			}
			continue
		}
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, c.after) {
			t.Errorf("%q: got %q, want %q", c.path, got, c.after)
		}
	}
}

// randomChanges returns files with few different lines, so that there are many possible alignments.
func randomChanges(n int) []change {
	random := rand.New(rand.NewSource(1))
	file := func() []byte {
		var b bytes.Buffer
		for range random.Intn(30) {
			fmt.Fprintf(&b, "%c\n", 'a'+rune(random.Intn(4)))
		}
		if b.Len() > 0 && random.Intn(3) == 0 {
			b.Truncate(b.Len() - 1)
		}
		return b.Bytes()
	}
	changes := make([]change, n)
	for i := range changes {
		changes[i] = change{fmt.Sprintf("random/%d.yaml", i), append([]byte{}, file()...), append([]byte{}, file()...)}
	}
	return changes
}

// gitApply writes the files before the changes to a folder, applies the diff of all changes with git, and returns the
// folder.
func gitApply(t *testing.T, changes []change) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	var patch strings.Builder
	for _, c := range changes {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(c.path)), c.before)
		diff, err := Unified(c.path, c.before, c.after, nil)
		if err != nil {
			t.Fatal(err)
		}
		patch.WriteString(diff)
	}
	git(t, dir, "", "init", "-q")
	git(t, dir, patch.String(), "apply", "--verbose", "-")
	return dir
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if data == nil {
		return
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir, stdin string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	cmd.Stdin = strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
