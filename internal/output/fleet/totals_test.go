package fleet

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recount counts findings in another way than the program: whole reports, without types.
func recount(t *testing.T, reports map[string]string) map[string]int {
	t.Helper()
	sums := map[string]int{}
	for _, text := range reports {
		var report map[string]any
		if err := json.Unmarshal([]byte(text), &report); err != nil {
			t.Fatal(err)
		}
		repository := report["source"].(map[string]any)["repository"]
		for _, item := range report["findings"].([]any) {
			f := item.(map[string]any)
			fix, _ := f["fix"].(map[string]any)
			if fix != nil && fix["applied"] == true {
				continue
			}
			sums["findings"]++
			sums[f["severity"].(string)]++
			if fix != nil {
				sums[fix["kind"].(string)]++
			}
			sums[fmt.Sprintf("%s × %s × %s × %s", repository, f["target"], f["rule"], f["severity"])]++
		}
		extensions, _ := report["extensions"].([]any)
		for _, item := range extensions {
			e := item.(map[string]any)
			sums[fmt.Sprintf("extensions on %s, %s", e["target"], e["model"])]++
		}
	}
	return sums
}

// sumsOf returns the same sums as the program has them.
func sumsOf(f *Fleet) map[string]int {
	t := f.Totals()
	sums := map[string]int{
		"findings": t.All(), "error": t.Errors, "warning": t.Warnings, "note": t.Notes, "safe": t.Safe, "unsafe": t.Unsafe, "prune": t.Prune,
	}
	for _, r := range f.Repositories {
		for at, n := range r.counts {
			for severity, n := range map[string]int{"error": n.Errors, "warning": n.Warnings, "note": n.Notes} {
				if n > 0 {
					sums[fmt.Sprintf("%s × %s × %s × %s", r.Name, at.target, at.rule, severity)] += n
				}
			}
		}
	}
	for _, r := range f.Releases() {
		sums[fmt.Sprintf("extensions on %s, %s", r.Target, r.Model)] = r.Extensions
	}
	return sums
}

func TestTotalsEqualAnIndependentCount(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		reports := randomReports(t, 40, 60, seed)
		dir := folder(t, reports)
		want := recount(t, reports)
		f := collect(t, Options{Paths: []string{dir}})
		if diff := cmp.Diff(want, sumsOf(f)); diff != "" {
			t.Fatalf("seed %d (-count +program):\n%s", seed, diff)
		}
		sums := 0
		for _, rule := range f.Rules() {
			sums += rule.All()
		}
		if sums != want["findings"] {
			t.Errorf("seed %d: the rules sum up to %d, not to %d", seed, sums, want["findings"])
		}
		lines, _ := write(t, "ndjson", Options{Paths: []string{dir}})
		if n := strings.Count(lines, "\n"); n != want["findings"] {
			t.Errorf("seed %d: %d lines of ndjson for %d findings", seed, n, want["findings"])
		}
		text, _ := write(t, "csv", Options{Paths: []string{dir}})
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != want["findings"]+1 {
			t.Errorf("seed %d: %d rows of csv for %d findings (%v)", seed, len(rows)-1, want["findings"], err)
		}
		log, _ := write(t, "sarif", Options{Paths: []string{dir}})
		var sarif struct {
			Runs []struct{ Results []json.RawMessage }
		}
		if err := json.Unmarshal([]byte(log), &sarif); err != nil {
			t.Fatal(err)
		}
		results := 0
		for _, run := range sarif.Runs {
			results += len(run.Results)
		}
		if len(sarif.Runs) != len(reports) || results != want["findings"] {
			t.Errorf("seed %d: %d runs with %d results for %d reports with %d findings", seed, len(sarif.Runs), results, len(reports), want["findings"])
		}
	}
}

// The report does not depend on the order in which processors finish.
func TestSameInputSameBytes(t *testing.T) {
	t.Parallel()
	o := Options{Paths: []string{folder(t, randomReports(t, 50, 20, 1))}, Since: []string{folder(t, randomReports(t, 50, 20, 2))}}
	for _, format := range Formats {
		first, _ := write(t, format, o)
		for range 3 {
			if again, _ := write(t, format, o); again != first {
				t.Errorf("%s: two runs differ", format)
			}
		}
	}
}

// A report is read once, and an earlier one three times: for its numbers, for what is new, and for what is gone.
func TestBytesRead(t *testing.T) {
	t.Parallel()
	size := func(reports map[string]string) (n int64) {
		for _, text := range reports {
			n += int64(len(text))
		}
		return n
	}
	now, before := randomReports(t, 30, 400, 1), randomReports(t, 30, 400, 2)
	o := Options{Paths: []string{folder(t, now)}}
	var read atomic.Int64
	o.read = func(n int) { read.Add(int64(n)) }
	collect(t, o)
	// A header is among the first bytes, which are read in addition.
	if most := size(now) + 30*4096; read.Load() > most {
		t.Errorf("%d bytes were read of reports of %d", read.Load(), size(now))
	}
	read.Store(0)
	o.Since = []string{folder(t, before)}
	collect(t, o)
	if most := size(now) + 3*size(before) + 60*4096; read.Load() > most {
		t.Errorf("%d bytes were read of reports of %d and earlier ones of %d", read.Load(), size(now), size(before))
	}
}

// What is kept of the reports grows with the repositories and rules, and not with the findings.
func TestMemoryKept(t *testing.T) {
	kept := func(findings int) uint64 {
		o := Options{Paths: []string{folder(t, randomReports(t, 10, findings, 3))}}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		f := collect(t, o)
		f.Admins = nil // these are shown
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(f)
		if after.HeapAlloc < before.HeapAlloc {
			return 0
		}
		return after.HeapAlloc - before.HeapAlloc
	}
	few, many := kept(20), kept(4000)
	if many > few+512<<10 {
		t.Errorf("reports with up to 20 findings keep %d bytes, and with up to 4,000 findings %d", few, many)
	}
}
