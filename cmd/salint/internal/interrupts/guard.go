package interrupts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// The exit codes of runs that do not end by themselves.
const (
	exitError = 2
	// exitSignal is added to the number of the signal that interrupted the run.
	exitSignal = 128
)

// Interruption reports that a signal ended the run.
type Interruption struct{ Signal os.Signal }

func (e *Interruption) Error() string { return "interrupted by a signal (" + e.Signal.String() + ")" }

// exitCode is 128 and the number of the signal, as shells report it: 130 for Ctrl-C.
func (e *Interruption) exitCode() int {
	if number, ok := e.Signal.(syscall.Signal); ok {
		return exitSignal + int(number)
	}
	return exitError
}

// endingSignals end a run in an orderly way: files that are staged are removed, and the report says which ones are written.
var endingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// patience is how long a run can continue after it was interrupted. Not every computation checks the context.
const patience = 5 * time.Second

// Guard ends a run at a signal or after a time, but not while it writes files.
type Guard struct {
	// Print prints why the program ends although the run goes on.
	Print func(text string)

	// limit ends the run after a time, once it began.
	limit func(time.Duration)
	// writing is held while files are written.
	writing sync.Mutex
	// fixing is set if the run is to change files of the repository, and wrote once it has begun with that.
	fixing, wrote atomic.Bool
}

// SetFixing records whether the run is to change files of the repository.
func (g *Guard) SetFixing(is bool) { g.fixing.Store(is) }

// LimitTime ends a run that has begun after a time.
func (g *Guard) LimitTime(limit time.Duration) {
	if g.limit != nil {
		g.limit(limit)
	}
}

// Begin returns a context that ends with the first Ctrl-C or other signal that ends programs. A second one ends the
// program immediately; without a second one, the program ends when patience is over, unless files are being written. Calling
// stop ends this handling.
func (g *Guard) Begin(ctx context.Context) (_ context.Context, stop func()) {
	signals := make(chan os.Signal, 2)
	for _, s := range endingSignals {
		if !signal.Ignored(s) { // nohup ignores SIGHUP
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go g.obey(signals, done, os.Exit, cancel)
	g.limit = func(limit time.Duration) { go g.endAfter(limit, done, cancel) }
	return ctx, func() {
		close(done)
		signal.Stop(signals)
		cancel(nil)
	}
}

// obey cancels the run at the first signal, and ends the program if it goes on: at a second signal at once, otherwise after patience.
func (g *Guard) obey(signals <-chan os.Signal, done <-chan struct{}, exit func(code int), cancel func(error)) {
	var first *Interruption
	select {
	case <-done:
		return
	case s := <-signals:
		first = &Interruption{s}
	}
	cancel(first)
	select {
	case <-done:
	case <-signals:
		exit(first.exitCode())
	case <-time.After(patience):
		g.giveUp(exit, first)
	}
}

// timeError reports that the run took longer than its limit.
type timeError struct{ limit time.Duration }

func (e *timeError) Error() string {
	return fmt.Sprintf("stopped after %v, the limit of the run (limits.runTime): pass fewer paths, or raise the limit with --limits runTime=10m", e.limit)
}

// endAfter ends a run that takes longer than limit. Canceling the context suffices for most computations; patience is for the others.
func (g *Guard) endAfter(limit time.Duration, done <-chan struct{}, cancel func(error)) {
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
		g.giveUp(os.Exit, err)
	}
}

// giveUp ends the program, unless it is writing files: then it ends by itself. The lock is kept, so that no further writing
// begins.
func (g *Guard) giveUp(exit func(code int), reason error) {
	if !g.writing.TryLock() {
		return
	}
	g.Print(fmt.Sprintf("salint: %v\n", g.Unwritten(reason)))
	exit(CodeOf(reason))
}

// Unwritten adds to the reason why a run ended that nothing was written, if the run was to write fixes and had not begun with that.
// What ends a run that has begun says itself what was written.
func (g *Guard) Unwritten(reason error) error {
	if !g.fixing.Load() || g.wrote.Load() {
		return reason
	}
	return fmt.Errorf("%w; nothing was written", reason)
}

// CodeOf returns the exit code for an error.
func CodeOf(err error) int {
	if interrupted := (*Interruption)(nil); errors.As(err, &interrupted) {
		return interrupted.exitCode()
	}
	return exitError
}

// Write runs a function that ends by itself when the context does, and that nothing but a second signal interrupts.
func (g *Guard) Write(files func() error) error {
	g.writing.Lock()
	defer g.writing.Unlock()
	g.wrote.Store(true)
	return files()
}
