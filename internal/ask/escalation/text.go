package escalation

import (
	"fmt"
	"io"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Printer writes answers.
type Printer struct {
	access.Printer
}

// Text writes one entry for each identity, with the steps of its chain, and what allows each.
func (p Printer) Text(w io.Writer, a Answer) error {
	var b strings.Builder
	switch {
	case a.Any():
		p.chains(&b, a)
	case len(a.Doubts) > 0:
		b.WriteString("no subjects, as far as known\n")
	default:
		b.WriteString("no subjects\n")
	}
	b.WriteString("assumptions:\n")
	for _, text := range Assumptions() {
		fmt.Fprintf(&b, "  %s\n", text)
	}
	b.WriteString(p.Doubts(a.Doubts, "unknown, and could add to the answer:"))
	_, err := io.WriteString(w, b.String())
	return err
}

func (p Printer) chains(b *strings.Builder, a Answer) {
	for _, u := range a.Units {
		unit := ""
		if len(a.Units) > 1 {
			unit = " (" + p.ViewName(u.View) + ")"
		}
		for _, chain := range u.Chains {
			fmt.Fprintf(b, "%s\n", safetext.Text(fmt.Sprintf("%s can become %s in %s%s", access.SubjectName(chain.Subject), a.Goal, count(len(chain.Links)), unit)))
			for i, link := range chain.Links {
				p.link(b, i+1, link)
			}
		}
	}
}

func count(steps int) string {
	if steps == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", steps)
}

func (p Printer) link(b *strings.Builder, number int, link Link) {
	text := link.Sentence()
	switch {
	case link.Runner != nil:
		text += ", such as that of " + p.runner(link.Runner)
	case link.InPod:
		text += ", if there is one"
	}
	fmt.Fprintf(b, "  %d. %s\n", number, safetext.Text(text))
	if link.Known != "" {
		fmt.Fprintf(b, "     %s\n", safetext.Text(link.Known))
	}
	binding := ""
	for _, g := range link.Grants {
		if text := p.giver(g); text != binding {
			fmt.Fprintf(b, "     %s\n", text)
			binding = text
		}
		if len(g.Rule.Verbs) > 0 {
			fmt.Fprintf(b, "       by %s\n", p.RuleText(g))
		}
	}
}

// giver returns the binding of a grant, or the role that the step before gives.
func (p Printer) giver(g access.Grant) string {
	if g.Binding.Object == nil {
		return safetext.Text(access.RoleName(g.Binding.Role) + " allows it")
	}
	return p.GrantText(g)
}

// Sentence returns what the holder does, with the identity that it becomes.
func (l Link) Sentence() string {
	if l.As && l.To != (rbac.Subject{}) {
		return l.Text + " " + access.SubjectName(l.To)
	}
	return l.Text
}

func (p Printer) runner(o *objects.Object) string {
	at := o.Position(nil)
	return fmt.Sprintf("%s %s (%s:%d)", o.Kind, o.Name, p.Rel(at.File), at.Line)
}
