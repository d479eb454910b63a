package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interruptedText reports that the run was interrupted between writes.
const interruptedText = "interrupted; no file was partly written"

// patience is how long a run can continue after it was interrupted. Not every computation checks the context.
const patience = 5 * time.Second

// interruptible returns a context that ends with the first Ctrl-C or SIGTERM. A second one ends the program immediately,
// unless files are being written; without a second one, the program ends when patience is over. Calling stop ends this
// handling.
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

// interrupted waits for a signal, calls cancel, and returns whether to end a run that still continues: after patience, or
// at a second signal.
func interrupted(signals <-chan os.Signal, done <-chan struct{}, cancel func()) bool {
	select {
	case <-done:
		return false
	case <-signals:
	}
	cancel()
	select {
	case <-done:
		return false
	case <-signals:
		return true
	case <-time.After(patience):
		return true
	}
}

// giveUp ends the program, unless it is writing files: then it ends by itself. The lock is kept, so that no further writing
// begins.
func (c *command) giveUp(exit func(code int)) {
	if !c.writing.TryLock() {
		return
	}
	fmt.Fprintln(c.Stderr, "salint: "+interruptedText)
	exit(exitError)
}

// write runs a function that must not be interrupted.
func (c *command) write(files func() error) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return files()
}
