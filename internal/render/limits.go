package render

import (
	"fmt"
	"time"
)

// Limits bound what one build or rendering may cost. A field that is zero has its default.
type Limits struct {
	// Time is how long it may take: 20 s.
	Time time.Duration
	// Memory is how many bytes the child process may hold: 1 GiB, and never less than 256 MiB, a part of which the program
	// itself needs.
	Memory int64
	// Input is how many bytes it may read, and Output how many it may give: 64 MiB each.
	Input, Output int64
}

const (
	defaultTime   = 20 * time.Second
	defaultMemory = 1 << 30
	minMemory     = 256 << 20
	defaultBytes  = 64 << 20
)

func (l Limits) filled() Limits {
	if l.Time <= 0 {
		l.Time = defaultTime
	}
	if l.Memory <= 0 {
		l.Memory = defaultMemory
	}
	l.Memory = max(l.Memory, minMemory)
	if l.Input <= 0 {
		l.Input = defaultBytes
	}
	if l.Output <= 0 {
		l.Output = defaultBytes
	}
	return l
}

// LimitError says that something was stopped because it would have cost too much.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return e.Message }

func tooMuch(format string, args ...any) error { return &LimitError{fmt.Sprintf(format, args...)} }

func bytesText(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// Error says why a folder or chart gave no objects, and where, as far as that is known.
type Error struct {
	// File is relative to the root of the tree. Line and Column are 1-based, 0 when they are not known.
	File         string
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	switch {
	case e.File == "":
		return e.Message
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}
