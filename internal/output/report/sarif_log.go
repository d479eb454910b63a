package report

import (
	"bytes"
	"fmt"
	"io"

	"github.com/owenrumney/go-sarif/v2/sarif"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
)

// SARIFLog writes a log with several runs, of which only one at a time is in memory.
type SARIFLog struct {
	w    io.Writer
	runs int
}

// NewSARIFLog begins a log.
func NewSARIFLog(w io.Writer) (*SARIFLog, error) {
	_, err := fmt.Fprintf(w, "{\n  \"version\": %q,\n  \"$schema\": %q,\n  \"runs\": [", sarif.Version210, schema)
	return &SARIFLog{w: w}, err
}

// SARIFRun returns a run with the findings of a result, as the format sarif has it, indented for a log.
func SARIFRun(r *finding.Result) ([]byte, error) {
	sorted := *r
	sorted.Findings = sortedOf(r.Findings)
	var text bytes.Buffer
	if err := safetext.JSON(&text, sarifRun(&sorted)); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(bytes.TrimSpace(text.Bytes()), []byte("\n"), []byte("\n    ")), nil
}

// Add writes a run.
func (l *SARIFLog) Add(run []byte) error {
	separator := "\n"
	if l.runs++; l.runs > 1 {
		separator = ",\n"
	}
	_, err := fmt.Fprintf(l.w, "%s    %s", separator, run)
	return err
}

// Close ends the log.
func (l *SARIFLog) Close() error {
	_, err := fmt.Fprint(l.w, "\n  ]\n}\n")
	return err
}
