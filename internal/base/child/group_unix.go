//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// setGroup puts the child into a separate process group, so that it ends with everything that it might have started, and so
// that Ctrl-C reaches salint alone, which then ends the child.
func setGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func killGroup(command *exec.Cmd) {
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
}
