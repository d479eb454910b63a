//go:build linux

package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	programs, err := parse([]string{"one file: salint lint a.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"salint", "lint", "a.yaml"}, programs[0].command); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
	for _, wrong := range [][]string{nil, {"salint"}, {"name: "}} {
		if _, err := parse(wrong); err == nil {
			t.Errorf("parse(%q) must be an error", wrong)
		}
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	if got := median([]time.Duration{1, 2, 9}); got != 2 {
		t.Errorf("median of three is %d, want 2", got)
	}
	if got := median([]time.Duration{1, 2, 4, 9}); got != 3 {
		t.Errorf("median of four is %d, want 3", got)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	got := table([]*program{{
		name: "x", code: 1, memory: 12_345_678,
		times: []time.Duration{3 * time.Millisecond, time.Millisecond, 2 * time.Millisecond},
	}})
	if want := "| x | 2.0 ms | 1.0 ms | 3.0 ms | 12 MB | 1 |\n"; !strings.HasSuffix(got, want) {
		t.Errorf("table:\n%s\nwant it to end in %s", got, want)
	}
}

func TestMeasureAll(t *testing.T) {
	t.Parallel()
	programs := []*program{{name: "fine", command: []string{"true"}}, {name: "findings", command: []string{"false"}}}
	if err := measureAll(t.Context(), programs, 2); err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		if len(p.times) != 2 || p.memory == 0 || p.code != i {
			t.Errorf("%s: %d times, %d bytes, exit code %d", p.name, len(p.times), p.memory, p.code)
		}
	}
}

func TestMeasureAllRefusesFailures(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{{"./absent"}, {"go", "no-such-command"}} {
		if err := measureAll(t.Context(), []*program{{name: "x", command: command}}, 1); err == nil {
			t.Errorf("%q must be an error", command)
		}
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	got := rows("x", []*program{{name: "floor", memory: 5_000_000, times: []time.Duration{2 * time.Second}}, {name: "salint", memory: 6_000_000, times: []time.Duration{3 * time.Second}}})
	if diff := cmp.Diff("| x | floor | 2.00 s | 1.0 | 5 MB |\n| x | salint | 3.00 s | 1.5 | 6 MB |\n", got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// TestMemoryTogether reads the memory of processes.
func TestMemoryTogether(t *testing.T) {
	t.Parallel()
	if got := proportional([]byte("00400000-7ffd0000 ---p 00000000 00:00 0 [rollup]\nRss:  20 kB\nPss:   12 kB\n")); got != 12<<10 {
		t.Errorf("the proportional size is %d", got)
	}
	p := &program{name: "sort", command: []string{"sort", "--version"}, together: true}
	if err := p.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(p.times) != 1 || p.memory < 0 {
		t.Errorf("%d times, %d bytes", len(p.times), p.memory)
	}
	if own := treeMemory(os.Getpid()); own < 1<<20 {
		t.Errorf("this process has %d bytes", own)
	}
}
