package main

import (
	"os"
	"runtime"
	"testing"

	"github.com/salint/salint/internal/render/process"
	"github.com/salint/salint/rules/sandbox"
)

// asProgram is the environment variable that makes the test program behave as salint.
const asProgram = "SALINT_TEST_PROGRAM"

// lockedProgram is the value of asProgram under which all of main runs on the first thread, for strace to count its system calls.
const lockedProgram = "locked"

func init() {
	if os.Getenv(asProgram) == lockedProgram {
		runtime.LockOSThread()
	}
}

// TestMain lets the test program run as salint and as its child processes.
func TestMain(m *testing.M) {
	if code, isChild := process.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	if code, isChild := sandbox.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}
