package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Process is a program that runs until the context of its command ends. Its output is kept in a file.
type Process struct {
	// Exited is closed when the program has ended.
	Exited <-chan struct{}

	name string
	log  string
	err  error // of the exit
}

// start runs a program until the context ends.
func start(ctx context.Context, log, program string, args ...string) (*Process, error) {
	return Launch(exec.CommandContext(ctx, program, args...), log)
}

// Launch starts a command of [exec.CommandContext], with its output in a file, after which errors name it. The program ends when the context of the
// command does and, if the system supports it, when this process ends.
func Launch(cmd *exec.Cmd, log string) (*Process, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = file, file
	cmd.WaitDelay = 10 * time.Second
	dieWithParent(cmd)
	exited := make(chan struct{})
	p := &Process{name: strings.TrimSuffix(filepath.Base(log), ".log"), log: log, Exited: exited}
	started := make(chan error)
	go func() {
		defer file.Close()
		// The signal of dieWithParent is sent when the thread ends that started the program.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(exited)
		}
	}()
	return p, <-started
}

// Failure describes how a program ended that has exited, with the end of its output.
func (p *Process) Failure() error {
	return fmt.Errorf("%s ended: %w\n%s", p.name, p.err, p.Tail(""))
}

// Tail returns the last lines of the output so far, about 4,000 characters. With a text, these are the lines that contain it.
func (p *Process) Tail(containing string) string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	if containing != "" {
		var lines []string
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, containing) {
				lines = append(lines, line)
			}
		}
		text = []byte(strings.Join(lines, ""))
	}
	const last = 4000
	if len(text) > last {
		text = text[len(text)-last:]
	}
	return string(text)
}
