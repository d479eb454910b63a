package access

import (
	"fmt"
	"io"
	"slices"
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
		if view.Allowed {
			fmt.Fprintf(&b, "  %s%s\n    by %s\n", p.where(v, view), p.grant(view.Grant), p.rule(view.Grant))
		}
	}
	p.refusals(&b, v)
	p.doubts(&b, v.Doubts, "not known, and could change the answer:")
	_, err := io.WriteString(w, b.String())
	return err
}

// where names a view, if there are several.
func (p Printer) where(v Verdict, view ViewVerdict) string {
	if len(v.Views) < 2 {
		return ""
	}
	return printable.Text(p.viewName(view.View)) + ": "
}

// refusals are the views that do not allow it. Beside a yes those are of interest that know the identity.
func (p Printer) refusals(b *strings.Builder, v Verdict) {
	strangers := 0
	for _, view := range v.Views {
		switch {
		case view.Allowed:
		case !view.Knows && len(view.Reaching) == 0:
			strangers++
		case v.Allowed:
			fmt.Fprintf(b, "  %sno\n", p.where(v, view))
			p.elsewhere(b, p.where(v, view), view)
		default:
			p.refusal(b, p.where(v, view), view)
		}
	}
	if !v.Allowed && strangers == len(v.Views) {
		fmt.Fprintf(b, "  no binding reaches %s\n", whoText(v))
	}
}

// refusal lists what was looked at in vain.
func (p Printer) refusal(b *strings.Builder, where string, view ViewVerdict) {
	for i, binding := range view.Reaching {
		if i == maxLines && len(view.Reaching) > maxLines+1 {
			fmt.Fprintf(b, "  %s%s\n", where, count(len(view.Reaching)-i, "more binding does not", "more bindings do not"))
			break
		}
		fmt.Fprintf(b, "  %s%s, which does not allow it\n", where, p.grant(Grant{Binding: binding}))
	}
	p.elsewhere(b, where, view)
}

// elsewhere says in which namespace it is allowed that was not asked about.
func (p Printer) elsewhere(b *strings.Builder, where string, view ViewVerdict) {
	if view.Elsewhere != nil {
		fmt.Fprintf(b, "  %syes with -n %s: %s\n", where, printable.Text(view.Elsewhere.Binding.Scope), p.grant(*view.Elsewhere))
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

// Remarks are what should be known besides a list: what is not known, and which namespaces were not asked about.
func (p Printer) Remarks(l Listing) []string {
	remarks := slices.Clone(l.Warnings)
	for _, d := range l.Doubts {
		remarks = append(remarks, "the list may be incomplete: "+p.Doubt(d))
	}
	var namespaces []string
	for _, v := range l.Views {
		namespaces = append(namespaces, v.Namespaces...)
	}
	slices.Sort(namespaces)
	if namespaces = slices.Compact(namespaces); len(namespaces) > 0 && l.Namespace == "" {
		remarks = append(remarks, "further rules count in "+count(len(namespaces), "namespace", "namespaces")+" only, see -n: "+
			strings.Join(namespaces, ", "))
	}
	return remarks
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
