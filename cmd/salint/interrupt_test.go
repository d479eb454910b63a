package main

import (
	"bytes"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestInterrupted sends a signal to a run that ends in time, and to one that does not.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes time.Duration
		want  bool
	}{
		"ends in time": {patience - time.Second, false},
		"goes on":      {patience + time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				signals, done := make(chan os.Signal, 1), make(chan struct{})
				obeyed := false
				signals <- os.Interrupt
				time.AfterFunc(c.takes, func() { close(done) })
				if got := interrupted(signals, done, func() { obeyed = true }); got != c.want || !obeyed {
					t.Errorf("gives up: %v, want %v; canceled: %v", got, c.want, obeyed)
				}
				<-done
			})
		})
	}
}

// TestInterruptedTwice sends a second signal to a run that would continue.
func TestInterruptedTwice(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal, 2)
	signals <- os.Interrupt
	signals <- os.Interrupt
	if !interrupted(signals, make(chan struct{}), func() {}) {
		t.Error("goes on after a second signal")
	}
}

// TestInterruptedNot ends a run without a signal.
func TestInterruptedNot(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	close(done)
	if interrupted(nil, done, func() { t.Error("canceled without a signal") }) {
		t.Error("gives up on a run that ended")
	}
}

// TestGiveUp does not end a run that is writing files, and ends any other.
func TestGiveUp(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	c := &command{Stderr: &errs}
	code := -1
	exit := func(n int) { code = n }
	err := c.write(func() error {
		c.giveUp(exit, errInterrupted)
		return nil
	})
	if err != nil || code != -1 || errs.Len() > 0 {
		t.Fatalf("while writing: exit code %d, %v, %q", code, err, &errs)
	}
	if c.giveUp(exit, errInterrupted); code != exitError || errs.Len() == 0 {
		t.Fatalf("exit code %d, %q; want %d and a message", code, &errs, exitError)
	}
}

// TestEndAfter cancels a run that takes longer than its limit, and no other.
func TestEndAfter(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]time.Duration{"in time": time.Minute, "too long": 3 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				done := make(chan struct{})
				time.AfterFunc(takes, func() { close(done) })
				var reason error
				(&command{}).endAfter(3*time.Minute-time.Second, done, func(err error) { reason = err })
				if canceled := reason != nil; canceled != (takes > time.Minute) {
					t.Errorf("canceled: %v", reason)
				}
				<-done
			})
		})
	}
}
