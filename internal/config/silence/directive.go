package silence

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
)

// Directive is a comment that silences findings: `# salint:ignore RULE[,RULE] [until=YYYY-MM-DD] reason`, or the same with
// ignore-file.
type Directive struct {
	// Rules are names or patterns of rules.
	Rules []string
	// WholeFile is true for ignore-file.
	WholeFile bool
	// Line is the line of the comment. Target is the line that it applies to: the same line, or for a comment alone on its
	// line, the first line below that is not a comment; 0 if there is none.
	Line, Target int
	// Until is the last day on which it applies; zero means that it does not expire.
	Until time.Time
	// Reason is the reason that the author gives.
	Reason string
	// Problem is why the comment cannot be parsed. A comment with a problem silences nothing.
	Problem string
	// Range is the position of the comment.
	Range finding.Range
}

var marker = []byte("salint:")

// word is what both the marker and its misspellings contain.
var word = []byte("alint")

// maxDirectives is how many comments of one file are read. Hand-written files have fewer.
const maxDirectives = 10_000

// Parse returns the directives of a file, at most one per line. Text inside a string is not a comment. In a document that
// cannot be parsed, such as a template, strings are not recognized. JSON has no comments.
func Parse(file *manifest.File) []Directive {
	var out []Directive
	var below block
	data := file.Data
	for at := 0; len(out) < maxDirectives; {
		i := bytes.Index(data[at:], word)
		if i < 0 {
			break
		}
		at += i + len(word)
		start := at - len(word) - 1
		if start < 0 || data[start]|0x20 != 's' {
			continue
		}
		c, ok := commentAround(data, start)
		if !ok || !isDirective(c.text) && !isMisspelled(c.text) || insideScalar(file, c.start) {
			continue
		}
		d := parseText(c.text)
		d.place(file, c)
		if c.alone {
			d.Target = below.target(data, c.end, d.Line)
		}
		out = append(out, d)
		next := bytes.IndexByte(data[c.end:], '\n')
		if next < 0 {
			break
		}
		at = c.end + next
	}
	return out
}

// place sets the position of the directive. Until more is known, it applies to its own line.
func (d *Directive) place(file *manifest.File, c comment) {
	d.Range = finding.Range{Start: c.start, End: c.end}
	d.Range.Line, d.Range.Column = file.Position(c.start)
	d.Range.EndLine, d.Range.EndColumn = file.Position(c.end)
	d.Line, d.Target = d.Range.Line, d.Range.Line
}

// insideScalar returns whether an offset lies inside a string of a document. A comment inside a patch that is embedded as
// text in a kustomization or an application counts as a comment, because its author writes it as one.
func insideScalar(file *manifest.File, offset int) bool {
	i := sort.Search(len(file.Docs), func(i int) bool { return offset < file.Docs[i].Span.End })
	if i == len(file.Docs) || offset < file.Docs[i].Span.Start {
		return false
	}
	doc := file.Docs[i]
	if doc.Parse() != nil || !doc.Exact {
		return false
	}
	scalar, path := scalarAt(doc.Root, offset)
	return scalar != nil && !(isPatch(path) && commentOfPatch(file, scalar, offset))
}

// scalarAt returns the scalar that contains the offset, and its path, or nil if there is none. Children are in the order of
// the file.
func scalarAt(n *manifest.Node, offset int) (scalar *manifest.Node, path manifest.Path) {
	for n != nil && n.Span().Start <= offset && offset < n.Span().End {
		var child *manifest.Node
		if i := sort.Search(len(n.Fields()), func(i int) bool { return offset < n.Fields()[i].Value.Span().End }); i < len(n.Fields()) {
			child = n.Fields()[i].Value
			if offset < n.Fields()[i].Key.Span().End {
				child = n.Fields()[i].Key
			}
			path = path.Join(n.Fields()[i].Key.String())
		}
		if i := sort.Search(len(n.Items()), func(i int) bool { return offset < n.Items()[i].Span().End }); i < len(n.Items()) {
			child = n.Items()[i]
			path = path.Join(strconv.Itoa(i))
		}
		if child == nil {
			if n.IsScalar() {
				return n, path
			}
			return nil, nil
		}
		n = child
	}
	return nil, nil
}

// parseText reads the text of a comment, which begins with the marker.
func parseText(text string) (d Directive) {
	if !isDirective(text) {
		d.misspelled(text)
		return d
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(text, string(marker)), " ")
	switch name {
	case "ignore":
	case "ignore-file":
		d.WholeFile = true
	default:
		d.unknownName(name)
		return d
	}
	var words []string
	d.Rules, words = splitRules(strings.Fields(rest))
	if len(d.Rules) == 0 {
		d.noRule(name)
		return d
	}
	d.readReason(words)
	return d
}

// splitRules takes the rules from the front of the words: names with a slash, separated by commas.
func splitRules(words []string) (rules, rest []string) {
	for i, w := range words {
		for name := range strings.SplitSeq(strings.Trim(w, ","), ",") {
			if !strings.Contains(name, "/") && strings.Trim(name, "*") != "" || name == "" {
				return nil, words
			}
			rules = append(rules, name)
		}
		if !strings.HasSuffix(w, ",") {
			return rules, words[i+1:]
		}
	}
	return rules, nil
}

func (d *Directive) readReason(words []string) {
	var reason []string
	for _, w := range words {
		date, isUntil := strings.CutPrefix(w, "until=")
		if !isUntil {
			reason = append(reason, w)
			continue
		}
		until, err := time.Parse(time.DateOnly, date)
		if err != nil {
			d.invalidDate(date)
			return
		}
		d.Until = until
	}
	d.Reason = strings.Trim(strings.Join(reason, " "), " -:")
	if misspelledUntil().MatchString(d.Reason) { // it would be silent without end
		d.Problem = "its date is misspelled: write a date such as until=2027-01-31, as one word"
	}
}

// misspelledUntil matches a date that is meant for until=.
var misspelledUntil = lazyregexp.New(`(?i)\b(?:untill?|util|untl)\s*(?:[=:]\s*\d|\s\d{4}-\d\d-\d\d)`)

// expired returns whether the last day is over. Days are in UTC, so that the result does not depend on the time zone.
func (d *Directive) expired(now time.Time) bool {
	return !d.Until.IsZero() && !now.UTC().Before(d.Until.AddDate(0, 0, 1))
}
