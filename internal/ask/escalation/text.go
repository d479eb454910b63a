package escalation

import (
	"fmt"
	"io"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/output/report"
)

// Printer writes answers.
type Printer struct {
	access.Printer
}

// Text writes one entry for each identity, with the steps of its chain, and what allows each.
func (p Printer) Text(w io.Writer, a Answer) error {
	var b strings.Builder
	if a.Any() {
		writeChains(&b, p.Chains(a).Entries)
	} else {
		b.WriteString(access.NoSubjects(a.Doubts))
	}
	b.WriteString("assumptions:\n")
	for _, text := range Assumptions() {
		fmt.Fprintf(&b, "  %s\n", text)
	}
	b.WriteString(p.Doubts(a.Doubts, "unknown, and could change the answer:"))
	_, err := io.WriteString(w, b.String())
	return err
}

func writeChains(b *strings.Builder, chains []report.Chain) {
	for _, chain := range chains {
		fmt.Fprintf(b, "%s\n", chain.Title)
		for i, step := range chain.Steps {
			fmt.Fprintf(b, "  %d. %s\n", i+1, step.Text)
			if step.Known != "" {
				fmt.Fprintf(b, "     %s\n", step.Known)
			}
			for _, grant := range step.By {
				fmt.Fprintf(b, "     %s\n", grant.Text)
				for _, rule := range grant.Rules {
					fmt.Fprintf(b, "       by %s\n", rule)
				}
			}
		}
	}
}

// Chains returns an answer in words, for a report.
func (p Printer) Chains(a Answer) *report.Chains {
	out := &report.Chains{Goal: safetext.Text(a.Goal), Assumptions: Assumptions()}
	for _, u := range a.Units {
		unit := ""
		if len(a.Units) > 1 {
			unit = " (" + p.ViewName(u.View) + ")"
		}
		for _, chain := range u.Chains {
			subject := access.SubjectName(chain.Subject)
			entry := report.Chain{
				Title:   safetext.Text(fmt.Sprintf("%s can become %s in %s%s", subject, a.Goal, words.Count(len(chain.Links), "step"), unit)),
				Subject: subject,
			}
			for _, link := range chain.Links {
				entry.Steps = append(entry.Steps, p.step(link))
			}
			out.Entries = append(out.Entries, entry)
		}
	}
	for line := range strings.Lines(p.Doubts(a.Doubts, "")) {
		if text := strings.TrimSpace(line); text != "" {
			out.Unknown = append(out.Unknown, text)
		}
	}
	return out
}

func (p Printer) step(link Link) report.ChainStep {
	text := link.Sentence()
	switch {
	case link.Runner != nil:
		text += ", such as that of " + p.runner(link.Runner)
	case link.InPod:
		text += ", if there is one"
	}
	step := report.ChainStep{Text: safetext.Text(text), Known: safetext.Text(link.Known)}
	binding := ""
	for _, g := range link.Grants {
		if text := p.giver(g); text != binding || len(step.By) == 0 {
			step.By = append(step.By, report.ChainGrant{Text: text})
			binding = text
		}
		if len(g.Rule.Verbs) > 0 {
			last := &step.By[len(step.By)-1]
			last.Rules = append(last.Rules, p.RuleText(g))
		}
	}
	return step
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
