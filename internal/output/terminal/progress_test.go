package terminal

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a time that tests advance.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func TestShortRunsStaySilent(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	line := newProgressLine(&out, c.now)
	line.Stage("reading", 0)
	for range 1000 {
		line.Add(1)
	}
	line.Clear()
	if out.Len() > 0 {
		t.Errorf("a run without duration shows %q", out.String())
	}
}

func TestLongRunsShowWhatTheyCount(t *testing.T) {
	t.Parallel()
	for name, total := range map[string]int{"total known": 50, "total unknown": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			c := &clock{time.Unix(0, 0)}
			line := newProgressLine(&out, c.now)
			line.Stage("checking documents", total)
			line.Add(11)
			c.Time = c.Add(ProgressDelay)
			line.Add(1)
			shown := out.String()
			if !strings.Contains(shown, "checking documents") || !strings.Contains(shown, "12") {
				t.Errorf("line %q contains neither the counted unit nor the total 12", shown)
			}
			if strings.Contains(shown, "\n") {
				t.Errorf("line %q contains a line end", shown)
			}
			line.Clear()
			if cleared := out.String()[len(shown):]; !strings.HasSuffix(cleared, "\r") || strings.Trim(cleared, " \r") != "" {
				t.Errorf("Clear writes %q, which does not clear the line", cleared)
			}
		})
	}
}

func TestNextStageBeginsAtZero(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	line := newProgressLine(&out, c.now)
	line.Stage("reading", 0)
	line.Add(7)
	c.Time = c.Add(ProgressDelay)
	line.Add(1)
	line.Clear()
	out.Reset()
	line.Stage("checking", 40)
	if shown := out.String(); !strings.Contains(shown, "checking") || !strings.Contains(shown, "0/40") || strings.Contains(shown, "reading") {
		t.Errorf("the second stage begins with %q", shown)
	}
	line.Clear()
	line.Stage("checking", 40)
	line.Clear()
	out.Reset()
	line.Add(3)
	if shown := out.String(); !strings.Contains(shown, "3/40") {
		t.Errorf("the second stage shows %q", shown)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	line := newProgressLine(&out, c.now)
	c.Time = c.Add(ProgressDelay)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				line.Add(1)
			}
			line.Clear()
		})
	}
	wg.Wait()
	if line.count != 400 {
		t.Errorf("counted %d of 400", line.count)
	}
}

func TestNoLine(t *testing.T) {
	t.Parallel()
	var line *ProgressLine
	line.Stage("reading", 1)
	line.Add(1)
	line.Clear()
}
