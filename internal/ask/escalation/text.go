package escalation

import (
	"fmt"
	"io"
	"slices"
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
	for _, text := range a.Assumptions() {
		fmt.Fprintf(&b, "  %s\n", text)
	}
	b.WriteString(p.Doubts(a.Doubts, "unknown, and could change the answer:"))
	_, err := io.WriteString(w, b.String())
	return err
}

// longAnswer is the number of entries from which an answer shows the steps of an identity once, refers to them afterwards, and has remarks
// beside the steps.
const longAnswer = 10

func writeChains(b *strings.Builder, chains []report.Chain) {
	shown, long := map[string]bool{}, len(chains) > longAnswer
	for _, chain := range chains {
		fmt.Fprintf(b, "%s\n", chain.Title)
		who := chain.Subject
		for i, step := range chain.Steps {
			rest := stepsOf(who, chain.Steps[i:])
			if i > 0 && long && who != "" && shown[rest] {
				fmt.Fprintf(b, "  %d. continues as %s, see above\n", i+1, who)
				break
			}
			shown[rest] = true
			if long && step.Known != "" {
				step.Text, step.Known = step.Text+" ("+step.Known+")", ""
			}
			writeStep(b, i+1, step)
			who = step.To
		}
	}
}

// stepsOf identifies the steps of an identity.
func stepsOf(who string, steps []report.ChainStep) string {
	for _, step := range steps {
		who += "\x00" + step.Text
	}
	return who
}

func writeStep(b *strings.Builder, number int, step report.ChainStep) {
	fmt.Fprintf(b, "  %d. %s\n", number, step.Text)
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

// Chains returns an answer in words, for a report: one entry for each identity and chain, with the units that have it.
func (p Printer) Chains(a Answer) *report.Chains {
	out := &report.Chains{Goal: safetext.Text(a.Goal), Assumptions: a.Assumptions()}
	all := sameChains(a)
	slices.SortStableFunc(all, func(a, b *same) int { return a.chains[0].Steps - b.chains[0].Steps })
	for _, same := range all {
		chain := same.chains[0]
		subject := access.SubjectName(chain.Subject)
		entry := report.Chain{
			Title:   safetext.Text(fmt.Sprintf("%s can become %s in %s%s", subject, a.Goal, words.Count(chain.Steps, "step"), p.in(a, same.views))),
			Subject: subject,
		}
		for i := range chain.Links {
			entry.Steps = append(entry.Steps, p.step(same.chains, i))
		}
		if text := chain.rest(); text != "" {
			entry.Steps = append(entry.Steps, report.ChainStep{Text: text})
		}
		out.Entries = append(out.Entries, entry)
	}
	for line := range strings.Lines(p.Doubts(a.Doubts, "")) {
		if text := strings.TrimSpace(line); text != "" {
			out.Unknown = append(out.Unknown, text)
		}
	}
	return out
}

// same is a chain of one identity, in all units that have it.
type same struct {
	chains []Chain
	views  []access.View
}

// sameChains joins the chains of one identity with the same steps, whatever allows these in each unit.
func sameChains(a Answer) []*same {
	var list []*same
	known := map[string]*same{}
	for _, u := range a.Units {
		for _, chain := range u.Chains {
			key := access.SubjectName(chain.Subject)
			for _, link := range chain.Links {
				key += "\x00" + link.Sentence() + "\x00" + link.Known
			}
			if known[key] == nil {
				known[key] = &same{}
				list = append(list, known[key])
			}
			known[key].chains, known[key].views = append(known[key].chains, chain), append(known[key].views, u.View)
		}
	}
	return list
}

// maxUnits limits the units in a title.
const maxUnits = 3

// in names the units of a chain, if the answer is about several.
func (p Printer) in(a Answer, views []access.View) string {
	if len(a.Units) < 2 {
		return ""
	}
	var names []string
	for _, v := range views {
		names = append(names, p.ViewName(v))
	}
	return " (" + words.First(maxUnits, names) + ")"
}

// step returns a step of a chain with what allows it in the first unit, and in how many other places something does in the other ones.
func (p Printer) step(chains []Chain, at int) report.ChainStep {
	link := chains[0].Links[at]
	text := link.Sentence()
	switch {
	case link.Runner != nil:
		text += ", such as that of " + p.runner(link.Runner)
	case link.InPod:
		text += ", if there is one"
	}
	step := report.ChainStep{Text: safetext.Text(text), Known: safetext.Text(link.Known)}
	if link.As && link.To != (rbac.Subject{}) {
		step.To = access.SubjectName(link.To)
	}
	places := map[objects.Position]bool{}
	for _, chain := range chains {
		for _, g := range chain.Links[at].Grants {
			if g.Binding.Object != nil && !g.Binding.Default {
				places[g.Binding.Object.Position(nil)] = true
			}
		}
	}
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
		if g.Binding.Object != nil {
			delete(places, g.Binding.Object.Position(nil))
		}
	}
	if last := len(step.By) - 1; last >= 0 && len(places) > 0 {
		step.By[last].Text += fmt.Sprintf(", and in %s", words.Count(len(places), "other place"))
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

// Sentences returns the steps of a chain in words, without what allows them. They can contain names from manifests.
func (c Chain) Sentences() []string {
	var steps []string
	for _, link := range c.Links {
		step := link.Sentence()
		if link.InPod && link.Runner == nil {
			step += ", if there is one"
		}
		steps = append(steps, step)
	}
	if rest := c.rest(); rest != "" {
		steps = append(steps, rest)
	}
	return steps
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
