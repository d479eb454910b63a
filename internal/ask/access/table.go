package access

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/rbac"
)

// Listing writes the table of `kubectl auth can-i --list`. If units have different lists, it writes one for each, with the
// names of the units above it.
func (p Printer) Listing(w io.Writer, l Listing) error {
	sections := l.sections()
	table := newTable(w)
	for i, s := range sections {
		if len(sections) > 1 && !p.NoHeaders {
			if i > 0 {
				fmt.Fprintln(table)
			}
			var names []string
			for _, view := range s.views {
				names = append(names, p.viewName(view))
			}
			fmt.Fprintf(table, "# %s\n", safetext.Text(strings.Join(names, ", ")))
		}
		if !p.NoHeaders {
			fmt.Fprintln(table, "Resources\tNon-Resource URLs\tResource Names\tVerbs")
		}
		for _, rule := range s.rules {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", safetext.Text(resourceOf(rule)), safetext.Text(fmt.Sprint(rule.NonResourceURLs)),
				safetext.Text(fmt.Sprint(rule.ResourceNames)), safetext.Text(fmt.Sprint(rule.Verbs)))
		}
	}
	return table.Flush()
}

// Remarks returns remarks about a list: the default grants in it, unknowns, and namespaces that it does not cover.
func (p Printer) Remarks(l Listing) []string {
	remarks := slices.Clone(l.Warnings)
	if defaults := strings.Join(l.DefaultBindings, ", "); defaults != "" {
		contents := "the default grants of " + l.Versions.AsOf() + ", by " + defaults
		text := "the list includes " + contents
		if !l.Reached {
			text = noBinding(l.Identity) + ": the list contains only " + contents
		}
		remarks = append(remarks, text)
	} else if !l.Reached && !l.Identity.Privileged() {
		remarks = append(remarks, noBinding(l.Identity))
	}
	for _, d := range l.Doubts {
		if !d.Added {
			remarks = append(remarks, "the list may be incomplete: "+p.Doubt(d))
		}
	}
	if line := addedText(l.Doubts); line != "" {
		remarks = append(remarks, "the list may be incomplete: "+line)
	}
	var namespaces []string
	for _, v := range l.Views {
		namespaces = append(namespaces, v.Namespaces...)
	}
	slices.Sort(namespaces)
	if namespaces = slices.Compact(namespaces); len(namespaces) > 0 {
		remarks = append(remarks, "more rules apply only in "+words.Count(len(namespaces), "namespace")+" (use -n): "+
			strings.Join(namespaces, ", "))
	}
	return remarks
}

// noBinding reports that a list has nothing from the repository.
func noBinding(who rbac.Identity) string {
	return "no binding in the repository applies to " + identityText(who)
}

// Holders writes a table of the subjects that can do something.
func (p Printer) Holders(w io.Writer, h Holders) error {
	var b strings.Builder
	if h.Any() {
		p.holders(&b, h)
	} else {
		b.WriteString(h.coverage().Assure("no subjects") + "\n")
	}
	p.possible(&b, h)
	p.named(&b, h)
	p.doubts(&b, h.Doubts, "unknown, and could change the answer:")
	_, err := io.WriteString(w, b.String())
	return err
}

// NoSubjects is the line of an answer without subjects.
func NoSubjects(doubts []Doubt) string { return coverageOf(doubts).Assure("no subjects") + "\n" }

// possible lists the holders of which it is unknown whether one cluster gets the role and the binding. What is the same in many units is one row.
func (p Printer) possible(b *strings.Builder, h Holders) {
	var rows [][]string
	units := map[string][]string{}
	for _, v := range h.Views {
		for _, g := range v.Possible {
			row := p.holder(g)
			key := strings.Join(row[:len(row)-1], "\x00") // without the file
			if units[key] == nil {
				rows = append(rows, row)
			}
			units[key] = append(units[key], p.viewName(v.View.Having(g.Binding.Object)))
		}
	}
	if len(rows) == 0 {
		return
	}
	b.WriteString("possible, if one cluster gets the binding and the role, which is unknown:\n")
	table := newTable(b)
	if !p.NoHeaders {
		writeRow(table, []string{"SUBJECT", "NAMESPACE", "ROLE", "BINDING", "FILE", "UNIT"})
	}
	for _, row := range rows {
		in := units[strings.Join(row[:len(row)-1], "\x00")]
		writeRow(table, append(row, words.First(1, slices.Compact(in))))
	}
	table.Flush() // into memory
}

// named lists the holders that can do it only for objects with some names. What is the same in many units is one row.
func (p Printer) named(b *strings.Builder, h Holders) {
	var rows [][]string
	for _, v := range h.Views {
		for _, g := range v.Named {
			cells := p.holder(g.Grant)
			row := slices.Concat(cells[:2], []string{strings.Join(g.Names, ", ")}, cells[2:])
			if !slices.ContainsFunc(rows, func(other []string) bool { return slices.Equal(row, other) }) {
				rows = append(rows, row)
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	b.WriteString("only for objects with these names:\n")
	table := newTable(b)
	if !p.NoHeaders {
		writeRow(table, []string{"SUBJECT", "NAMESPACE", "NAMES", "ROLE", "BINDING", "FILE"})
	}
	for _, row := range rows {
		writeRow(table, row)
	}
	table.Flush() // into memory
}

func writeRow(table io.Writer, cells []string) {
	for i, cell := range cells {
		cells[i] = safetext.Text(cell)
	}
	fmt.Fprintln(table, strings.Join(cells, "\t"))
}

// holder returns the cells of a row: who can do it where, and by which role and binding of which file.
func (p Printer) holder(g Grant) []string {
	scope := g.Binding.Scope
	if scope == "" {
		scope = rbac.AnyNamespace
	}
	role := RoleName(g.Binding.Role)
	if g.Giver.Object != nil {
		role += ", through " + RoleName(g.Giver.Role) + " (" + p.place(g.RulePosition) + ")"
	}
	return []string{SubjectName(g.Binding.Subject), scope, role, BindingName(g.Binding), p.bindingPlace(g)}
}

// holders lists who can do it. What is the same in several units, or on several clusters, is one row.
func (p Printer) holders(b *strings.Builder, h Holders) {
	var rows [][]string
	units := map[string][]string{}
	add := func(unit string, g Grant) {
		row := p.holder(g)
		key := strings.Join(row, "\x00")
		if units[key] == nil {
			rows = append(rows, row)
		}
		units[key] = words.AddOnce(units[key], unit)
	}
	for _, v := range h.Views {
		for _, g := range v.Holders {
			add(p.viewName(v.View.Having(g.Binding.Object)), g)
		}
	}
	for _, g := range h.Default {
		add("every cluster", g)
	}
	table := newTable(b)
	write := func(cells []string, unit string) {
		if len(h.Views) > 1 {
			cells = append(cells, unit)
		}
		writeRow(table, cells)
	}
	if !p.NoHeaders {
		write([]string{"SUBJECT", "NAMESPACE", "ROLE", "BINDING", "FILE"}, "UNIT")
	}
	for _, row := range rows {
		write(row, words.First(mostUnits, units[strings.Join(row, "\x00")]))
	}
	table.Flush() // into memory
}

// mostUnits limits the units of a row.
const mostUnits = 3

// newTable returns the table writer of kubectl's printers.
func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 6, 4, 3, ' ', 0) }
