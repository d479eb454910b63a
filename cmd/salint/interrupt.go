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

// interruption reports that a signal ended the run.
type interruption struct{ signal os.Signal }

func (e *interruption) Error() string { return "interrupted by a signal (" + e.signal.String() + ")" }

// exitCode is 128 and the number of the signal, as shells report it: 130 for Ctrl-C.
func (e *interruption) exitCode() int {
	if number, ok := e.signal.(syscall.Signal); ok {
		return exitSignal + int(number)
	}
	return exitError
}

// endingSignals end a run in an orderly way: files that are staged are removed, and the report says which ones are written.
var endingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// patience is how long a run can continue after it was interrupted. Not every computation checks the context.
const patience = 5 * time.Second

// interruptible returns a context that ends with the first Ctrl-C or other signal that ends programs. A second one ends the
// program immediately; without a second one, the program ends when patience is over, unless files are being written. Calling
// stop ends this handling.
func (c *command) interruptible(ctx context.Context) (_ context.Context, stop func()) {
	signals := make(chan os.Signal, 2)
	for _, s := range endingSignals {
		if !signal.Ignored(s) { // nohup ignores SIGHUP
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go c.obey(signals, done, os.Exit, cancel)
	c.limitTime = func(limit time.Duration) { go c.endAfter(limit, done, cancel) }
	return ctx, func() {
		close(done)
		signal.Stop(signals)
		cancel(nil)
	}
}

// obey cancels the run at the first signal, and ends the program if it goes on: at a second signal at once, otherwise after patience.
func (c *command) obey(signals <-chan os.Signal, done <-chan struct{}, exit func(code int), cancel func(error)) {
	var first *interruption
	select {
	case <-done:
		return
	case s := <-signals:
		first = &interruption{s}
	}
	cancel(first)
	select {
	case <-done:
	case <-signals:
		exit(first.exitCode())
	case <-time.After(patience):
		c.giveUp(exit, first)
	}
}

// timeError reports that the run took longer than its limit.
type timeError struct{ limit time.Duration }

func (e *timeError) Error() string {
	return fmt.Sprintf("stopped after %v, the limit of the run (limits.runTime): pass fewer paths, or raise the limit with --limits runTime=10m", e.limit)
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

// giveUp ends the program, unless it is writing files: then it ends by itself. The lock is kept, so that no further writing
// begins.
func (c *command) giveUp(exit func(code int), reason error) {
	if !c.writing.TryLock() {
		return
	}
	fmt.Fprintf(c.Stderr, "salint: %v\n", c.unwritten(reason))
	exit(codeOf(reason))
}

// unwritten adds to the reason why a run ended that nothing was written, if the run was to write fixes and had not begun with that.
// What ends a run that has begun says itself what was written.
func (c *command) unwritten(reason error) error {
	if !c.fixing.Load() || c.wrote.Load() {
		return reason
	}
	return fmt.Errorf("%w; nothing was written", reason)
}

// codeOf returns the exit code for an error.
func codeOf(err error) int {
	if interrupted := (*interruption)(nil); errors.As(err, &interrupted) {
		return interrupted.exitCode()
	}
	return exitError
}

// write runs a function that ends by itself when the context does, and that nothing but a second signal interrupts.
func (c *command) write(files func() error) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.wrote.Store(true)
	return files()
}
