package render

import (
	"fmt"
	"time"
)

// Limits limit the cost of one build or rendering. Zero fields have defaults.
type Limits struct {
	// Time is the time limit; the default is 20 s.
	Time time.Duration
	// Memory limits the memory of all child processes together, in bytes; the default is 768 MiB, the minimum 256 MiB, part of
	// which the program itself needs. A chart in a kustomization is rendered by a process in addition, which has the same limit.
	Memory int64
	// Input limits the bytes that are read, and Output those of the result; the default is 64 MiB each.
	Input, Output int64
}

const (
	defaultTime   = 20 * time.Second
	defaultMemory = 768 << 20
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

// scope separates results by the limits that they kept: with others, a build could be stopped.
func (l Limits) scope() string {
	return fmt.Sprintf("%d %d %d %d", l.Time, l.Memory, l.Input, l.Output)
}

// Outside is the message about a path outside the tree.
const Outside = "outside the repository, where salint reads nothing"

// LimitError reports that a limit was exceeded.
type LimitError struct {
	Message string
	// Time is set if the limit of time was exceeded.
	Time   bool
	memory bool // whether the limit of memory was exceeded
}

func (e *LimitError) Error() string { return e.Message }

func tooMuch(format string, args ...any) error {
	return &LimitError{Message: fmt.Sprintf(format, args...)}
}

func bytesText(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// Error is why a folder or chart has no objects, with the position as far as known.
type Error struct {
	// File is relative to the root of the tree. Line and Column are 1-based, and 0 if unknown.
	File         string
	Line, Column int
	Message      string

	// whole is kustomize's message, which may quote data of a Secret and is only searched for what failed.
	whole string
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
