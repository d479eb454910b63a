package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long a run may go on after it was told to stop. Not every computation looks at the context.
const patience = 5 * time.Second

// interruptible gives a context that ends with the first Ctrl-C or SIGTERM. A second one ends the program at once, unless
// files are being written, and without one it ends by itself when patience is over. Whoever calls stop is done, and is
// left alone.
func (c *command) interruptible(ctx context.Context) (_ context.Context, stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		if interrupted(signals, done, cancel) {
			c.giveUp(os.Exit)
		}
	}()
	return ctx, func() {
		close(done)
		signal.Stop(signals)
		cancel()
	}
}

// interrupted waits for a signal, has it obeyed, and tells whether the run is to end although it still goes on: after all
// patience, or at a second signal.
func interrupted(signals <-chan os.Signal, done <-chan struct{}, obey func()) bool {
	select {
	case <-done:
		return false
	case <-signals:
	}
	obey()
	select {
	case <-done:
		return false
	case <-signals:
		return true
	case <-time.After(patience):
		return true
	}
}

// giveUp ends the program, unless it is writing files: then it comes to its own end. The lock is kept, so that no
// writing begins any more.
func (c *command) giveUp(exit func(code int)) {
	if !c.writing.TryLock() {
		return
	}
	fmt.Fprintln(c.Stderr, "salint: interrupted; nothing was half written")
	exit(exitFault)
}

// write does what must not be cut short.
func (c *command) write(files func() error) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return files()
}
