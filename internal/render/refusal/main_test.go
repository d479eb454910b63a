package refusal_test

import (
	"os"
	"testing"

	"github.com/salint/salint/internal/render/process"
)

func TestMain(m *testing.M) {
	if code, isChild := process.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
