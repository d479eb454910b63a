//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// program is a program to measure, and its measurements.
type program struct {
	name    string
	command []string
	times   []time.Duration
	// memory is the largest resident set of any run in bytes. The kernel counts the few megabytes of this program in
	// which the child was started, so that is the least it can be. With together, it is the largest memory of all its processes.
	memory   int64
	together bool
	code     int
}

func parse(args []string) ([]*program, error) {
	var all []*program
	for _, arg := range args {
		name, command, found := strings.Cut(arg, ": ")
		fields := strings.Fields(command)
		if !found || len(fields) == 0 {
			return nil, fmt.Errorf("%q: want 'name: program argument …'", arg)
		}
		all = append(all, &program{name: name, command: fields})
	}
	if len(all) == 0 {
		return nil, errors.New("nothing to measure")
	}
	return all, nil
}

// measureAll runs every program once to warm the caches, and then in turns.
func measureAll(ctx context.Context, programs []*program, runs int) error {
	for round := range runs + 1 {
		for _, p := range programs {
			if err := p.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			if round == 0 {
				p.times = nil
			}
		}
	}
	return nil
}

// run measures one run. A linter with findings exits with 1; a higher code is a failure.
func (p *program) run(ctx context.Context) error {
	command := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	var messages bytes.Buffer
	command.Stdout, command.Stderr = drop{}, &messages
	start := time.Now()
	err := p.wait(command)
	elapsed := time.Since(start)
	if command.ProcessState == nil {
		return err
	}
	p.code = command.ProcessState.ExitCode()
	if p.code < 0 || p.code > 1 {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(messages.Bytes()))
	}
	p.times = append(p.times, elapsed)
	if p.together {
		return nil
	}
	if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
		p.memory = max(p.memory, int64(usage.Maxrss)*1024)
	}
	return nil
}

// wait runs a command to its end.
func (p *program) wait(command *exec.Cmd) error {
	if !p.together {
		return command.Run()
	}
	if err := command.Start(); err != nil {
		return err
	}
	done, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- watchMemory(command.Process.Pid, done) }()
	err := command.Wait()
	close(done)
	p.memory = max(p.memory, <-peak)
	return err
}

// drop discards everything that is written; unlike io.Discard it is never replaced by /dev/null.
type drop struct{}

func (drop) Write(data []byte) (int, error) { return io.Discard.Write(data) }

func table(programs []*program) string {
	var b strings.Builder
	b.WriteString("| | median | fastest | slowest | peak memory | exit code |\n|---|---:|---:|---:|---:|---:|\n")
	for _, p := range programs {
		times := slices.Sorted(slices.Values(p.times))
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d MB | %d |\n", p.name, ms(median(times)), ms(times[0]),
			ms(times[len(times)-1]), p.memory/1_000_000, p.code)
	}
	return b.String()
}

// median returns the median of sorted times; of an even number, the mean of the two in the middle.
func median(times []time.Duration) time.Duration {
	half := len(times) / 2
	if len(times)%2 == 1 {
		return times[half]
	}
	return (times[half-1] + times[half]) / 2
}

func ms(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
