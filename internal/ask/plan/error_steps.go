package plan

import (
	"fmt"

	"github.com/salint/salint/internal/ask/plan/commandline"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/olm"
)

// fixErrors fixes what breaks on the target, except findings of rules that other steps of the transition handle.
func (p *planner) fixErrors(to olm.Target, others ...string) {
	s := Step{Do: doFixErrors, Commit: true}
	var commands commandline.List
	for _, e := range p.extensions {
		broken := p.cell(e, to).breaking(others)
		if len(broken) == 0 {
			continue
		}
		s.Extensions = append(s.Extensions, e.Label)
		for _, f := range broken {
			s.Notes = words.AddOnce(s.Notes, f.Message)
		}
		flags, files := p.fixing(e.Name, to, broken)
		commands.Add(p.naming(to, e), flags, files)
	}
	s.Notes, s.Commands = few(s.Notes), commands.Lines(p.lintOf)
	for _, r := range p.plan.Cluster {
		if r.Target == to.Name {
			s.Notes = words.AddOnce(s.Notes, r.place())
			s.Commands = words.AddOnce(s.Commands, p.lintOf(to.Name, nil, []string{r.File}))
		}
	}
	if len(s.Notes) == 0 {
		return
	}
	s.Title = "Fix what would break " + on(to)
	s.Brief = "If a command fixes nothing, it shows what to change by hand."
	s.Why = "No other step fixes these errors. " + s.Brief
	p.add(s)
}

// place returns the message with its place.
func (r Remark) place() string { return fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Message) }
