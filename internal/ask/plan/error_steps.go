package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/olm"
)

// fixErrors fixes what breaks on the target, except findings of rules that other steps of the transition handle.
func (p *planner) fixErrors(to olm.Target, others ...string) {
	s := Step{Do: doFixErrors, Commit: true}
	var commands errorCommands
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
		commands.add(p.naming(to, e), flags, files)
	}
	s.Notes, s.Commands = few(s.Notes), commands.lines(p.lintOf)
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

// errorCommands are commands that fix or show errors. Extensions whose commands differ only in their files share one.
type errorCommands []preparation

// preparation are the parts of a command that prepares for a target, or shows the findings. It names the target or none.
type preparation struct {
	target       string
	flags, files []string
}

func (c *errorCommands) add(target string, flags, files []string) {
	for i, known := range *c {
		if known.target == target && slices.Equal(known.flags, flags) {
			(*c)[i].files = append(known.files, files...)
			return
		}
	}
	*c = append(*c, preparation{target, flags, slices.Clone(files)})
}

// lines returns the command lines that a function makes of the parts. Instead of many files, a command names their folders, unless it changes files there.
func (c errorCommands) lines(lintOf func(target string, flags, paths []string) string) []string {
	var lines []string
	for _, command := range c {
		slices.SortFunc(command.files, strings.Compare)
		files := slices.Compact(command.files)
		if len(files) > maxFiles && !slices.Contains(command.flags, "--fix") {
			files = outermost(foldersOf(files))
		}
		lines = append(lines, lintOf(command.target, command.flags, files))
	}
	return lines
}

func foldersOf(files []string) []string {
	var folders []string
	for _, file := range files {
		folders = append(folders, path.Dir(file))
	}
	return folders
}
