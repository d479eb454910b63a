package plan

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
)

// notCheckedTitle is the heading of what was not checked.
const notCheckedTitle = "Not checked, so the plan may be incomplete"

// catalogsTitle is the heading of what OLM installs from catalogs.
const catalogsTitle = "What OLM installs from the catalogs"

// without returns what replaces a plan without extensions.
func without(p *Plan) string {
	return finding.Known(len(p.NotChecked) == 0).Assure("No ClusterExtension found, so there is nothing to plan") + "."
}

// tableWidth is the width of the table where there is no terminal. Commands are never broken, and sentences only on a terminal. minWidth is the
// minimum width.
const (
	tableWidth = 100
	minWidth   = 40
)

// Text writes a plan for a terminal with a number of columns, 0 if there is none.
func (p *Plan) Text(w io.Writer, columns int) error {
	t := &text{Writer: bufio.NewWriter(w), plan: p, columns: p.columns(), width: max(minWidth, cmp.Or(columns, tableWidth)), isTerminal: columns > 0}
	switch {
	case len(p.Extensions) == 0:
		t.line("", without(p))
	case !p.detailed:
		t.brief()
	default:
		groups := p.groups(t.columns)
		t.table(groups)
		for _, g := range groups {
			t.group(g)
		}
		t.cluster()
		for _, transition := range p.Transitions {
			t.transition(transition)
		}
		t.unchanged()
		t.corrections()
	}
	t.leftovers()
	t.remarks(catalogsTitle, t.plan.Catalogs)
	t.remarks(notCheckedTitle, t.plan.NotChecked)
	return t.Flush()
}

// text writes lines. Errors of the writer are kept until it is flushed.
type text struct {
	*bufio.Writer
	plan    *Plan
	columns []column
	width   int
	// isTerminal is set if sentences are broken at the width.
	isTerminal bool
}

func (t *text) line(indent, line string) { fmt.Fprintf(t, "%s%s\n", indent, safetext.Text(line)) }

// wrapped wraps a sentence; the first line begins with a mark, and the others are indented by its width.
func (t *text) wrapped(mark, sentence string) {
	if !t.isTerminal {
		t.line(mark, sentence)
		return
	}
	indent := strings.Repeat(" ", utf8.RuneCountInString(mark))
	for _, line := range wrap(safetext.Text(sentence), t.width-len(indent)) {
		fmt.Fprintf(t, "%s%s\n", mark, line)
		mark = indent
	}
}

// wrap breaks a text between words.
func wrap(text string, width int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if used > 0 && used+1+n > width {
			lines = append(lines, line.String())
			line.Reset()
			used = 0
		}
		if used > 0 {
			line.WriteByte(' ')
			used++
		}
		line.WriteString(word)
		used += n
	}
	return append(lines, line.String())
}

func (t *text) group(g group) {
	t.extension(g.Extension)
	for i, e := range g.alike {
		if i == 0 {
			t.wrapped("  ", alikeTitle+":")
		}
		t.wrapped("    ", e.Label+"  "+where(*e))
	}
}

func (t *text) extension(e Extension) {
	fmt.Fprintln(t)
	t.wrapped("", e.Label+"  "+where(e))
	for _, o := range t.plan.outcomes(e, t.columns) {
		t.wrapped(fmt.Sprintf("  %-7s", shown(o.Status)), "on "+strings.Join(o.targets, ", ")+": "+sentence(o.Reason, o.Rule))
		if o.Refused != "" {
			t.wrapped("         ", "not fixed: "+o.Refused)
		}
		if o.Shared != "" {
			t.wrapped("         ", o.Shared)
		}
		if hint := o.origin(); hint != "" {
			t.wrapped("         ", hint)
		}
		if o.Command != "" {
			t.wrapped("         ", o.moment()+":")
			t.line("         $ ", o.Command)
		}
	}
}

// origin returns a hint not to fix the finding if transitions only begin at the target.
func (o outcome) origin() string {
	if !o.Origin {
		return ""
	}
	return "Do not change this yet: the transition begins at " + strings.Join(o.targets, ", ") + ", and its steps list the changes."
}

// moment returns when to run the command of a cell.
func (c Cell) moment() string {
	if c.Target.Model == olm.Removed && c.Rule == ruleDeprecated {
		return "before the cluster changes, on a release where the field is optional"
	}
	return c.When + " the cluster changes"
}

// where returns the place of an extension, and its target today.
func where(e Extension) string {
	place := fmt.Sprintf("%s:%d", e.File, e.Line)
	if e.Unit != "" {
		place += ", in " + e.Unit
	}
	if e.Today != nil {
		place += "; today " + e.Today.Name
		if e.DetectedFrom != "" {
			place += " (" + e.DetectedFrom + ")"
		}
	}
	return place
}

// sentence appends the rule to a reason.
func sentence(reason, rule string) string {
	if rule == "" {
		return reason
	}
	return reason + " [" + rule + "]"
}

func (t *text) cluster() {
	for i, r := range t.plan.Cluster {
		if i == 0 {
			t.line("", "")
			t.line("", "The cluster:")
		}
		t.wrapped("  ", fmt.Sprintf("on %s: %s:%d: %s", r.Target, r.File, r.Line, sentence(r.Message, r.Rule)))
	}
}

func (t *text) transition(tr Transition) {
	fmt.Fprintln(t)
	t.wrapped("", title(tr)+":")
	for i, s := range tr.Steps {
		t.wrapped(fmt.Sprintf("  %d. ", i+1), s.Title+kindOf(s))
		t.wrapped("     ", s.Why)
		for _, e := range s.Effects {
			t.wrapped("     - ", e.String())
		}
		for _, command := range s.Commands {
			t.line("     $ ", command)
		}
		for _, note := range s.Notes {
			t.wrapped("     ! ", note)
		}
	}
}

func (t *text) corrections() {
	for i, c := range t.plan.Corrections() {
		if i == 0 {
			t.line("", "")
			t.wrapped("", correctionsTitle+":")
		}
		t.wrapped("  * ", "Proposal: "+c.Statement+" ("+c.Section+")")
		t.wrapped("    ", "Actual behavior: "+c.Fact)
		t.wrapped("    ", "Source: "+c.Source)
		t.wrapped("    ", "Applies to: "+strings.Join(c.Transitions, "; "))
	}
}

// correctionsTitle is the heading of the proposal corrections.
const correctionsTitle = "Corrections to the OpenShift proposals"

// title returns the name of a transition.
func title(t Transition) string {
	if t.From.Name == t.To.Name {
		return "On " + t.To.Name
	}
	name := fmt.Sprintf("%s → %s (%s)", t.From.Name, t.To.Name, t.Direction)
	if t.Via != "" {
		name = fmt.Sprintf("%s → %s → %s (%s)", t.From.Name, t.Via, t.To.Name, t.Direction)
	}
	return name
}

// kindOf returns a remark for steps that are a commit or that check the cluster.
func kindOf(s Step) string {
	switch {
	case s.Commit:
		return " (separate commit)"
	case s.Do == "check":
		return " (on the cluster)"
	}
	return ""
}

func (t *text) unchanged() {
	for _, names := range t.plan.Unchanged {
		fmt.Fprintln(t)
		t.wrapped("", "From "+names[0]+" to "+names[len(names)-1]+" and back, nothing changes for spec.serviceAccount.")
	}
}

// leftovers prints the accounts that no extension uses any longer, and the commands that remove them.
func (t *text) leftovers() {
	for i, line := range t.plan.LeftoverLines() {
		if i == 0 {
			fmt.Fprintln(t)
			t.line("", leftoversTitle+":")
		}
		t.wrapped("  ", line)
	}
	for _, command := range t.plan.LeftoverCommands() {
		t.line("  $ ", command)
	}
}

// remarks prints places with their messages.
func (t *text) remarks(title string, list []Remark) {
	for i, r := range list {
		if i == 0 {
			fmt.Fprintln(t)
			t.line("", title+":")
		}
		t.wrapped("  ", fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Message))
	}
}
