package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// errInterrupted reports that the run was interrupted between writes.
var errInterrupted = errors.New("interrupted; no file was partly written")

// patience is how long a run can continue after it was interrupted. Not every computation checks the context.
const patience = 5 * time.Second

// interruptible returns a context that ends with the first Ctrl-C or SIGTERM. A second one ends the program immediately,
// unless files are being written; without a second one, the program ends when patience is over. Calling stop ends this
// handling.
func (c *command) interruptible(ctx context.Context) (_ context.Context, stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		if interrupted(signals, done, func() { cancel(errInterrupted) }) {
			c.giveUp(os.Exit, errInterrupted)
		}
	}()
	c.limitTime = func(limit time.Duration) { go c.endAfter(limit, done, cancel) }
	return ctx, func() {
		close(done)
		signal.Stop(signals)
		cancel(nil)
	}
}

// timeError reports that the run took longer than its limit.
type timeError struct{ limit time.Duration }

func (e *timeError) Error() string {
	return fmt.Sprintf("stopped after %v, the limit of the run (limits.runTime); no file was partly written: pass fewer paths, "+
		"or raise the limit with --limits runTime=10m", e.limit)
}

// endAfter ends a run that takes longer than limit. Canceling the context suffices for most computations; patience is for the others.
func (c *command) endAfter(limit time.Duration, done <-chan struct{}, cancel func(error)) {
	err := &timeError{limit}
	select {
	case <-done:
		return
	case <-time.After(limit):
	}
	cancel(err)
	select {
	case <-done:
	case <-time.After(patience):
		c.giveUp(os.Exit, err)
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
func (c *command) giveUp(exit func(code int), reason error) {
	if !c.writing.TryLock() {
		return
	}
	fmt.Fprintf(c.Stderr, "salint: %v\n", reason)
	exit(exitError)
}

// write runs a function that must not be interrupted.
func (c *command) write(files func() error) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return files()
}
