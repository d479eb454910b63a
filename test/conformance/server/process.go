package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// process is a program that runs until its context ends. Its output is kept in a file.
type process struct {
	name   string
	log    string
	exited chan struct{}
	err    error // of the exit
}

// start runs a program. It is killed when the context ends and, if the system supports it, when this process ends.
func start(ctx context.Context, log, program string, args ...string) (*process, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = file, file
	cmd.WaitDelay = 10 * time.Second
	dieWithParent(cmd)
	p := &process{name: program, log: log, exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		defer file.Close()
		// The signal of dieWithParent is sent when the thread ends that started the program.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.exited)
		}
	}()
	return p, <-started
}

// failure describes how the program ended, with the end of its output.
func (p *process) failure() error {
	text, _ := os.ReadFile(p.log)
	const last = 2000
	if len(text) > last {
		text = text[len(text)-last:]
	}
	return fmt.Errorf("%s ended: %w\n%s", p.name, p.err, text)
}
