package diff

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHidden changes lines beside hidden ones, and applies the resulting diff with git.
func TestHidden(t *testing.T) {
	t.Parallel()
	lines := func(from, to int) func(int) bool { return func(line int) bool { return line >= from && line <= to } }
	const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n"
	for name, c := range map[string]struct {
		after  string
		hidden func(int) bool
		shows  string // the remaining lines of the context are hidden
	}{
		"before the change":         {strings.Replace(before, "five\n", "", 1), lines(3, 4), "five six seven eight"},
		"further before the change": {strings.Replace(before, "five\n", "", 1), lines(2, 3), "four five six seven eight"},
		"behind the change":         {strings.Replace(before, "five\n", "", 1), lines(7, 7), "two three four five six"},
		"on both sides":             {strings.Replace(before, "five\n", "FIVE\n", 1), lines(4, 4), "five FIVE six seven eight"},
		"elsewhere":                 {strings.Replace(before, "two\n", "", 1), lines(7, 9), "one two three four five"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			diff, err := Unified("x.yaml", []byte(before), []byte(c.after), c.hidden)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(shown(diff), " "); got != c.shows {
				t.Errorf("shows %q, want %q", got, c.shows)
			}
			if got := applied(t, before, diff); got != c.after {
				t.Errorf("git apply gives %q, want %q", got, c.after)
			}
		})
	}
	for name, hidden := range map[string]func(int) bool{"the change itself": lines(5, 5), "right behind it": lines(6, 6)} {
		var refused *HiddenError
		diff, err := Unified("x.yaml", []byte(before), []byte(strings.Replace(before, "five\n", "", 1)), hidden)
		if !errors.As(err, &refused) {
			t.Errorf("%s: got %q and %v, want an error", name, diff, err)
		}
	}
}

// TestHiddenBetweenChanges changes lines on both sides of hidden ones.
func TestHiddenBetweenChanges(t *testing.T) {
	t.Parallel()
	const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n"
	change := strings.NewReplacer("two\n", "", "seven\n", "SEVEN\nmore\n", "nine\n", "")
	for name, c := range map[string]struct {
		hidden []int
		shown  bool
	}{
		"in the middle":           {[]int{5}, true},
		"most lines":              {[]int{4, 5, 6}, true},
		"two of them":             {[]int{4, 6}, true},
		"right behind a change":   {[]int{3}, false},
		"right before a change":   {[]int{6}, true},
		"right behind the second": {[]int{8}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			diff, err := Unified("x.yaml", []byte(before), []byte(change.Replace(before)), func(line int) bool { return slices.Contains(c.hidden, line) })
			if (err == nil) != c.shown {
				t.Fatalf("got %q and %v", diff, err)
			}
			if err != nil {
				return
			}
			for _, line := range c.hidden {
				if text := strings.Split(before, "\n")[line-1]; strings.Contains(diff, " "+text+"\n") {
					t.Errorf("shows %q", text)
				}
			}
			if got, want := applied(t, before, diff), change.Replace(before); got != want {
				t.Errorf("git apply gives %q, want %q:\n%s", got, want, diff)
			}
		})
	}
}

// shown returns the lines of the only hunk, without their marks.
func shown(diff string) []string {
	lines := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	start := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "@@") })
	var texts []string
	for _, line := range lines[start+1:] {
		texts = append(texts, line[1:])
	}
	return texts
}

func applied(t *testing.T, before, diff string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: git is not installed")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.yaml"), []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	apply := exec.Command("git", "apply", "-")
	apply.Dir, apply.Stdin = dir, strings.NewReader(diff)
	if out, err := apply.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s%s", err, out, diff)
	}
	after, err := os.ReadFile(filepath.Join(dir, "x.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(after)
}
