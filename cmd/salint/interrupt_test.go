package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/cmd/salint/internal/interrupts"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/test/golden"
)

// TestInterruptedWhileWriting interrupts a run before every operation on the disk, and checks what it says about the files.
func TestInterruptedWhileWriting(t *testing.T) {
	t.Parallel()
	stop := &interrupts.Interruption{Signal: os.Interrupt}
	partly := 0
	for n := 0; ; n++ {
		work := t.TempDir()
		golden.WriteFolder(t, work, repositoryOf(t, "fix/prune-in-the-same-run"))
		makeRepository(t, work)
		before := golden.ReadFolder(t, work)
		var stdout, stderr bytes.Buffer
		c := testCommand(work, &stdout, &stderr)
		ctx, cancel := context.WithCancelCause(context.Background())
		c.context = ctx
		left := n
		c.opened = func(r *repo.Repo) {
			r.Writer.Probe = func(string, string) error {
				if left--; left < 0 {
					cancel(stop)
				}
				return nil
			}
		}
		code := c.Main(strings.Fields("lint --fix --prune --target olm-1.11"))
		after := withoutTemporary(golden.ReadFolder(t, work))
		switch {
		case context.Cause(ctx) == nil:
			if partly == 0 {
				t.Error("no run was interrupted between its writes")
			}
			return
		case code != 130: // after the last write, the run ends as usual
			if strings.Contains(stderr.String(), "interrupted") || strings.Contains(after["extension.yaml"], "serviceAccount") || after["account.yaml"] != "" {
				t.Errorf("interrupted at %d: exit code %d, %s", n, code, &stderr)
			}
		case strings.Contains(stderr.String(), "; nothing was written"):
			if diff := cmp.Diff(before, golden.ReadFolder(t, work)); diff != "" {
				t.Errorf("interrupted at %d: %s%s", n, &stderr, diff)
			}
		case strings.Contains(stderr.String(), "; the fixes were written"):
		default:
			partly++
			checkNamed(t, stderr.String(), before, after)
			checkKept(t, work, stderr.String(), partly == 1)
		}
	}
}

// TestInterruptedBeforeWriting interrupts runs before they write: a run with --fix reports that nothing was written, however early it
// ends, and one that writes nothing anyway does not mention it.
func TestInterruptedBeforeWriting(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"lint --fix --target olm-1.11":          "salint: interrupted by a signal (interrupt); nothing was written\n",
		"lint --fix --prune --target olm-1.11":  "salint: interrupted by a signal (interrupt); nothing was written\n",
		"lint --target olm-1.11":                "salint: interrupted by a signal (interrupt)\n",
		"lint --diff --prune --target olm-1.11": "salint: interrupted by a signal (interrupt)\n",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			work := t.TempDir()
			golden.WriteFolder(t, work, repositoryOf(t, "fix/prune-in-the-same-run"))
			makeRepository(t, work)
			before := golden.ReadFolder(t, work)
			var stdout, stderr bytes.Buffer
			c := testCommand(work, &stdout, &stderr)
			ctx, cancel := context.WithCancelCause(context.Background())
			c.context = ctx
			c.opened = func(*repo.Repo) { cancel(&interrupts.Interruption{Signal: os.Interrupt}) }
			if code := c.Main(strings.Fields(args)); code != 130 || stderr.String() != want {
				t.Errorf("exit code %d, %q, want %q", code, &stderr, want)
			}
			if diff := cmp.Diff(before, golden.ReadFolder(t, work)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// checkKept checks that the error of an interrupted run names the temporary folder that stays, which holds nothing but the record, and
// that the next run removes it.
func checkKept(t *testing.T, work, message string, again bool) {
	t.Helper()
	kept, err := filepath.Glob(filepath.Join(work, ".salint-tmp-*"))
	if err != nil || len(kept) > 1 {
		t.Fatal(kept, err)
	}
	named := regexp.MustCompile(`the next run prunes what (\S+) records, and removes this folder`).FindStringSubmatch(message)
	if (len(kept) == 0) != (named == nil) || named != nil && named[1] != filepath.Base(kept[0]) {
		t.Fatalf("%v stays, and the error is %s", kept, message)
	}
	for _, folder := range kept {
		if staged, _ := filepath.Glob(filepath.Join(folder, "[0-9]*")); len(staged) > 0 {
			t.Errorf("%s has staged files: %v", folder, staged)
		}
	}
	if !again || len(kept) == 0 {
		return
	}
	out := runLine(work, "lint --fix --prune --target olm-1.11")
	if left, _ := filepath.Glob(filepath.Join(work, ".salint-tmp-*")); len(left) > 0 {
		t.Errorf("the next run leaves %v: %s", left, out)
	}
}

// checkNamed checks that an error names the files that changed as written, with their number, and the others as not written.
func checkNamed(t *testing.T, message string, before, after map[string]string) {
	t.Helper()
	found := regexp.MustCompile(`; (\d+) of (\d+) files were written: (.*); not written: (.*); run again`).FindStringSubmatch(message)
	if found == nil {
		t.Fatalf("the message does not say what was written: %s", message)
	}
	done := strings.Split(found[3], ", ")
	if found[1] != strconv.Itoa(len(done)) && found[3] != "none" {
		t.Errorf("a wrong number: %s", message)
	}
	for _, file := range done {
		if content, there := after[file]; file != "none" && there && content == before[file] {
			t.Errorf("%s did not change: %s", file, message)
		}
	}
	for _, file := range differing(before, after) {
		if !slices.Contains(done, file) && !strings.Contains(found[4], file) {
			t.Errorf("%s changed: %s", file, message)
		}
	}
}
