package child_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/salint/salint/internal/base/child"
)

const testFlag = "--test-child="

// request asks the child to do something that it must not be able to do.
type request struct{ Do, Path string }

type answer struct {
	Error       string
	Environment []string
}

func TestMain(m *testing.M) {
	isChild, err := child.IsChild(os.Args[1:], testFlag)
	if err != nil {
		os.Exit(child.ExitFault)
	}
	if isChild {
		serve()
	}
	os.Exit(m.Run())
}

func serve() {
	parent := child.NewParent[request](os.Stdin, os.Stdout)
	for {
		got := answer{Environment: os.Environ()}
		if err := attempt(parent.Receive()); err != nil {
			got.Error = err.Error()
		}
		if parent.Send(got) != nil {
			os.Exit(child.ExitFault)
		}
	}
}

func attempt(r request) error {
	switch r.Do {
	case "read":
		_, err := os.ReadFile(r.Path)
		return err
	case "write":
		return os.WriteFile(r.Path, []byte("written"), 0o644)
	case "connect":
		_, err := net.Dial("tcp", r.Path)
		return err
	case "listen":
		_, err := net.Listen("tcp", "127.0.0.1:0")
		return err
	case "run":
		return exec.Command(r.Path).Run()
	}
	return nil
}

func start(t *testing.T) *child.Process {
	t.Helper()
	p, err := child.Start(testFlag, 256<<20)
	if err != nil {
		t.Fatal(err)
	}
	p.LimitOutput(1 << 20)
	return p
}

// TestConfined lets a child process read, write, connect, listen, and start a program, which the kernel prevents, and looks for the
// environment of its parent.
func TestConfined(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system does not limit file descriptors")
	}
	t.Setenv("SALINT_TEST_SECRET", "hunter2")
	dir := t.TempDir()
	file := filepath.Join(dir, "secret")
	if err := os.WriteFile(file, []byte("hunter2"), 0o644); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback here: %v", err)
	}
	defer listener.Close()
	p := start(t)
	defer p.Kill()
	for _, r := range []request{
		{"read", file}, {"read", "/proc/self/environ"}, {"write", filepath.Join(dir, "new")}, {"connect", listener.Addr().String()}, {"listen", ""},
		{"run", "/bin/true"}, {"run", os.Args[0]},
	} {
		if err := p.Send(r); err != nil {
			t.Fatal(err)
		}
		var got answer
		if err := p.Receive(&got); err != nil {
			t.Fatal(err)
		}
		if got.Error == "" {
			t.Errorf("the process can %s %s", r.Do, r.Path)
		}
		if strings.Contains(strings.Join(got.Environment, "\n"), "hunter2") {
			t.Errorf("the process has the environment %q", got.Environment)
		}
		t.Logf("%s: %s", r.Do, got.Error)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("a file was written")
	}
}

// TestEndsWithItsParent closes the input of a child process, as the system does when its parent is killed.
func TestEndsWithItsParent(t *testing.T) {
	t.Parallel()
	command := exec.Command(os.Args[0], testFlag+"268435456")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil { // the timeout of the tests ends the test if the process does not end
		t.Error(err)
	}
}
