package interrupts

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestInterrupted sends every signal to a run that ends in time, to one that does not, and to one that does not even while it writes.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		takes   time.Duration
		signals int
		writes  bool
		ended   bool
	}{
		"ends in time":             {patience - time.Second, 1, false, false},
		"goes on":                  {patience + time.Second, 1, false, true},
		"goes on writing":          {patience + time.Second, 1, true, false},
		"second signal":            {time.Second, 2, false, true},
		"second signal on writing": {time.Second, 2, true, true},
	} {
		for _, sent := range endingSignals {
			t.Run(name+" "+sent.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					signals, done := make(chan os.Signal, 2), make(chan struct{})
					for range test.signals {
						signals <- sent
					}
					g, code := &Guard{Print: func(string) {}}, 0
					if test.writes {
						g.writing.Lock()
					}
					var reason error
					time.AfterFunc(test.takes, func() { close(done) })
					g.obey(signals, done, func(n int) { code = n }, func(err error) { reason = err })
					want := 0
					if test.ended {
						want = 128 + int(sent.(syscall.Signal))
					}
					if code != want || CodeOf(reason) != 128+int(sent.(syscall.Signal)) {
						t.Errorf("exit code %d, want %d; canceled: %v", code, want, reason)
					}
					<-done
				})
			})
		}
	}
}

// TestInterruptedNot ends a run without a signal.
func TestInterruptedNot(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	close(done)
	(&Guard{}).obey(nil, done, func(int) { t.Error("gives up on a run that ended") }, func(error) { t.Error("canceled without a signal") })
}

// TestGiveUp does not end a run that is writing files, and ends any other.
func TestGiveUp(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	g := &Guard{Print: func(text string) { errs.WriteString(text) }}
	code := -1
	exit := func(n int) { code = n }
	err := g.Write(func() error {
		g.giveUp(exit, &Interruption{os.Interrupt})
		return nil
	})
	if err != nil || code != -1 || errs.Len() > 0 {
		t.Fatalf("while writing: exit code %d, %v, %q", code, err, &errs)
	}
	if g.giveUp(exit, &Interruption{os.Interrupt}); code != 130 || errs.Len() == 0 {
		t.Fatalf("exit code %d, %q; want 130 and a message", code, &errs)
	}
}

// TestGiveUpBeforeWriting reports that nothing was written if a run that ends was to write fixes.
func TestGiveUpBeforeWriting(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	g := &Guard{Print: func(text string) { errs.WriteString(text) }}
	g.SetFixing(true)
	g.giveUp(func(int) {}, &timeError{time.Minute})
	if !strings.HasSuffix(errs.String(), "; nothing was written\n") {
		t.Errorf("got %q", &errs)
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
				(&Guard{}).endAfter(3*time.Minute-time.Second, done, func(err error) { reason = err })
				if canceled := reason != nil; canceled != (takes > time.Minute) {
					t.Errorf("canceled: %v", reason)
				}
				<-done
			})
		})
	}
}
