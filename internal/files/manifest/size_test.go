package manifest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// doublings returns lists, each of which holds the previous one twice.
func doublings(levels int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := range levels {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	return b.String()
}

// wideMerges returns mappings, each of which merges all of the first ones.
func wideMerges(sources, uses int) string {
	var b, all strings.Builder
	for i := range sources {
		fmt.Fprintf(&b, "m%d: &m%d {k%d: 1, l%d: 1}\n", i, i, i, i)
		fmt.Fprintf(&all, "*m%d, ", i)
	}
	for i := range uses {
		fmt.Fprintf(&b, "u%d: {<<: [%s]}\n", i, strings.TrimSuffix(all.String(), ", "))
	}
	return b.String()
}

// A document of which only a part could be decoded is rejected as a whole, at the place that is too much.
func TestParseRejectsLargeDocuments(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		at   string // "" if the document is accepted
	}{
		"some doublings":                   {doublings(8), ""},
		"doublings":                        {doublings(22), "f.yaml:15:"},
		"many doublings":                   {doublings(2000), "f.yaml:15:"},
		"itself":                           {"a: &a\n  b: *a\n", "f.yaml:2:6"},
		"some merges":                      {wideMerges(10, 100), ""},
		"wide merges":                      {wideMerges(300, 300), "f.yaml:334:"},
		"many keys":                        {manyKeys(300_000), "f.yaml:1:1"},
		"many keys on a line":              {"a: [" + strings.Repeat("1,", 600_000) + "]\n", "f.yaml:1:1"},
		"as many, not read by the scanner": {"%YAML 1.1\n---\na: [" + strings.Repeat("1,", 600_000) + "]\n", "f.yaml:"},
		"a long text with as many commas":  {"a: |\n  " + strings.Repeat("1,", 600_000) + "\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			err := Scan("f.yaml", []byte(test.text)).Docs[0].Parse()
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			var rejected *SyntaxError
			switch {
			case test.at == "" && err != nil:
				t.Error(err)
			case test.at == "":
			case !errors.As(err, &rejected) || !rejected.Limit || !strings.HasPrefix(err.Error(), test.at):
				t.Errorf("got %v, want an error at %s", err, test.at)
			}
		})
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}
