package child_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/salint/salint/internal/base/child"
)

const testFlag = "--test-child="

// request asks the child to do something that it must not be able to do.
type request struct {
	Do, Path string
	Size     int
}

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
	case "allocate":
		fill(r.Size)
	case "panic":
		var none *request
		none.Do = "" // nil
	case "crash":
		process, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		if err := process.Signal(syscall.SIGSEGV); err != nil {
			return err
		}
		select {} // until the signal arrives
	}
	return nil
}

// fill allocates memory and writes to each page.
func fill(size int) {
	memory := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		memory[i] = 1
	}
	runtime.KeepAlive(memory)
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
		{Do: "read", Path: file}, {Do: "read", Path: "/proc/self/environ"}, {Do: "write", Path: filepath.Join(dir, "new")}, {Do: "connect", Path: listener.Addr().String()}, {Do: "listen"},
		{Do: "run", Path: "/bin/true"}, {Do: "run", Path: os.Args[0]},
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

// TestCrash tells memory that the kernel refused from a defect.
func TestCrash(t *testing.T) {
	if runtime.GOOS != "linux" || child.RaceDetector {
		t.Skip("the kernel does not limit the memory")
	}
	for _, c := range []struct {
		name    string
		request request
		memory  bool
		reason  string
	}{
		{"one large object", request{Do: "allocate", Size: 1 << 30}, true, "it needs more memory than 256 MiB, the limit"},
		{"a larger object", request{Do: "allocate", Size: 2<<30 - 1}, true, "it needs more memory than 256 MiB, the limit"},
		// Go's garbage collector crashes like this if the kernel refuses memory for its queues.
		{"a crash of the runtime", request{Do: "crash"}, true, "it needs more memory than 256 MiB, the limit"},
		{"a nil pointer", request{Do: "panic"}, false, `the process ended with "panic: runtime error: invalid memory address or nil pointer dereference"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := start(t)
			defer p.Kill()
			if err := p.Send(c.request); err != nil {
				t.Fatal(err)
			}
			var got answer
			if err := p.Receive(&got); err == nil {
				t.Fatal("the process did not end")
			}
			p.Kill()
			if crash := p.Crash(); crash.Memory != c.memory || crash.Reason != c.reason {
				t.Errorf("got %+v", crash)
			}
		})
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
