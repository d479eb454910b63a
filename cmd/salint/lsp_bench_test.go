package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkLSPKeystroke types in a file of the repository SALINT_LSP_REPOSITORY, which bench/generate writes, and waits for the
// diagnostics of each keystroke. It reports the slowest in addition to the mean.
func BenchmarkLSPKeystroke(b *testing.B) {
	dir, file := os.Getenv("SALINT_LSP_REPOSITORY"), os.Getenv("SALINT_LSP_FILE")
	if dir == "" {
		b.Skip("skipped: SALINT_LSP_REPOSITORY is not set")
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		b.Fatal(err)
	}
	e := startEditor(b, dir, editorCapabilities, "--target", "olm-1.11")
	e.open(file, string(text))
	e.found(file)
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		at := len(e.texts[file])
		if i := len(times); i%2 == 0 {
			e.change(file, at, at, "# "+strings.Repeat("x", i%60)+"\n")
		} else {
			e.set(file, string(text))
		}
		e.found(file)
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Milliseconds()), "ms/95%")
	b.ReportMetric(float64(times[len(times)-1].Milliseconds()), "ms/max")
	fmt.Fprintln(os.Stderr, len(e.found(file)), "diagnostics")
	e.shutdown()
}
