//go:build !linux

package server

import "os/exec"

// dieWithParent does nothing: only Linux supports it.
func dieWithParent(*exec.Cmd) {}
