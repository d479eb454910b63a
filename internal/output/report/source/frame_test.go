package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
)

func TestFrame(t *testing.T) {
	t.Parallel()
	long := "list: [" + strings.Repeat("alpha, ", 40) + "omega]"
	for _, test := range []struct {
		name, text, mark string
		width            int
		want             Frame
	}{
		{"plain", "a: bcd\n", "bcd", 60, Frame{"a: bcd", "   ^^^"}},
		{"no final newline", "a: bcd", "bcd", 60, Frame{"a: bcd", "   ^^^"}},
		{"line ends are not shown", "a: b\r\nc: d\r\n", "c", 60, Frame{"c: d", "^"}},
		{"byte order mark", "\ufeffa: b\n", "a", 60, Frame{"a: b", "^"}},
		{"tabs are kept", "\ta:\tbc\td\n", "bc\td", 60, Frame{"\ta:\tbc\td", "\t  \t^^\t^"}},
		{"wide characters", "日本: 語 # x\n", "語", 60, Frame{"日本: 語 # x", "      ^^"}},
		{"combining marks", "cafe\u0301: x\n", "x", 60, Frame{"cafe\u0301: x", "      ^"}},
		{"part of a cluster", "e\u0301: x\n", "\u0301", 60, Frame{"e\u0301: x", "^"}},
		{"emoji", "a: 😀 b\n", "b", 60, Frame{"a: 😀 b", "      ^"}},
		{"direction override", "a: \u202eb c\n", "c", 60, Frame{"a: <U+202E>b c", "             ^"}},
		{"control characters", "a: \x1b[1mb\n", "\x1b[1m", 60, Frame{"a: <U+001B>[1mb", "   ^^^^^^^^^^^"}},
		{"invalid UTF-8", "a: \xffb\n", "b", 60, Frame{"a: <0xFF>b", "         ^"}},
		{"command to a runner", "a: ##[x] b\n", "b", 60, Frame{"a: ##<U+005B>x] b", "                ^"}},
		{"several lines", "a:\n  b: c\n  d: e\nf: g\n", "b: c\n  d: e", 60, Frame{"  b: c", "  ^^^^ to line 3"}},
		{"up to the next line", "a: b\nc: d\n", "a: b\n", 60, Frame{"a: b", "^^^^"}},
		{"begins at a line end", "a:\nb: c\nd: e\n", "\nb: c\nd", 60, Frame{"a:", "  ^ to line 3"}},
		{"long line, start", long, "list", 44, Frame{
			"list: [alpha, alpha, alpha, alpha, alpha, …", "^^^^",
		}},
		{"long line, end", long, "omega", 44, Frame{"…alpha, alpha, omega]", "               ^^^^^"}},
		{"long line, long range", "a: " + strings.Repeat("x", 100), strings.Repeat("x", 100), 44, Frame{
			"a: " + strings.Repeat("x", 39) + "…", "   " + strings.Repeat("^", 39),
		}},
		{"hidden value", "kind: Secret\ndata: {a: b} # c\n", "data", 60, Frame{"data: <hidden> <hidden>", "^^^^"}},
		{"inside a hidden value", "kind: Secret\ndata: {a: b}\n", "a: b", 60, Frame{"data: <hidden>", "      ^^^^^^^^"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			start := strings.Index(test.text, test.mark)
			r := finding.Range{Start: start, End: start + len(test.mark)}
			f := manifest.File{Data: []byte(test.text)}
			r.Line, r.Column = f.Position(r.Start)
			r.EndLine, r.EndColumn = f.Position(r.End)
			src := New("a.yaml", []byte(test.text))
			got, ok := src.Frame(r, test.width)
			if !ok {
				t.Fatal("no frame")
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("with bytes (-want +got):\n%s", diff)
			}
			r.Start, r.End = 0, 0
			if got, _ := src.Frame(r, test.width); got != test.want {
				t.Errorf("with columns alone: %+v", got)
			}
		})
	}
}

func TestEmptyRange(t *testing.T) {
	t.Parallel()
	src := New("a.yaml", []byte("a: b\n"))
	for column, want := range map[int]string{0: "^", 1: "^", 4: "   ^", 5: "    ^", 9: "    ^"} {
		got, ok := src.Frame(finding.Range{Line: 1, Column: column, EndLine: 1, EndColumn: column}, 60)
		if !ok || got.Marks != want {
			t.Errorf("column %d: %v, marks %q, want %q", column, ok, got.Marks, want)
		}
	}
}

func TestNoFrame(t *testing.T) {
	t.Parallel()
	src := New("a.yaml", []byte("a: b\n\nkind: Secret\ndata:\n  c: d\n"))
	for name, line := range map[string]int{"none": 0, "empty": 2, "hidden": 5, "behind the last": 7} {
		if got, ok := src.Frame(finding.Range{Line: line, Column: 1, EndLine: line, EndColumn: 2}, 60); ok {
			t.Errorf("%s line %d has the frame %+v", name, line, got)
		}
	}
}

// Positions are counted from the middle of a long line, and must match the positions of findings.
func TestPositionsAgreeWithTheManifest(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"long lines":     "a\n" + strings.Repeat("é日😀x", 2000) + "\nb\r\n" + strings.Repeat("é", 3000),
		"byte order":     "\ufeff" + strings.Repeat("日", 3000) + "\n\n",
		"invalid UTF-8":  strings.Repeat("\x80\x80\x80\x80\xc3", 3000),
		"continuations":  "é" + strings.Repeat("\x80", 9000),
		"truncated rune": strings.Repeat("x", countEvery-1) + "\xe6\x97",
		"empty":          "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := manifest.File{Data: []byte(text)}
			src := New("a.yaml", []byte(text))
			for offset := 0; offset <= len(text); offset += 1 + len(text)/997 {
				line, column := src.Position(offset)
				if wantLine, wantColumn := f.Position(offset); line != wantLine || column != wantColumn {
					t.Fatalf("offset %d is at %d:%d, want %d:%d", offset, line, column, wantLine, wantColumn)
				}
				span, _ := src.Line(line)
				if offset > span.End {
					continue // between the characters of a line end
				}
				if backLine, backColumn := src.Position(src.offset(span, column)); backLine != line || backColumn != column {
					t.Fatalf("the offset of %d:%d is one of %d:%d", line, column, backLine, backColumn)
				}
			}
		})
	}
}
