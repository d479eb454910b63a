package main

import (
	"os"
	"testing"

	"github.com/salint/salint/internal/render/child"
)

// TestMain lets the test program run as the child process that renders, like the program itself.
func TestMain(m *testing.M) {
	if code, isChild := child.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
