package terminal

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// ProgressDelay is how long a run shows no progress: most runs end before a line could be read.
const ProgressDelay = time.Second

// redraw is the minimum time between two drawings.
const redraw = 100 * time.Millisecond

// ProgressLine is the progress line. It is drawn only when a stage begins or something is counted, never by a background process, so it never
// overwrites output that follows Clear. All its methods are safe for concurrent use, and a nil ProgressLine does nothing.
type ProgressLine struct {
	w     io.Writer
	now   func() time.Time
	start time.Time

	mu    sync.Mutex
	what  string
	total int
	count int
	bar   *progressbar.ProgressBar // nil until there is something to show
}

// NewProgressLine returns a line that is shown on w if the run takes longer than ProgressDelay.
func NewProgressLine(w io.Writer) *ProgressLine { return newProgressLine(w, time.Now) }

func newProgressLine(w io.Writer, now func() time.Time) *ProgressLine {
	return &ProgressLine{w: w, now: now, start: now()}
}

// Stage starts a new count, and shows it if the run already takes longer than ProgressDelay. The line shows what before the count; total is
// the expected count, or 0 if it is unknown.
func (l *ProgressLine) Stage(what string, total int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
	l.what, l.total, l.count = what, total, 0
	if l.isLate() {
		l.bar = l.newBar()
		_ = l.bar.RenderBlank() // a progress line that cannot be written must not stop the run
	}
}

func (l *ProgressLine) isLate() bool { return l.now().Sub(l.start) >= ProgressDelay }

// Add counts n more.
func (l *ProgressLine) Add(n int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count += n
	switch {
	case l.bar != nil:
		_ = l.bar.Add(n)
	case l.isLate():
		l.bar = l.newBar()
		_ = l.bar.Add(l.count)
	}
}

// Clear removes the line. Call it before writing anything else to the terminal; a later Add draws the line again.
func (l *ProgressLine) Clear() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
}

func (l *ProgressLine) clear() {
	if l.bar != nil {
		_ = l.bar.Clear()
		l.bar = nil
	}
}

func (l *ProgressLine) newBar() *progressbar.ProgressBar {
	total := l.total
	if total <= 0 {
		total = -1
	}
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(l.w),
		progressbar.OptionSetDescription(l.what),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(redraw),
		progressbar.OptionClearOnFinish(),
		// Without this, the library draws from a separate goroutine, even after Clear.
		progressbar.OptionSetSpinnerChangeInterval(0),
	)
}
