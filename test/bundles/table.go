package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// item is a comparison.
type item struct {
	Check, Release, Bundle string
}

// table collects the outcomes of comparisons.
type table struct {
	mutex                   sync.Mutex
	rows                    []row
	preflights, bundleDiffs []time.Duration
}

type row struct {
	item
	outcome
}

func (t *table) add(i item, o outcome) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.rows = append(t.rows, row{i, o})
}

// failed adds what could not be compared.
func (t *table) failed(name string, err error) {
	if err != nil {
		t.add(item{Check: "compared", Bundle: name}, outcome{Cause: unexplained + "a program fails", Upstream: err.Error()})
	}
}

func (t *table) preflight(took time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.preflights = append(t.preflights, took)
}

func (t *table) bundleDiff(took time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.bundleDiffs = append(t.bundleDiffs, took)
}

// text returns the counts by check, release, and cause.
func (t *table) text() string {
	type key struct{ check, release, cause string }
	counts, first := map[key]int{}, map[string]int{}
	var keys []key
	for _, r := range t.rows {
		k := key{r.Check, r.Release, r.Cause}
		if counts[k]++; counts[k] == 1 {
			keys = append(keys, k)
		}
	}
	for i, check := range []string{"installed by default", "installed with all gates", "permissions sufficient", "permissions necessary"} {
		first[check] = i - 10
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(first[a.check], first[b.check]), strings.Compare(a.check, b.check), strings.Compare(a.release, b.release),
			cmp.Compare(counts[b], counts[a]), strings.Compare(a.cause, b.cause))
	})
	var out strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&out, "%-31s %-9s %6d  %s\n", k.check, k.release, counts[k], k.cause)
	}
	return out.String()
}

// times returns the median processor times of salint.
func (t *table) times() string {
	return fmt.Sprintf("preflight: %d runs, %s of processor time in the median; bundle-diff: %d runs, %s\n",
		len(t.preflights), median(t.preflights), len(t.bundleDiffs), median(t.bundleDiffs))
}

func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2].Round(time.Millisecond)
}

// write writes the rows to a file.
func (t *table) write(file string, stderr io.Writer) int {
	if file == "" {
		return 0
	}
	slices.SortStableFunc(t.rows, func(a, b row) int {
		return cmp.Or(strings.Compare(a.Bundle, b.Bundle), strings.Compare(a.Release, b.Release), strings.Compare(a.Check, b.Check))
	})
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, r := range t.rows {
		if err := encoder.Encode(r); err != nil {
			fmt.Fprintln(stderr, "bundles:", err)
			return 2
		}
	}
	if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
		fmt.Fprintln(stderr, "bundles:", err)
		return 2
	}
	return 0
}

// expect compares the counts with those of a file.
func (t *table) expect(o options, stderr io.Writer) int {
	if o.counts == "" {
		return 0
	}
	if o.update {
		if err := os.WriteFile(o.counts, []byte(t.text()), 0o600); err != nil {
			fmt.Fprintln(stderr, "bundles:", err)
			return 2
		}
		return 0
	}
	want, err := os.ReadFile(o.counts)
	if err != nil {
		fmt.Fprintln(stderr, "bundles:", err)
		return 2
	}
	if string(want) != t.text() {
		fmt.Fprintf(stderr, "bundles: the counts differ from those of %s; -update writes them\n", o.counts)
		return 1
	}
	return 0
}

// unexplained reports the differences without a cause.
func (t *table) unexplained(stderr io.Writer) int {
	const shown = 20
	n := 0
	for _, r := range t.rows {
		if !strings.HasPrefix(r.Cause, unexplained) {
			continue
		}
		if n++; n <= shown {
			fmt.Fprintf(stderr, "%s, %s, %s: %s\n  operator-controller: %s\n  salint: %s\n", r.Bundle, r.Release, r.Check, r.Cause, clip(r.Upstream), clip(r.Salint))
		}
	}
	if n == 0 {
		return 0
	}
	fmt.Fprintf(stderr, "bundles: %d differences have no cause\n", n)
	return 1
}

func clip(text string) string {
	const most = 400
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
