package report

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
)

// shownRelated is how many related places a finding lists unless --verbose asks for all.
const shownRelated = 4

// text prints a result for people: a header that editors and terminals can jump to, the line of source, what explains
// the finding, and what mends it.
type text struct {
	painter
	w       *bufio.Writer
	o       Options
	paths   paths
	sources *sources
	titles  map[string]string // of the rules, for --verbose
}

func writeText(w *bufio.Writer, r *finding.Result, o Options) error {
	t := &text{painter: painter(o.Color), w: w, o: o, paths: pathsOf(r), sources: sourcesOf(r), titles: map[string]string{}}
	for _, rule := range r.Rules {
		t.titles[rule.Name] = rule.Title
	}
	t.findings(r.Findings)
	if !o.Quiet {
		t.fixed(r.Findings)
		t.permissions(r.Permissions)
		t.summary(r)
	}
	return nil
}

func (t *text) findings(findings []finding.Finding) {
	first := true
	for _, f := range findings {
		if isFixed(f) {
			continue
		}
		if !first {
			fmt.Fprintln(t.w)
		}
		first = false
		t.finding(f)
	}
	if !first && !t.o.Quiet {
		fmt.Fprintln(t.w)
	}
}

func (t *text) finding(f finding.Finding) {
	t.header(f, t.paint(severityStyle(f.Severity), f.Severity.String()), f.Message)
	indent := t.frame(f)
	for _, note := range t.notes(f) {
		fmt.Fprintf(t.w, "%s%s %s\n", indent, t.paint(blue, "="), note)
	}
}

// header prints the first line of a finding: file, line, column, and what there is.
func (t *text) header(f finding.Finding, label, message string) {
	if place := t.place(f.File, f.Range.Line, f.Range.Column); place != "" {
		fmt.Fprintf(t.w, "%s: ", t.paint(bold, place))
	}
	fmt.Fprintf(t.w, "%s: %s", label, safetext.Text(message))
	if f.Rule != "" {
		fmt.Fprintf(t.w, " %s", t.paint(faint, "["+safetext.Text(f.Rule)+"]"))
	}
	fmt.Fprintln(t.w)
}

// place writes file:line:column as far as they are known.
func (t *text) place(file string, line, column int) string {
	place := safetext.Text(t.paths.rel(file))
	// A line that starts with two colons is a command to the runner of a GitHub workflow.
	if strings.HasPrefix(place, "::") {
		place = "./" + place
	}
	if place == "" || line < 1 {
		return place
	}
	place += ":" + strconv.Itoa(line)
	if column > 0 {
		place += ":" + strconv.Itoa(column)
	}
	return place
}

// frame prints the source under the header, and gives the indentation of what follows.
func (t *text) frame(f finding.Finding) string {
	src := t.sources.get(f.File)
	if src == nil || f.Range.Line < 1 {
		return "  "
	}
	number := " " + strconv.Itoa(f.Range.Line)
	width := t.o.Width
	if width <= 0 {
		width = defaultWidth
	}
	fr, ok := frameOf(src, f.Range, max(width-len(number)-len(" | "), minWidth))
	if !ok {
		return "  "
	}
	indent := strings.Repeat(" ", len(number)+1)
	fmt.Fprintf(t.w, "%s %s\n", t.paint(blue, number+" |"), fr.text)
	fmt.Fprintf(t.w, "%s %s\n", t.paint(blue, indent+"|"), t.paint(severityStyle(f.Severity), fr.marks))
	return indent
}

// notes are the lines below the source.
func (t *text) notes(f finding.Finding) []string {
	var notes []string
	if t.o.Verbose {
		notes = t.background(f)
	}
	notes = append(notes, t.origin(f)...)
	notes = append(notes, t.related(f)...)
	if f.Fix != nil {
		hint := fmt.Sprintf("%s %s", safetext.Text(f.Fix.Description), t.paint(faint, "("+fixHint(f.Fix.Kind)+")"))
		notes = append(notes, t.paint(green, "fix:")+" "+hint)
	}
	return notes
}

func (t *text) related(f finding.Finding) []string {
	shown := f.Related
	if len(shown) > shownRelated && !t.o.Verbose {
		shown = shown[:shownRelated-1]
	}
	var notes []string
	for _, r := range shown {
		note := "see " + t.place(r.File, r.Line, 0)
		switch {
		case r.Message == "":
		case r.File == f.File && r.Line == f.Range.Line: // which is shown right above
			note = safetext.Text(r.Message)
		default:
			note += ": " + safetext.Text(r.Message)
		}
		notes = append(notes, note)
	}
	if more := len(f.Related) - len(shown); more > 0 {
		notes = append(notes, fmt.Sprintf("and %s (--verbose lists them)", count(more, "more place")))
	}
	return notes
}

// origin says where the object is applied otherwise than it stands in its file.
func (t *text) origin(f finding.Finding) []string {
	o := f.Origin
	chart := "the chart " + safetext.Text(t.paths.rel(o.Chart))
	var notes []string
	switch unit := "the " + safetext.Text(o.Unit); {
	case o.Chart != "" && o.Unit == "":
		notes = append(notes, "as rendered by "+chart)
	case o.Chart != "" && strings.HasPrefix(o.Unit, "chart "):
		notes = append(notes, "as rendered by "+unit)
	case o.Chart != "":
		notes = append(notes, "as "+unit+" renders "+chart)
	case o.Unit != "":
		notes = append(notes, "applied by "+unit)
	case o.Kustomization != "":
		notes = append(notes, "applied by the kustomization "+safetext.Text(t.paths.rel(o.Kustomization)))
	}
	if o.Template != "" && o.Template != f.File {
		notes = append(notes, "from the template "+safetext.Text(t.paths.rel(o.Template)))
	}
	return notes
}

// background is what --verbose tells about a finding.
func (t *text) background(f finding.Finding) []string {
	var notes []string
	if title := t.titles[f.Rule]; title != "" {
		notes = append(notes, "rule: "+safetext.Text(title))
	}
	if f.Resource.Kind != "" {
		name := f.Resource.Name
		if f.Resource.Namespace != "" {
			name = f.Resource.Namespace + "/" + name
		}
		notes = append(notes, safetext.Text(fmt.Sprintf("object: %s %s", f.Resource.Kind, name)))
	}
	if f.Path != "" {
		notes = append(notes, "field: "+safetext.Text(f.Path))
	}
	if f.Target != "" {
		notes = append(notes, "judged for "+safetext.Text(f.Target))
	}
	return append(notes, "fingerprint: "+f.Fingerprint())
}

// fixed lists what was mended, a line each: the source that a frame would show is gone.
func (t *text) fixed(findings []finding.Finding) {
	none := true
	told := map[string]bool{} // one edit may settle the findings of several units
	for _, f := range findings {
		if !isFixed(f) {
			continue
		}
		if key := fmt.Sprintf("%s:%d:%d %s %s", f.File, f.Range.Line, f.Range.Column, f.Rule, f.Fix.Description); !told[key] {
			told[key] = true
			t.header(f, t.paint(green, "fixed"), f.Fix.Description)
			none = false
		}
	}
	if !none {
		fmt.Fprintln(t.w)
	}
}

func isFixed(f finding.Finding) bool { return f.Fix != nil && f.Fix.Applied }
