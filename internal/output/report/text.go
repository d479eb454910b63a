package report

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/output/fixtext"
	"github.com/salint/salint/internal/output/report/source"
)

// shownRelated is how many related places a finding lists without --verbose.
const shownRelated = 4

const (
	// defaultWidth is the width for files and pipes.
	defaultWidth = 120
	// minWidth is the minimum width of a frame, however narrow the terminal is.
	minWidth = 40
)

// text writes a result for people. A finding is a header that editors and terminals can link, the line of source, notes
// that explain it, and its fix.
type text struct {
	painter
	w       *bufio.Writer
	o       Options
	paths   paths
	sources *source.Files
	titles  map[string]string // of the rules, for --verbose
}

func writeText(w *bufio.Writer, r *finding.Result, o Options) error {
	t := &text{painter: painter(o.Color), w: w, o: o, paths: pathsOf(r), sources: source.FilesOf(r), titles: map[string]string{}}
	for _, rule := range r.Rules {
		t.titles[rule.Name] = rule.Title
	}
	listed, folded := gathered(r.Findings, o), []finding.Finding(nil)
	isLeft := r.Summary.Fixed > 0 && !o.Quiet && !o.Statistics
	if o.FoldNotes && !o.Statistics {
		listed, folded = foldNotes(listed)
		listed, folded = t.foldUnfixed(listed, folded, isLeft)
	}
	if isLeft {
		t.changed(r)
	}
	shown := *r
	shown.Findings = listed
	t.open(&shown, isLeft)
	t.folded(folded)
	t.suppressed(r.Suppressed)
	if !o.Quiet {
		if !isLeft {
			t.changed(r)
		}
		t.summary(r)
		if len(r.Changes) > 0 && r.Permissions != nil && r.Permissions.Made {
			fmt.Fprintln(t.w, t.paint(bold, safetext.Text(verdictOf(r))+"."))
		}
	}
	return nil
}

// changed prints what the run fixed, and what that does.
func (t *text) changed(r *finding.Result) {
	t.fixed(r.Findings)
	t.permissions(r.Permissions)
	if lines := changeLines(r, t.paths); len(lines) > 0 {
		fmt.Fprintf(t.w, "%s\n\n", strings.Join(lines, "\n"))
	}
}

// open prints the findings that are not fixed. After fixes, those that are left are one line for each cause.
func (t *text) open(r *finding.Result, isLeft bool) {
	switch {
	case t.o.Statistics:
		t.statistics(r)
	case t.o.Group == ByRule:
		t.byRule(r)
	case t.o.Group == ByFile:
		t.byFile(r.Findings)
	default:
		listed, short := t.split(r.Findings, isLeft)
		t.findings(listed, isLeft)
		t.lines(short)
	}
}

// gathered joins the notes of one cause, unless all places are asked for.
func gathered(findings []finding.Finding, o Options) []finding.Finding {
	if o.Verbose {
		return finding.Gathered(findings)
	}
	return finding.Brief(findings)
}

// joinedNotes separates the notes that stand for several, with the others about what was not checked if there are any.
func joinedNotes(findings []finding.Finding) (others, joined []finding.Finding) {
	isJoined := func(f finding.Finding) bool { return f.Places > 0 }
	if !slices.ContainsFunc(findings, isJoined) {
		return findings, nil
	}
	for _, f := range findings {
		if isJoined(f) || f.Rule == finding.RuleNotChecked.Name && f.Severity == finding.Note {
			joined = append(joined, f)
		} else {
			others = append(others, f)
		}
	}
	return others, joined
}

// header prints the first line of a finding: file, line, column, and message.
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

// place returns file:line:column as far as they are known.
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

// frame prints the source under the header, and returns the indentation of what follows.
func (t *text) frame(f finding.Finding) string {
	src := t.sources.Get(f.File)
	if src == nil || f.Range.Line < 1 || f.HidesSource() {
		return "  "
	}
	number := " " + strconv.Itoa(f.Range.Line)
	width := t.o.Width
	if width <= 0 {
		width = defaultWidth
	}
	fr, ok := src.Frame(f.Range, max(width-len(number)-len(" | "), minWidth))
	if !ok {
		return "  "
	}
	indent := strings.Repeat(" ", len(number)+1)
	fmt.Fprintf(t.w, "%s %s\n", t.paint(blue, number+" |"), fr.Text)
	fmt.Fprintf(t.w, "%s %s\n", t.paint(blue, indent+"|"), t.paint(severityStyle(f.Severity), fr.Marks))
	return indent
}

// notes returns the lines below the source.
func (t *text) notes(f finding.Finding) []string {
	var notes []string
	if t.o.Verbose {
		notes = t.background(f)
	}
	notes = append(notes, t.origin(f)...)
	notes = append(notes, t.related(f)...)
	if f.Fix != nil {
		notes = append(notes, t.paint(green, t.offerLabel(f))+" "+safetext.Text(fixtext.Offered(f.Fix))+" "+t.paint(faint, "("+fixHint(f.Fix.Kind)+")"))
	}
	return notes
}

// offerLabel precedes the description of a fix that is offered. In a preview, it names the files as fixedLabel does.
func (t *text) offerLabel(f finding.Finding) string {
	if files := fixtext.OtherFiles(f.Fix, f.File, t.paths.rel); files != "" {
		return "fix in " + safetext.Text(files) + ":"
	}
	return fixLabel
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
		case r.File == f.File && r.Line == f.Range.Line: // the place of the finding itself
			note = safetext.Text(r.Message)
		default:
			note += ": " + safetext.Text(r.Message)
		}
		notes = append(notes, note)
	}
	if more := len(f.Related) - len(shown); more > 0 {
		notes = append(notes, fmt.Sprintf("and %s (--verbose lists all)", words.Count(more, "more place")))
	}
	return notes
}

// origin returns where the object is applied in a form that differs from its file.
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
		note := "applied by the kustomization " + safetext.Text(t.paths.rel(o.Kustomization))
		if o.More > 0 {
			note += fmt.Sprintf(" and %d more", o.More)
		}
		notes = append(notes, note)
	}
	if o.Template != "" && o.Template != f.File {
		notes = append(notes, "from the template "+safetext.Text(t.paths.rel(o.Template)))
	}
	return notes
}

// background returns the notes that --verbose adds to a finding.
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
	if f.Target != "" && f.Target != olm.AutoTarget {
		notes = append(notes, "target: "+safetext.Text(f.Target))
	}
	return append(notes, "fingerprint: "+f.Fingerprint())
}
