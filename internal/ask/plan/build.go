package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/session"
)

// Options are the options of a plan.
type Options struct {
	Version string
	// Repository is the name of the repository for the title, or "".
	Repository string
	// Columns are the names of the targets to show.
	Columns []string
	// From and To are the ends of the transition. If From is "", a transition begins at the current target of each extension.
	From, To string
	// AllTargets shows the usual targets and all transitions between them, unless Columns or To choose others, and the
	// background of everything. Without it and a choice, each extension has its own release and the next one.
	AllTargets bool
	// Paths are those of the command line. Rel returns a file of the repository as a path from the working directory.
	Paths []string
	Rel   func(string) string
	// Bundles are the extensions with known bundles, and the value of --bundle on the command line: EXTENSION=DIR, or "" if
	// the configuration sets the bundle.
	Bundles map[string]string
	// Commit is the one that is checked out; "" if it is not known.
	Commit string
	// Flags are the flags of the command line about reading the repository, for the commands of the plan.
	Flags []string
}

// usual returns the targets that are shown with AllTargets: those of proposals, the releases of OpenShift, and the two releases
// of OLM between which the field lost its effect.
func usual() []olm.Target {
	var all []olm.Target
	for _, proposed := range []bool{true, false} {
		for _, t := range olm.Targets() {
			if t.OpenShift() && t.Proposed == proposed {
				all = append(all, t)
			}
		}
	}
	for _, t := range olm.Targets() {
		if t.Name == "olm-1.10" || t.Name == "olm-1.11" {
			all = append(all, t)
		}
	}
	return all
}

// perExtension returns whether each extension has its own release and the next one instead of chosen targets.
func (o Options) perExtension() bool { return !o.AllTargets && len(o.Columns) == 0 && o.To == "" }

// Targets returns the targets that a survey must evaluate for a plan, none if they depend on the extensions. A name with a plus is added to the usual targets;
// other names replace them. The error reports an unknown name or ends without a transition.
func (o Options) Targets() ([]olm.Target, error) {
	targets, err := o.columns()
	if err != nil {
		return nil, err
	}
	if o.From != "" && o.To == "" {
		return nil, fmt.Errorf("--from %s needs --to, for example --to olm-1.11", o.From)
	}
	ends, err := o.ends()
	if err != nil {
		return nil, err
	}
	for _, target := range ends {
		targets = with(targets, target)
	}
	return targets, nil
}

// ends returns the targets at which a transition begins, through which it goes and at which it ends, as far as they are
// named.
func (o Options) ends() (ends []olm.Target, err error) {
	for _, name := range []string{o.From, o.To} {
		if name == "" {
			continue
		}
		target, err := parseTarget(name)
		if err != nil {
			return nil, err
		}
		ends = append(ends, target)
	}
	if len(ends) < 2 {
		return ends, nil
	}
	if o.From == o.To {
		return nil, fmt.Errorf("--from and --to are both %s: there is no transition to plan", o.From)
	}
	if via, over := between(olm.Step{From: ends[0], To: ends[1]}); over {
		ends = slices.Insert(ends, 1, via)
	}
	return ends, nil
}

// parseTarget parses a target. It rejects auto, which stands for several targets.
func parseTarget(name string) (olm.Target, error) {
	if name == olm.AutoTarget {
		return olm.Target{}, fmt.Errorf("target %s is detected for each extension separately:  "+
			"name a release or a model, or omit --from to begin at the current target of each extension", name)
	}
	return olm.ParseTarget(name)
}

// bundleFlags repeats the bundle of an extension if the command line sets it.
func (o Options) bundleFlags(extension string) []string {
	if named := o.Bundles[extension]; named != "" {
		return []string{"--bundle", named}
	}
	return nil
}

// named returns the target with a name, which must exist.
func named(targets []olm.Target, name string) olm.Target {
	i := slices.IndexFunc(targets, func(t olm.Target) bool { return t.Name == name })
	return targets[i]
}

func (o Options) columns() (targets []olm.Target, err error) {
	added := slices.ContainsFunc(o.Columns, func(name string) bool { return strings.HasPrefix(name, "+") })
	if added || o.AllTargets && len(o.Columns) == 0 && o.To == "" {
		targets = usual()
	}
	for _, name := range o.Columns {
		target, err := parseTarget(strings.TrimPrefix(name, "+"))
		if err != nil {
			return nil, fmt.Errorf("--targets: %w", err)
		}
		targets = with(targets, target)
	}
	return targets, nil
}

// with adds a target unless the list contains it.
func with(targets []olm.Target, more olm.Target) []olm.Target {
	if slices.ContainsFunc(targets, func(t olm.Target) bool { return t.Name == more.Name }) {
		return targets
	}
	return append(targets, more)
}

// builder builds a plan from a survey.
type builder struct {
	Options
	plan *Plan
	// sharing are units with another target that apply the same place of a file.
	sharing map[place][]session.Applied
	// readers are the units that apply the objects of a file.
	readers map[string][]*objects.Unit
	// applierEdits are the files of applications that fixes of extensions edit, by the file of the extension.
	applierEdits map[string][]string
	// surveyed are all extensions of the survey.
	surveyed []session.Surveyed
	// units are all of the repository.
	units []*objects.Unit
}

// Build builds the plan from a survey of the targets of the options.
func Build(s *session.Survey, o Options) *Plan {
	b := &builder{
		Options: o, units: s.Units, surveyed: s.Extensions, sharing: map[place][]session.Applied{}, applierEdits: map[string][]string{},
		plan: &Plan{
			Version: o.Version, Repository: o.Repository, Targets: s.Targets, Named: o.To != "" || len(o.Columns) > 0, detailed: o.AllTargets, perExtension: o.perExtension(), paths: o.Paths,
		},
	}
	b.readers = b.readersOfFiles(s)
	for _, surveyed := range s.Extensions {
		b.plan.Extensions = append(b.plan.Extensions, b.extension(surveyed, s))
	}
	b.plan.lintOf = b.lintOf
	label(b.plan.Extensions)
	b.plan.Cluster = b.cluster(s)
	for _, f := range s.Orphans {
		b.plan.Leftovers = append(b.plan.Leftovers, b.remark(f.Target, f))
	}
	for _, f := range s.About {
		if slices.Contains([]string{"repo/not-checked", "repo/rule-failed", "repo/unparsable"}, f.Rule) {
			b.plan.NotChecked = append(b.plan.NotChecked, b.remark("", f))
		}
	}
	b.transitions()
	return b.plan
}

func (b *builder) extension(s session.Surveyed, survey *session.Survey) Extension {
	e := Extension{
		Name: s.Name, NameTemplated: s.NameTemplated, Namespace: s.Namespace, Package: s.Package, File: b.Rel(s.File), Line: s.Line,
		UnitKind: string(s.Unit.Kind), Account: s.Account, unit: s.Unit, applied: s.Applied,
	}
	if s.Unit.Kind != objects.PlainUnit {
		e.Unit, e.root = s.Unit.String(), b.Rel(s.Unit.Root)
		e.byPath = b.fixedByPath(&e)
		e.alone = b.fixedAlone(&e, s.At, survey.Targets)
		e.mixed = !e.byPath && s.Mixed && b.hasOwnFolder(&e)
	}
	e.failed = s.Failed
	e.remaining, e.limits = s.Remaining, s.Limits
	if s.Differs != nil {
		e.differs = fmt.Sprintf("%s:%d: %s", b.Rel(s.Differs.Position.File), s.Differs.Position.Line, s.Differs.Message)
	}
	if s.Today.Known {
		today := s.Today.Target
		e.Today, e.DetectedFrom = &today, b.place(s.Today.DetectedFrom)
		e.asked = s.Today.Asked
	} else {
		e.settable = judging.SettablePaths(s.Unit, s.Today)
	}
	e.signals = s.Today.Signals
	e.leg = legOf(s.Today, survey.OnOpenShift)
	for i, target := range survey.Targets {
		found := judgements(&e, target, s.At[i])
		b.keepApplierEdits(&e, found)
		if b.perExtension() && !e.leg.contains(target) {
			e.Cells = append(e.Cells, Cell{Target: target, Status: NotJudged})
			continue
		}
		e.Cells = append(e.Cells, b.cellOf(&e, target, found))
	}
	return e
}

// judgements returns the findings about an extension, with the fixes that its command makes: the folder of a unit changes only this
// unit.
func judgements(e *Extension, target olm.Target, found []session.Judgment) []session.Judgment {
	if !e.isFixedByFolder(target) {
		return found
	}
	found = slices.Clone(found)
	for i, f := range found {
		switch {
		case e.mixed && f.InFolder != nil:
			found[i] = *f.InFolder
		case f.InPaths != nil:
			found[i] = *f.InPaths
		}
	}
	return found
}

// place converts the file of file:line to a path from the working directory.
func (b *builder) place(place string) string {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return place
	}
	return b.Rel(place[:i]) + place[i:]
}

func (b *builder) remark(target string, f finding.Finding) Remark {
	return Remark{Target: target, Rule: f.Rule, Message: f.Message, File: b.Rel(f.File), Line: max(f.Range.Line, 1)}
}

// cluster selects the findings about the cluster that depend on the target. Findings that are the same for every target are
// about the repository, and lint reports them.
func (b *builder) cluster(s *session.Survey) []Remark {
	count := map[Remark]int{}
	for _, found := range s.Cluster {
		for _, f := range found {
			count[b.remark("", f)]++
		}
	}
	var remarks []Remark
	for i, found := range s.Cluster {
		for _, f := range found {
			if len(s.Targets) == 1 || count[b.remark("", f)] < len(s.Targets) {
				remarks = append(remarks, b.remark(s.Targets[i].Name, f))
			}
		}
	}
	return remarks
}

// label distinguishes extensions of the same name: by what applies them, or otherwise by their files.
func label(extensions []Extension) {
	namesakes, sameApplier := map[string]int{}, map[string]int{}
	for i := range extensions {
		e := &extensions[i]
		if e.Label = e.Name; e.Name == "" {
			e.Label = fmt.Sprintf("%s:%d", e.File, e.Line)
		}
		e.shortLabel = e.Label
		namesakes[e.Label]++
		sameApplier[e.Label+"\x00"+applier(e)]++
	}
	for i := range extensions {
		e := &extensions[i]
		switch name := e.Label; {
		case namesakes[name] == 1:
		case sameApplier[name+"\x00"+applier(e)] == 1:
			e.place = applier(e)
		default:
			e.place = fmt.Sprintf("%s:%d", e.File, e.Line)
		}
		if e.place != "" {
			e.Label += " (" + e.place + ")"
		}
	}
}

// applier returns what applies an extension, or otherwise its file.
func applier(e *Extension) string {
	if e.Unit != "" {
		return e.Unit
	}
	return e.File
}
