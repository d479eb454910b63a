//go:build !unix

package child

import "os/exec"

func setGroup(*exec.Cmd) {}

func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
