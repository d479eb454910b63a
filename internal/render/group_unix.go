//go:build unix

package render

import (
	"os/exec"
	"syscall"
)

// setGroup gives the child a process group of its own, so that it ends with everything it might have started, and so that
// a Ctrl-C reaches salint alone, which then ends it.
func setGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func killGroup(command *exec.Cmd) {
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
}
