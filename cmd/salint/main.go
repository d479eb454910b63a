// Command salint finds deprecated, broken, and over-privileged uses of service accounts in the Kubernetes manifests of a
// repository, and fixes them.
package main

import (
	"os"
	"runtime/debug"

	"github.com/salint/salint/internal/render/process"
)

// softMemory is the size at which the garbage collector begins to work harder. What hostile input can make live in memory is
// limited where it is read; this limits the garbage that comes on top.
const softMemory = 768 << 20

func main() {
	if code, isChild := process.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	os.Exit(newCommand().Main(os.Args[1:]))
}
