package main

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// locked is a writer that the two streams of a program share.
type locked struct {
	mutex sync.Mutex
	to    io.Writer
}

// Write implements io.Writer.
func (l *locked) Write(data []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.to.Write(data)
}

// guard forwards text line by line in a form that the runner does not execute as workflow commands. Messages quote names
// from manifests, and a runner executes a log line that starts with `::` or contains `##[`.
type guard struct {
	to   io.Writer
	rest []byte
}

// Write implements io.Writer. It forwards a line once it is complete.
func (g *guard) Write(data []byte) (int, error) {
	g.rest = append(g.rest, data...)
	for {
		line, rest, found := bytes.Cut(g.rest, []byte("\n"))
		if !found {
			return len(data), nil
		}
		g.rest = rest
		if err := g.print(line); err != nil {
			return 0, err
		}
	}
}

// Close forwards a last line without a line end.
func (g *guard) Close() error {
	if len(g.rest) == 0 {
		return nil
	}
	return g.print(g.rest)
}

func (g *guard) print(line []byte) error {
	text := strings.NewReplacer("\r", "", "##[", "## [").Replace(string(line))
	_, err := io.WriteString(g.to, "| "+text+"\n")
	return err
}

// escape makes text safe as the message of a workflow command.
func escape(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}
