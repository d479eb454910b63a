package olm

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
)

// tokenFile is where the token lies, below a folder that is mounted over /var/run. operator-controller reads its own name
// from the token in /var/run/secrets, and has no option for another place.
const tokenFile = "run/secrets/kubernetes.io/serviceaccount/token"

// mountVariable makes this program mount a folder over /var/run and become another program. See [Main].
const mountVariable = "SALINT_OLM_VAR_RUN"

// Main must be called first in the TestMain of a package that starts clusters. In a child process that runs
// operator-controller it does not return.
func Main() {
	folder := os.Getenv(mountVariable)
	if folder == "" {
		return
	}
	if err := syscall.Mount(folder, "/var/run", "", syscall.MS_BIND, ""); err != nil {
		fmt.Fprintln(os.Stderr, "mount over /var/run:", err)
		os.Exit(2)
	}
	os.Unsetenv(mountVariable)
	if len(os.Args) == 1 {
		os.Exit(0) // only tried
	}
	// The thread that becomes the program must have the signal, too: it is that of the first thread otherwise.
	runtime.LockOSThread()
	const setParentDeathSignal = 1 // PR_SET_PDEATHSIG
	syscall.RawSyscall(syscall.SYS_PRCTL, setParentDeathSignal, uintptr(syscall.SIGKILL), 0)
	if os.Getppid() == 1 {
		os.Exit(2) // the test ended before
	}
	fmt.Fprintf(os.Stderr, "%s cannot be run: %v\n", os.Args[1], syscall.Exec(os.Args[1], os.Args[1:], os.Environ()))
	os.Exit(2)
}

// privateMounts returns an error if the system does not allow a process to have its own mounts.
func privateMounts() error {
	folder, err := os.MkdirTemp("", "salint-olm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	cmd := exec.Command("")
	cmd.Args = nil
	if err := errors.Join(os.Mkdir(filepath.Join(folder, "run"), 0o700), withToken(cmd, folder)); err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("operator-controller needs a token in /var/run/secrets, and a process cannot have its own mounts here: %w\n%s", err, out)
	}
	return nil
}

// withToken changes a command so that its program sees the token below a folder, in separate mounts. Only a user other
// than root needs a user namespace for that.
func withToken(cmd *exec.Cmd, folder string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args, cmd.Err = self, append([]string{self}, cmd.Args...), nil
	cmd.Env = append(cmd.Env, mountVariable+"="+filepath.Join(folder, "run"))
	// Unshareflags, in contrast to Cloneflags, makes the mounts private.
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if uid := os.Getuid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return nil
}
