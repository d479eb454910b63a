package sarif

import (
	"bytes"
	"fmt"
	"io"

	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
)

// Log writes a log with several runs, of which only one at a time is in memory.
type Log struct {
	w    io.Writer
	runs int
}

// NewLog begins a log.
func NewLog(w io.Writer) (*Log, error) {
	_, err := fmt.Fprintf(w, "{\n  \"version\": %q,\n  \"$schema\": %q,\n  \"runs\": [", sarif.Version210, schema)
	return &Log{w: w}, err
}

// Run returns a run with the sorted findings of a result and its properties, as Write has it, indented for a log.
func Run(r *finding.Result, properties map[string]any) ([]byte, error) {
	var text bytes.Buffer
	if err := safetext.JSON(&text, runOf(r, properties)); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(bytes.TrimSpace(text.Bytes()), []byte("\n"), []byte("\n    ")), nil
}

// Add writes a run.
func (l *Log) Add(run []byte) error {
	separator := "\n"
	if l.runs++; l.runs > 1 {
		separator = ",\n"
	}
	_, err := fmt.Fprintf(l.w, "%s    %s", separator, run)
	return err
}

// Close ends the log.
func (l *Log) Close() error {
	_, err := fmt.Fprint(l.w, "\n  ]\n}\n")
	return err
}
