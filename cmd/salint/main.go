// Command salint finds deprecated, broken, and over-privileged uses of service accounts in the Kubernetes manifests of a
// repository, and fixes them.
package main

import (
	"os"

	"github.com/salint/salint/internal/base/collector"
	"github.com/salint/salint/internal/render/process"
	"github.com/salint/salint/rules/sandbox"
)

func main() {
	if code, isChild := process.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	if code, isChild := sandbox.Main(os.Args[1:], os.Stdin, os.Stdout); isChild {
		os.Exit(code)
	}
	collector.Limit()
	os.Exit(newCommand().Main(os.Args[1:]))
}
