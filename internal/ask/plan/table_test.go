package plan

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/session"
)

// Many extensions with the same results are one group, and each is named.
func TestManyAlike(t *testing.T) {
	t.Parallel()
	o := optionsFor("olm-1.10", "olm-1.11")
	var many []session.Surveyed
	for i := range maxEach + 1 {
		account := withAccount
		if i%7 == 3 {
			account = withoutOne
		}
		many = append(many, extension(fmt.Sprintf("extension-%02d", i), account))
	}
	for _, c := range []struct {
		extensions []session.Surveyed
		groups     int
	}{{many, 2}, {many[:maxEach], maxEach}} {
		p := Build(surveyOf(t, o, c.extensions...), o)
		if got := len(p.groups(p.columns())); got != c.groups {
			t.Errorf("%d extensions are shown in %d groups, want %d", len(c.extensions), got, c.groups)
		}
		var text, markdown bytes.Buffer
		if err := errors.Join(p.Text(&text, 0), p.Markdown(&markdown)); err != nil {
			t.Fatal(err)
		}
		for _, e := range c.extensions {
			if !strings.Contains(text.String(), e.File+":1") || !strings.Contains(markdown.String(), e.File+":1") {
				t.Errorf("%s is not named", e.Name)
			}
		}
	}
}

// The table fits on a page: long names are wrapped, and targets that do not fit follow below.
func TestTableFits(t *testing.T) {
	t.Parallel()
	o := Options{AllTargets: true, Rel: func(file string) string { return file }}
	for _, target := range olm.Targets() {
		o.Columns = append(o.Columns, target.Name)
	}
	long := extension(strings.Repeat("long-name-", 9), withAccount)
	long.File = "harbor.yaml"
	p := Build(surveyOf(t, o, long), o)
	p.Transitions = nil
	// A target with a different text is not joined with its neighbors.
	for i := range p.Extensions[0].Cells {
		p.Extensions[0].Cells[i].Reason += strings.Repeat("!", i)
	}
	var out bytes.Buffer
	if err := p.Text(&out, 0); err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(out.String(), "harbor.yaml")
	for _, line := range strings.Split(table, "\n") {
		if utf8.RuneCountInString(line) > tableWidth {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	if got := strings.Count(table, "EXTENSION"); got < 2 {
		t.Errorf("%d tables for %d targets:\n%s", got, len(p.Targets), table)
	}
}
