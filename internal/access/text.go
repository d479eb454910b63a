package access

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/printable"
	"github.com/salint/salint/internal/rbac"
)

// Printer writes answers.
type Printer struct {
	// Rel calls a file of the repository as the user would.
	Rel func(file string) string
	// NoHeaders leaves the head off tables.
	NoHeaders bool
}

// maxLines is how much of what did not help a text lists. JSON has all of it.
const maxLines = 10

// Verdict writes yes or no on the first line, as kubectl does, and below it why.
func (p Printer) Verdict(w io.Writer, v Verdict) error {
	var b strings.Builder
	switch {
	case v.Allowed:
		b.WriteString("yes\n")
	case len(v.Doubts) > 0:
		b.WriteString("no, as far as known\n")
	default:
		b.WriteString("no\n")
	}
	for _, view := range v.Views {
		p.view(&b, v, view)
	}
	if !v.Allowed && len(v.Views) == 0 {
		b.WriteString("  there is no binding there\n")
	}
	p.doubts(&b, v.Doubts, "not known, and could change the answer:")
	_, err := io.WriteString(w, b.String())
	return err
}

// view says what one view answers, when that says something about the answer.
func (p Printer) view(b *strings.Builder, v Verdict, view ViewVerdict) {
	where := ""
	if len(v.Views) > 1 {
		where = printable.Text(p.viewName(view.View)) + ": "
	}
	switch {
	case view.Allowed:
		fmt.Fprintf(b, "  %s%s\n", where, p.grant(view.Grant))
		fmt.Fprintf(b, "    by %s\n", p.rule(view.Grant))
	case v.Allowed && !view.Knows:
	case len(view.Reaching) == 0 && view.Elsewhere == nil:
		if !v.Allowed {
			fmt.Fprintf(b, "  %sno binding reaches %s\n", where, whoText(v))
		} else {
			fmt.Fprintf(b, "  %sno\n", where)
		}
	default:
		p.refusal(b, where, view)
	}
}

// refusal lists what was looked at in vain.
func (p Printer) refusal(b *strings.Builder, where string, view ViewVerdict) {
	if where != "" {
		fmt.Fprintf(b, "  %sno\n", where)
	}
	for i, binding := range view.Reaching {
		if i == maxLines {
			fmt.Fprintf(b, "  %s\n", count(len(view.Reaching)-i, "more binding does not", "more bindings do not"))
			break
		}
		fmt.Fprintf(b, "  %s, which does not allow it\n", p.grant(Grant{Binding: binding}))
	}
	if view.Elsewhere != nil {
		fmt.Fprintf(b, "  -n %s: yes, %s\n", printable.Text(view.Elsewhere.Binding.Scope), p.grant(*view.Elsewhere))
	}
}

// grant says which binding grants what to whom.
func (p Printer) grant(g Grant) string {
	text := fmt.Sprintf("%s (%s) grants %s %s", BindingName(g.Binding), p.place(g.Binding.Object.Position(nil)),
		RoleName(g.Binding.Role), scopeText(g.Binding.Scope))
	if g.Binding.Via != "" {
		text += " to Group " + g.Binding.Via
	} else {
		text += " to " + SubjectName(g.Binding.Subject)
	}
	return printable.Text(text)
}

func (p Printer) rule(g Grant) string {
	text := ruleText(g.Rule)
	switch {
	case g.RulePosition.Line > 0:
		text += " (" + p.place(g.RulePosition) + ")"
	case g.Binding.RoleObject == nil:
		text += " (of every cluster, as in Kubernetes " + rbac.KubernetesVersion + ")"
	}
	return printable.Text(text)
}

func (p Printer) place(at inventory.Position) string {
	return fmt.Sprintf("%s:%d", p.Rel(at.File), at.Line)
}

// viewName is View.Name with its files as the user calls them.
func (p Printer) viewName(v View) string {
	if v.Unit.Kind == inventory.KustomizationUnit {
		return p.Rel(v.Unit.Root)
	}
	return v.Name()
}

func whoText(v Verdict) string {
	if v.Identity.User == "" {
		return printable.Text("the groups " + strings.Join(v.Identity.Groups, ", "))
	}
	return printable.Text(v.Identity.User)
}

func (p Printer) doubts(b *strings.Builder, doubts []Doubt, title string) {
	if len(doubts) == 0 {
		return
	}
	b.WriteString(title + "\n")
	for i, d := range doubts {
		if i == maxLines && len(doubts) > maxLines+1 {
			fmt.Fprintf(b, "  and %d more; --format json lists them\n", len(doubts)-i)
			return
		}
		b.WriteString("  " + p.Doubt(d) + "\n")
	}
}

// Doubt writes one doubt on a line.
func (p Printer) Doubt(d Doubt) string {
	if d.Position.File == "" {
		return printable.Text(d.Message)
	}
	return printable.Text(fmt.Sprintf("%s:%d:%d: %s", p.Rel(d.Position.File), d.Position.Line, d.Position.Column, d.Message))
}

// Listing writes the table of `kubectl auth can-i --list`; several, each under the name of its units, where these differ.
func (p Printer) Listing(w io.Writer, l Listing) error {
	sections := l.sections()
	if len(sections) == 0 {
		sections = []section{{}}
	}
	table := newTable(w)
	for i, s := range sections {
		if len(sections) > 1 && !p.NoHeaders {
			if i > 0 {
				fmt.Fprintln(table)
			}
			fmt.Fprintf(table, "# %s\n", printable.Text(strings.Join(s.views, ", ")))
		}
		if !p.NoHeaders {
			fmt.Fprintln(table, "Resources\tNon-Resource URLs\tResource Names\tVerbs")
		}
		for _, rule := range s.rules {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", printable.Text(resourceOf(rule)), printable.Text(fmt.Sprint(rule.NonResourceURLs)),
				printable.Text(fmt.Sprint(rule.ResourceNames)), printable.Text(fmt.Sprint(rule.Verbs)))
		}
	}
	return table.Flush()
}

// Holders writes a table of those who may.
func (p Printer) Holders(w io.Writer, h Holders) error {
	var b strings.Builder
	if h.Any() {
		p.holders(&b, h)
	} else if len(h.Doubts) > 0 {
		b.WriteString("nobody, as far as known\n")
	} else {
		b.WriteString("nobody\n")
	}
	p.doubts(&b, h.Doubts, "not known, and could add to the answer:")
	_, err := io.WriteString(w, b.String())
	return err
}

func (p Printer) holders(b *strings.Builder, h Holders) {
	table := newTable(b)
	row := func(unit string, cells ...string) {
		if len(h.Views) > 1 {
			cells = append(cells, unit)
		}
		for i, cell := range cells {
			cells[i] = printable.Text(cell)
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	if !p.NoHeaders {
		row("UNIT", "SUBJECT", "NAMESPACE", "ROLE", "BINDING", "FILE")
	}
	for _, v := range h.Views {
		for _, g := range v.Holders {
			scope := g.Binding.Scope
			if scope == "" {
				scope = rbac.AnyNamespace
			}
			row(p.viewName(v.View), SubjectName(g.Binding.Subject), scope, RoleName(g.Binding.Role), BindingName(g.Binding),
				p.place(g.Binding.Object.Position(nil)))
		}
	}
	table.Flush() // into memory
}

// newTable is the table writer of kubectl's printers.
func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 6, 4, 3, ' ', 0) }
