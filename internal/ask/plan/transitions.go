package plan

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/ask/plan/commandline"
	"github.com/salint/salint/internal/ask/plan/proposals"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// transitions plans all requested transitions.
func (b *builder) transitions() {
	switch {
	case b.To != "" && b.From != "":
		b.transition(named(b.plan.Targets, b.From), named(b.plan.Targets, b.To), all(b.plan.Extensions))
	case b.To != "":
		b.fromToday(named(b.plan.Targets, b.To))
	case b.plan.perExtension:
		b.legs()
	default:
		b.neighbors()
	}
	b.leaveOrigins()
}

// leaveOrigins removes the commands about the field for targets at which transitions only begin.
func (b *builder) leaveOrigins() {
	begins, leads := map[end]bool{}, b.plan.ends()
	for _, t := range b.plan.Transitions {
		if clearsFirst(t.From, t.To) {
			continue // its steps change the field before the cluster
		}
		for _, label := range t.Extensions {
			begins[end{label, t.From.Name}] = true
		}
	}
	for i := range b.plan.Extensions {
		e := &b.plan.Extensions[i]
		for n := range e.Cells {
			c := &e.Cells[n]
			at := end{e.Label, c.Target.Name}
			if begins[at] && !leads[at] && slices.Contains([]string{ruleDeprecated, rulePlaceholder, ruleMissing}, c.Rule) {
				c.Command, c.When, c.Origin = "", "", true
			}
		}
	}
}

func all(extensions []Extension) []*Extension {
	var list []*Extension
	for i := range extensions {
		list = append(list, &extensions[i])
	}
	return list
}

// fromToday plans transitions from the current target of each extension. Extensions whose target is unknown are left out;
// see Undecided.
func (b *builder) fromToday(to olm.Target) {
	byTarget := map[string][]*Extension{}
	var order []olm.Target
	for _, e := range all(b.plan.Extensions) {
		if e.Today == nil || e.Today.Name == to.Name {
			continue
		}
		if byTarget[e.Today.Name] == nil {
			order = append(order, *e.Today)
		}
		byTarget[e.Today.Name] = append(byTarget[e.Today.Name], e)
	}
	for _, from := range order {
		b.transition(from, to, byTarget[from.Name])
	}
}

// Undecided returns the extensions whose current target is unknown, so that no transition begins there.
func (p *Plan) Undecided() []string {
	var labels []string
	for _, e := range p.Extensions {
		if e.Today == nil {
			labels = append(labels, e.Label)
		}
	}
	return labels
}

// neighbors plans the transitions between neighboring releases, in both directions, where something changes.
func (b *builder) neighbors() {
	everything := all(b.plan.Extensions)
	var back []olm.Step
	for _, line := range olm.ReleaseLines(b.plan.Targets) {
		alike := []string{line[0].Name}
		for i := 1; i < len(line); i++ {
			if line[i-1].Model == line[i].Model {
				alike = append(alike, line[i].Name)
				continue
			}
			b.unchanged(alike)
			alike = []string{line[i].Name}
			next := successor(line, i)
			b.transition(line[i-1], next, everything)
			back = append(back, olm.Step{From: next, To: line[i-1]})
		}
		b.unchanged(alike)
	}
	base := olm.BaseOfTechPreview()
	known := slices.ContainsFunc(b.plan.Targets, func(t olm.Target) bool { return t.Name == base.Name })
	if i := slices.IndexFunc(b.plan.Targets, olm.Target.TechPreview); i >= 0 && known {
		preview := b.plan.Targets[i]
		b.transition(base, preview, everything)
		back = append(back, olm.Step{From: preview, To: base})
	}
	slices.Reverse(back) // the last step up is the first one down
	for _, step := range back {
		b.transition(step.From, step.To, everything)
	}
}

// successor returns the release to which the release before the i-th is upgraded: the i-th, or the next one if both were released
// at the same time.
func successor(line []olm.Target, i int) olm.Target {
	if line[i].ReleasedWith == line[i-1].Name && i+1 < len(line) && line[i+1].Model == line[i].Model {
		return line[i+1]
	}
	return line[i]
}

func (b *builder) unchanged(names []string) {
	if len(names) > 1 {
		b.plan.Unchanged = append(b.plan.Unchanged, names)
	}
}

// transition plans the transition of some extensions from one target to another.
func (b *builder) transition(from, to olm.Target, extensions []*Extension) {
	if len(extensions) == 0 {
		return
	}
	b.plan.Transitions = append(b.plan.Transitions, b.planned(from, to, extensions))
}

// planned returns the transition of some extensions from one target to another.
func (b *builder) planned(from, to olm.Target, extensions []*Extension) Transition {
	p := &planner{builder: b, Transition: Transition{From: from, To: to, Direction: direction(from, to)}, extensions: extensions}
	for _, e := range extensions {
		p.Extensions = append(p.Extensions, e.Label)
		if hasAccount(e) {
			p.set = append(p.set, e)
		} else {
			p.unset = append(p.unset, e)
		}
	}
	p.steps()
	p.Corrections = proposals.Corrections(from, to, slices.ContainsFunc(extensions, b.limitsOLM))
	return p.Transition
}

func direction(from, to olm.Target) string {
	if from.Name == to.Name {
		return "no upgrade"
	}
	if from.TechPreview() {
		return "reinstallation" // a technology preview cannot be turned off
	}
	switch back, ok := (olm.Step{From: from, To: to}).Downgrade(); {
	case !ok:
		return "change"
	case back:
		return "downgrade"
	}
	return "upgrade"
}

// scopeOf returns the paths for a command about extensions and the objects that belong to them: the folders of the
// extensions and of their units, without the former if the command for a target names only the latter. For a few extensions among plain files, whose folders can contain others, it returns the
// files; for all extensions, the user's own paths. None means the working directory.
func (b *builder) scopeOf(extensions []*Extension, target olm.Target) []string {
	var dirs []string
	if len(extensions) == len(b.plan.Extensions) {
		if len(b.Paths) == 0 {
			return nil
		}
		for _, given := range b.Paths {
			dirs = append(dirs, path.Clean(filepath.ToSlash(given)))
		}
	}
	for _, e := range extensions {
		if files := b.filesAround(e); len(files) > 0 && len(extensions) <= commandline.MaxFiles {
			dirs = append(dirs, files...)
			continue
		}
		if !e.isFixedByFolder(target) {
			dirs = append(dirs, path.Dir(e.File))
		}
		if e.root != "" {
			dirs = append(dirs, e.root)
		}
	}
	return commandline.Outermost(dirs)
}

// filesAround returns the files of an extension among plain files and of its account, or none if the account is not found.
func (b *builder) filesAround(e *Extension) []string {
	if e.unit.Kind != objects.PlainUnit || e.Account.State != olm.Named {
		return nil
	}
	core := ""
	accounts := e.unit.Find(objects.Query{Group: &core, Kind: rbac.KindServiceAccount, Namespace: e.Namespace, Name: e.Account.Name})
	if len(accounts) == 0 {
		return nil
	}
	files := []string{e.File}
	for _, o := range accounts {
		file, _ := o.Locate(nil)
		files = append(files, b.Rel(file.Path))
	}
	return files
}

// filesOf returns the files of extensions for a command line that fixes them for a target, or their scope if there are too many files.
func (b *builder) filesOf(extensions []*Extension, target olm.Target) []string {
	var files []string
	for _, e := range extensions {
		files = append(files, e.fixPath(target))
	}
	slices.SortFunc(files, cmp.Compare)
	if files = notInOthers(slices.Compact(files)); len(files) > commandline.MaxFiles {
		return b.scopeOf(extensions, target)
	}
	return files
}

// notInOthers drops files in folders that are named too.
func notInOthers(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		return slices.ContainsFunc(paths, func(other string) bool { return other != p && isInAny([]string{other}, p) })
	})
}
