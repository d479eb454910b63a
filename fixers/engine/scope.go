package engine

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// Scope limits a run to deployment units: what the other units apply must not change. A nil scope limits nothing.
type Scope struct {
	// Inside reports whether a unit is asked for, so that all its objects can change.
	Inside func(*objects.Unit) bool
	// Covers reports whether objects of a file can change in a unit that is not inside: the file is asked for, and belongs to the
	// unit alone.
	Covers func(u *objects.Unit, file string) bool
	// Command returns the command line that makes a fix of a kind also for other units which apply a file.
	Command func(file string, kind finding.FixKind) string
}

// Allows reports whether an object of a unit can change.
func (s *Scope) Allows(u *objects.Unit, o *objects.Object) bool {
	if s == nil || s.Inside(u) {
		return true
	}
	source := o.Source()
	if source == nil {
		source = o // a generated object has the file of its generator
	}
	return s.Covers(u, source.File)
}

// AllowsUnit reports whether all objects of a unit can change.
func (s *Scope) AllowsUnit(u *objects.Unit) bool { return s == nil || s.Inside(u) }

// Reason returns why a change is not made that would reach units outside of the scope, and the command that makes it. The file is
// that of the object of the finding, and the kind that of the fix.
func (s *Scope) Reason(file string, kind finding.FixKind, units []*objects.Unit) string {
	return s.reason(file, kind, "deployment units", "the units", unitNames(units))
}

func (s *Scope) reason(file string, kind finding.FixKind, things, theThings string, names []finding.Unit) string {
	return fmt.Sprintf("it would change %s outside the given paths (%s): run `%s` to allow this, or pass the paths of "+
		"%s to change", things, finding.UnitList(names, MaxListed), s.Command(file, kind), theThings)
}

// RefuseScope refuses a change of an object that would reach units outside of the scope.
func RefuseScope(c *Context, o *objects.Object, units []*objects.Unit) error {
	return &Refusal{Reason: c.Scope.Reason(FileOf(o), finding.Safe, units)}
}

// UnitList names units, each once, and at most three of them.
func UnitList(units []*objects.Unit) string { return finding.UnitList(unitNames(units), MaxListed) }

func unitNames(units []*objects.Unit) []finding.Unit {
	var names []finding.Unit
	seen := map[objects.UnitKey]bool{}
	for _, u := range units {
		if seen[u.Key()] {
			continue
		}
		seen[u.Key()] = true
		name := finding.Unit{Kind: string(u.Kind), Name: u.Name}
		if u.Kind == objects.PlainUnit {
			name = finding.Unit{Name: "plain files"}
		}
		names = append(names, name)
	}
	return names
}

// outOfScope returns why a plan is not carried out: units outside of the scope would apply something else; "" if they would not. It
// reads what the plan declares. Package verify compares what these units build.
func (c *Context) outOfScope(p *Plan) string {
	if c.Scope == nil {
		return ""
	}
	edited := p.EditedFiles()
	var reached []*objects.Unit
	for _, u := range unitsOutside(c) {
		if c.reaches(p, u, edited) {
			reached = append(reached, u)
		}
	}
	if len(reached) == 0 {
		return ""
	}
	if files := c.filesAmong(reached, edited); len(files) > 0 {
		return c.Scope.reason(FileOf(p.Object), p.Kind, "files", "the files", files)
	}
	return c.Scope.Reason(FileOf(p.Object), p.Kind, reached)
}

// filesAmong returns the edited files if all units that a plan must not change are plain files: as a unit, these have no name that a
// user knows.
func (c *Context) filesAmong(reached []*objects.Unit, edited []string) []finding.Unit {
	var names []finding.Unit
	for _, u := range reached {
		if u.Kind != objects.PlainUnit {
			return nil
		}
		for _, file := range c.uncoveredFiles(u, edited) {
			names = append(names, finding.Unit{Name: file})
		}
	}
	return names
}

// uncoveredFiles returns the edited files that a unit reads and that are not asked for, sorted.
func (c *Context) uncoveredFiles(u *objects.Unit, edited []string) []string {
	files := slices.DeleteFunc(slices.Clone(edited), func(file string) bool { return !u.Reads(file) || c.Scope.Covers(u, file) })
	slices.Sort(files)
	return slices.Compact(files)
}

// FileOf returns the file of an object, or of the template that renders it.
func FileOf(o *objects.Object) string {
	if source := o.Source(); source != nil {
		return source.File
	}
	return o.File
}

// outsideUnits are the units that are not asked for.
type outsideUnits []*objects.Unit

func unitsOutside(c *Context) outsideUnits {
	return Memo(c, func(c *Context) outsideUnits {
		var outside outsideUnits
		for _, u := range c.Repo.Units {
			if !c.Scope.Inside(u) {
				outside = append(outside, u)
			}
		}
		return outside
	})
}

// reaches reports whether a plan changes objects of a unit that must stay as they are.
func (c *Context) reaches(p *Plan, u *objects.Unit, edited []string) bool {
	if MayBeBuilt(u) {
		for _, a := range p.Applied {
			if a.Unit == u && !c.Scope.Allows(u, a.Object) {
				return true
			}
		}
		for _, a := range p.Added {
			if a.Unit == u && !c.Scope.Covers(u, FileOf(p.Object)) {
				return true
			}
		}
		return false
	}
	isCovered := c.Scope.Covers(u, FileOf(p.Object))
	for _, d := range p.Documents {
		if !isCovered && u.Reads(d.File) {
			return true
		}
	}
	return len(c.uncoveredFiles(u, edited)) > 0
}

// EditedFiles returns the files of which a plan changes what is there.
func (p *Plan) EditedFiles() []string {
	var files []string
	for _, c := range p.Changes {
		files = append(files, c.File)
	}
	for _, t := range p.Texts {
		files = append(files, t.File)
	}
	return files
}

// EnforceScope refuses the plans that reach units outside of the scope, and those that need them.
func (w *Work) EnforceScope(c *Context) {
	if c.Scope == nil {
		return
	}
	var refused []Refused
	for _, p := range w.Plans() {
		if why := c.outOfScope(p); why != "" {
			refused = append(refused, Refused{p, why})
		}
	}
	w.refuse(refused)
}

// refuse replaces plans by the reason why they are not carried out, and those that need them.
func (w *Work) refuse(refused []Refused) {
	_, refused = Without(w.Plans(), refused)
	reasons := map[*Plan]string{}
	for _, r := range refused {
		reasons[r.Plan] = r.Reason
	}
	for _, outcomes := range [][]Outcome{w.Outcomes, w.Prunes} {
		for i := range outcomes {
			if why, out := reasons[outcomes[i].Plan]; out {
				outcomes[i].Plan, outcomes[i].Refusal = nil, &Refusal{Reason: why}
			}
		}
	}
}
