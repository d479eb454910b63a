//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/test/golden"
	"github.com/salint/salint/test/long"
)

// killedCalls are the system calls that create, fill, lock, move, and remove files, and those that find them.
const killedCalls = "mkdirat,openat,flock,write,fsync,fchmod,fchown,renameat,renameat2,linkat,unlinkat"

// systemCall is one call of the process under strace: its name, and which call of this name it is.
type systemCall struct {
	name string
	n    int
}

// TestKilledAtSystemCalls kills the program with SIGKILL at every system call from the creation of its temporary folder on, and checks
// the same as TestKilledRuns, which needs no strace. strace counts the calls of each thread; those of the writing are all on the first.
func TestKilledAtSystemCalls(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("skipped: strace is not installed, so no system call is killed (TestKilledRuns kills at the operations of the program)")
	}
	if out, err := exec.Command(strace, "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("skipped: strace cannot trace programs here, so no system call is killed: %v: %s", err, out)
	}
	for _, name := range []string{"gains and loses files", "fix/prune-in-the-same-run"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killAtSystemCalls(t, strace, name)
		})
	}
}

func killAtSystemCalls(t *testing.T, strace, name string) {
	t.Helper()
	judge, _ := newKillJudge(t, name)
	// Without -f, strace follows only the first thread: see lockedProgram.
	run := func(dir string, options ...string) (killed bool) {
		command := exec.Command(strace, append(append(options, os.Args[0]), strings.Fields(judge.line)...)...)
		command.Dir, command.Env = dir, append(os.Environ(), asProgram+"="+lockedProgram)
		out, err := command.CombinedOutput()
		if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
			return true
		}
		if command.ProcessState.ExitCode() > exitFindings {
			t.Fatalf("%v\n%s", err, out)
		}
		return false
	}
	dir, log := judge.copy(), filepath.Join(t.TempDir(), "log")
	if run(dir, "-o", log, "-e", "trace="+killedCalls) {
		t.Fatal("the run without a kill was killed")
	}
	if diff := cmp.Diff(judge.end, golden.ReadFolder(t, dir)); diff != "" {
		t.Fatalf("the program writes something different from the command in process:\n%s", diff)
	}
	calls := everyNth(writingCalls(t, log), long.Runs(4, 1))
	var found tally
	for _, call := range calls {
		dir := judge.copy()
		if !run(dir, "-o", os.DevNull, "-e", "trace="+call.name, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call.name, call.n)) {
			continue // the run made fewer calls before it wrote
		}
		judge.add(&found, dir)
	}
	t.Logf("%d system calls, %d kills, %d of them among the writes: the next run completes %d and names the rest after %d",
		len(calls), found.kills, found.writes, found.same, found.named)
	if found.kills < len(calls)*9/10 || found.writes < long.Runs(3, 10) {
		t.Errorf("only %d kills at %d system calls, %d among the writes", found.kills, len(calls), found.writes)
	}
}

// everyNth returns a part of a list.
func everyNth(calls []systemCall, n int) (part []systemCall) {
	for i := 0; i < len(calls); i += n {
		part = append(part, calls[i])
	}
	return part
}

var tracedCall = regexp.MustCompile(`(?m)^([a-z0-9]+)\((.*)$`)

// writingCalls reads a log of strace and returns the calls from the creation of the temporary folder on.
func writingCalls(t *testing.T, log string) (calls []systemCall) {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	begun := false
	for _, found := range tracedCall.FindAllStringSubmatch(string(data), -1) {
		name := found[1]
		counts[name]++
		begun = begun || name == "mkdirat" && strings.Contains(found[2], ".salint-tmp-")
		if begun {
			calls = append(calls, systemCall{name, counts[name]})
		}
	}
	if !slices.ContainsFunc(calls, func(c systemCall) bool { return c.name == "renameat2" }) {
		t.Fatalf("the log of strace has no writing:\n%s", data)
	}
	return calls
}
