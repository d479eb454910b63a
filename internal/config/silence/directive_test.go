package silence

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
)

// summary writes each directive on one line, for comparison.
func summary(directives []Directive) []string {
	var out []string
	for _, d := range directives {
		s := fmt.Sprintf("%d→%d %s", d.Line, d.Target, strings.Join(d.Rules, "|"))
		if d.WholeFile {
			s += " file"
		}
		if !d.Until.IsZero() {
			s += " until " + d.Until.Format(time.DateOnly)
		}
		if d.Reason != "" {
			s += " because " + d.Reason
		}
		if d.Problem != "" {
			s += " problem: " + d.Problem
		}
		out = append(out, s)
	}
	return out
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want []string
	}{
		"none": {"a: 1 # salint is a tool\n", nil},
		"in an inline patch": {
			"patches:\n- patch: |\n    # salint:ignore olm/x why\n\n    - op: add\n      value: \"# salint:ignore olm/y no\" # salint:ignore olm/z why\n",
			[]string{"3→0 olm/x because why", "6→6 olm/z because why"},
		},
		"in an inline merge patch": {
			"patchesStrategicMerge:\n- |-\n  a: 1\n  b: # salint:ignore olm/x why\n    c: |\n      # salint:ignore olm/y no\n",
			[]string{"4→4 olm/x because why"},
		},
		"in a text that is no patch": {"data:\n  patch: |\n    # salint:ignore olm/x why\n", nil},
		"in a folded patch":          {"patches:\n- patch: >\n    # salint:ignore olm/x why\n", nil},
		"on the line":                {"a: 1 # salint:ignore olm/x needed\n", []string{"1→1 olm/x because needed"}},
		"above the line":             {"# salint:ignore olm/x needed until later\na: 1\n", []string{"1→2 olm/x because needed until later"}},
		"indented":                   {"a:\n  # salint:ignore olm/x needed\n  b: 1\n", []string{"2→3 olm/x because needed"}},
		"stacked":                    {"# salint:ignore olm/x one\n# about a\n#salint:ignore pod/y two\na: 1\n", []string{"1→4 olm/x because one", "3→4 pod/y because two"}},
		"with a date":                {"a: 1 # salint:ignore olm/x until=2027-01-31 moving house\n", []string{"1→1 olm/x until 2027-01-31 because moving house"}},
		"a date at the end":          {"a: 1 # salint:ignore olm/x moving until=2027-01-31\n", []string{"1→1 olm/x until 2027-01-31 because moving"}},
		"several rules":              {"a: 1 # salint:ignore olm/x,pod/*, token/z old\n", []string{"1→1 olm/x|pod/*|token/z because old"}},
		"a space after the colon":    {"a: 1 # salint: ignore olm/x old\n", []string{`1→1  problem: it is misspelled: write "# salint:ignore olm/x reason"`}},
		"a dash":                     {"# salint-ignore pod/*, olm/x: old\na: 1\n", []string{`1→2  problem: it is misspelled: write "# salint:ignore pod/*,olm/x: reason"`}},
		"a capital":                  {"a: 1 # Salint:ignore-file olm/x old\n", []string{`1→1  problem: it is misspelled: write "# salint:ignore-file olm/x reason"`}},
		"misspelled without a rule":  {"a: 1 # salint: ignore\n", []string{"1→1  problem: no rule is named: write `# salint:ignore RULE reason`"}},
		"misspelled in a template":   {"{{/* salint-ignore olm/x old */}}\na: {{ .b }}\n", []string{`1→2  problem: it is misspelled: write "# salint:ignore olm/x reason"`}},
		"sentences about salint":     {"# salint ignores this file\n# salint-ignore comments are explained in docs/x\n# asalint:ignore olm/x\na: 1\n", nil},
		"misspelled in a string":     {"a: '# salint-ignore olm/x'\n", nil},
		"all rules":                  {"a: 1 # salint:ignore * old\n", []string{"1→1 * because old"}},
		"the whole file":             {"# salint:ignore-file olm/x generated\na: 1\n", []string{"1→2 olm/x file because generated"}},
		"no reason":                  {"a: 1 # salint:ignore olm/x --\n", []string{"1→1 olm/x"}},
		"tabs and carriage return":   {"a: 1\t#\tsalint:ignore olm/x why\r\n", []string{"1→1 olm/x because why"}},
		"a byte order mark":          {"\ufeff# salint:ignore olm/x why\na: 1\n", []string{"1→2 olm/x because why"}},
		"a blank line below":         {"# salint:ignore olm/x why\n\na: 1\n", []string{"1→0 olm/x because why"}},
		"nothing below":              {"a: 1\n# salint:ignore olm/x why", []string{"2→0 olm/x because why"}},
		"two hashes":                 {"## salint:ignore olm/x why\na: 1\n", []string{"1→2 olm/x because why"}},
		"no rule":                    {"a: 1 # salint:ignore because\n", []string{"1→1  problem: no rule is named: write `# salint:ignore RULE reason`"}},
		"nothing at all":             {"a: 1 # salint:ignore-file\n", []string{"1→1  file problem: no rule is named: write `# salint:ignore-file RULE reason`"}},
		"a misspelled date":          {"a: 1 # salint:ignore olm/x why (untill: 2020-01-01)\n", []string{"1→1 olm/x because why (untill: 2020-01-01) problem: its date is misspelled: write a date such as until=2027-01-31, as one word"}},
		"a date after a space":       {"a: 1 # salint:ignore olm/x until 2030-01-01 why\n", []string{"1→1 olm/x because until 2030-01-01 why problem: its date is misspelled: write a date such as until=2027-01-31, as one word"}},
		"not a date":                 {"a: 1 # salint:ignore olm/x until=soon why\n", []string{`1→1 olm/x problem: until="soon" is not a date: use a date such as until=2027-01-31`}},
		"another word":               {"a: 1 # salint:ignroe olm/x\n", []string{`1→1  problem: unknown directive "ignroe": use ignore or ignore-file`}},
		"prose":                      {"a: 1 # see salint: the tool\n# salint: the tool\n", nil},
		"not a comment":              {"a: b#salint:ignore olm/x\nurl: http://salint:80\n", nil},
		"not the first word":         {"a: 1 # never write salint:ignore olm/x\n", nil},
		"in double quotes":           {"a: \"x # salint:ignore olm/x why\"\nb: 1 # salint:ignore olm/y why\n", []string{"2→2 olm/y because why"}},
		"behind a string with it":    {"a: ' # salint:ignore olm/x why' # salint:ignore olm/y why\n", []string{"1→1 olm/y because why"}},
		"in a block scalar":          {"a: |\n  # salint:ignore olm/x why\n  b: 1\n# salint:ignore olm/y why\nc: 1\n", []string{"4→5 olm/y because why"}},
		"in JSON":                    {"{\"a\": \" # salint:ignore olm/x why\"}\n", nil},
		"in the second document":     {"a: 1\n---\n# salint:ignore olm/x why\nb: 1\n", []string{"3→4 olm/x because why"}},
		"in a template":              {"{{ if x }}\n# salint:ignore olm/x why\na: {{ y }}\n{{ end }}\n", []string{"2→3 olm/x because why"}},
		"of Helm": {
			"{{- /* salint:ignore olm/x why */ -}}\n{{/* about */}}\na: {{ y }} {{/*salint:ignore olm/y why*/}}\n",
			[]string{"1→3 olm/x because why", "3→3 olm/y because why"},
		},
		"of Helm before text": {"{{/* salint:ignore olm/x why */}} a: 1\nb: 2\n", []string{"1→1 olm/x because why"}},
		"of Helm, not closed": {"{{/* salint:ignore olm/x why\n*/}}\n", nil},
		"no comment of Helm":  {"{{ salint:ignore olm/x }}\n/* salint:ignore olm/x */\n", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := summary(Parse(manifest.Scan("x.yaml", []byte(test.text))))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParsePositions(t *testing.T) {
	t.Parallel()
	text := "ä: 1  # salint:ignore olm/x ü\r\n"
	d := Parse(manifest.Scan("x.yaml", []byte(text)))[0]
	if got := text[d.Range.Start:d.Range.End]; got != "# salint:ignore olm/x ü" {
		t.Errorf("%q", got)
	}
	if d.Range.Line != 1 || d.Range.Column != 7 || d.Range.EndLine != 1 || d.Range.EndColumn != 30 {
		t.Errorf("%+v", d.Range)
	}
}

func TestExpired(t *testing.T) {
	t.Parallel()
	d := Directive{Until: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}
	for now, want := range map[string]bool{
		"2026-11-20T12:00:00Z": false, "2026-11-21T23:59:59Z": false, "2026-11-22T00:00:00Z": true,
		"2026-11-22T01:00:00+02:00": false, // still the 21st in UTC
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.expired(at); got != want {
			t.Errorf("%s: %v", now, got)
		}
	}
	if forever := (&Directive{}); forever.expired(time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("a directive without a date expired")
	}
}

// A file can be one line that contains the marker many times; none of these may take long.
func TestParseHostile(t *testing.T) {
	t.Parallel()
	const n = 200_000
	for name, text := range map[string]string{
		"one long string":      `a: "` + strings.Repeat("# salint:ignore a/b c ", n) + `"`,
		"one long comment":     strings.Repeat("# salint:ignore a/b c ", n),
		"comments of Helm":     strings.Repeat("{{/* salint:ignore a/b */}}", n),
		"the word alone":       strings.Repeat("salint:", n),
		"hashes":               strings.Repeat("#", n) + " salint:ignore a/b",
		"lines":                strings.Repeat("# salint:ignore a/b c\n", n),
		"strings on all lines": strings.Repeat("- ' # salint:ignore a/b c'\n", n/10),
	} {
		if got := Parse(manifest.Scan("x.yaml", []byte(text))); len(got) > maxDirectives {
			t.Errorf("%s: %d directives", name, len(got))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"# salint:ignore a/b c\na: 1\n", "{{/* salint:ignore a/b until=2027-01-01 */}}", "a: ' # salint:ignore a/b'", "\ufeff#salint:\r\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range Parse(manifest.Scan("x.yaml", data)) {
			if d.Range.Start < 0 || d.Range.End > len(data) || d.Range.Start >= d.Range.End || d.Line < 1 || d.Target != 0 && d.Target < d.Line {
				t.Errorf("%+v", d)
			}
			if len(d.Rules) == 0 && d.Problem == "" {
				t.Errorf("no rule and no problem: %+v", d)
			}
		}
	})
}
