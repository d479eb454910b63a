package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint"
)

// Options say what is to be planned.
type Options struct {
	Version string
	// Columns are the names of targets that the user wants to see; none for the usual ones.
	Columns []string
	// From and To are the ends of the way; "" for From means where each extension is today, for both means all ways between
	// neighbouring targets.
	From, To string
	// Paths are those of the command line, and Rel calls a file of the repository as from the working directory.
	Paths []string
	Rel   func(string) string
	// Bundles are the extensions whose bundles are known, and how the command line named them: EXTENSION=DIR, or "" where the
	// configuration does.
	Bundles map[string]string
	// Flags are those of the command line that say how the repository is read, for the commands of the plan.
	Flags []string
}

// usual are the targets that are shown without another word: what was proposed, what OpenShift ships, and the two
// releases of OLM between which the field lost its meaning.
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

// Targets are those that a survey has to judge for a plan. A name with a plus adds to the usual ones, others take their place.
// The error is that of a name which nobody knows, or of ends that lead nowhere.
func (o Options) Targets() ([]olm.Target, error) {
	targets, err := o.columns()
	if err != nil {
		return nil, err
	}
	if o.From != "" && o.To == "" {
		return nil, fmt.Errorf("--from %s: say where to, as in --to olm-1.11", o.From)
	}
	way, err := o.ends()
	if err != nil {
		return nil, err
	}
	for _, target := range way {
		targets = with(targets, target)
	}
	return targets, nil
}

// ends are the targets that the way begins at, leads over and ends at, as far as they are named.
func (o Options) ends() (way []olm.Target, err error) {
	for _, name := range []string{o.From, o.To} {
		if name == "" {
			continue
		}
		target, err := parseTarget(name)
		if err != nil {
			return nil, err
		}
		way = append(way, target)
	}
	if len(way) < 2 {
		return way, nil
	}
	if o.From == o.To {
		return nil, fmt.Errorf("--from and --to are both %s: there is no way to plan", o.From)
	}
	if via, over := between(olm.Step{From: way[0], To: way[1]}); over {
		way = slices.Insert(way, 1, via)
	}
	return way, nil
}

// parseTarget finds a target. auto stands for many, and is taken where nothing is said.
func parseTarget(name string) (olm.Target, error) {
	if name == olm.AutoTarget {
		return olm.Target{}, fmt.Errorf("%s is what the signs in the repository tell, which differs from extension to extension: "+
			"name a release or a model, or leave --from out to begin where each extension is today", name)
	}
	return olm.ParseTarget(name)
}

// bundleFlags name the bundle of an extension again, where the command line did.
func (o Options) bundleFlags(extension string) []string {
	if named := o.Bundles[extension]; named != "" {
		return []string{"--bundle", named}
	}
	return nil
}

// named is the target of a name, which is among them.
func named(targets []olm.Target, name string) olm.Target {
	i := slices.IndexFunc(targets, func(t olm.Target) bool { return t.Name == name })
	return targets[i]
}

func (o Options) columns() (targets []olm.Target, err error) {
	added := slices.ContainsFunc(o.Columns, func(name string) bool { return strings.HasPrefix(name, "+") })
	if added || len(o.Columns) == 0 && o.To == "" {
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

// with adds a target that is not among the others.
func with(targets []olm.Target, more olm.Target) []olm.Target {
	if slices.ContainsFunc(targets, func(t olm.Target) bool { return t.Name == more.Name }) {
		return targets
	}
	return append(targets, more)
}

// builder makes a plan of a survey.
type builder struct {
	Options
	plan *Plan
	// sharing are units that apply what stands at a place, and stay behind.
	sharing map[place][]lint.Applied
}

// Build makes the plan. The survey has judged for the targets of the options.
func Build(s *lint.Survey, o Options) *Plan {
	b := &builder{
		Options: o, sharing: map[place][]lint.Applied{},
		plan: &Plan{Version: o.Version, Targets: s.Targets, Named: o.To != "" || len(o.Columns) > 0},
	}
	for _, surveyed := range s.Extensions {
		b.plan.Extensions = append(b.plan.Extensions, b.extension(surveyed, s.Targets))
	}
	label(b.plan.Extensions)
	b.plan.Cluster = b.cluster(s)
	for _, f := range s.About {
		if f.Rule == "repo/not-checked" || f.Rule == "repo/unparsable" {
			b.plan.NotChecked = append(b.plan.NotChecked, b.remark("", f))
		}
	}
	b.ways()
	return b.plan
}

func (b *builder) extension(s lint.Surveyed, targets []olm.Target) Extension {
	e := Extension{
		Name: s.Name, NameTemplated: s.NameTemplated, Namespace: s.Namespace, Package: s.Package, File: b.Rel(s.File), Line: s.Line,
		UnitKind: string(s.Unit.Kind), Account: s.Account, unit: s.Unit, applied: s.Applied,
	}
	if s.Unit.Kind != objects.PlainUnit {
		e.Unit, e.root = s.Unit.String(), b.Rel(s.Unit.Root)
	}
	if s.Today.Known {
		today := s.Today.Target
		e.Today, e.DetectedFrom = &today, b.place(s.Today.DetectedFrom)
	}
	for i, target := range targets {
		e.Cells = append(e.Cells, b.cellOf(&e, target, s.At[i]))
	}
	return e
}

// place calls the file of file:line as from the working directory.
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

// cluster picks the findings about the cluster that say something about a target: those that are the same on every target are
// about the repository, and lint reports them.
func (b *builder) cluster(s *lint.Survey) []Remark {
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

// label tells extensions of the same name apart: by what applies them, else by their files.
func label(extensions []Extension) {
	namesakes, neighbours := map[string]int{}, map[string]int{}
	for i := range extensions {
		e := &extensions[i]
		if e.Label = e.Name; e.Name == "" {
			e.Label = fmt.Sprintf("%s:%d", e.File, e.Line)
		}
		namesakes[e.Label]++
		neighbours[e.Label+"\x00"+applier(e)]++
	}
	for i := range extensions {
		e := &extensions[i]
		switch name := e.Label; {
		case namesakes[name] == 1:
		case neighbours[name+"\x00"+applier(e)] == 1:
			e.Label = fmt.Sprintf("%s (%s)", name, applier(e))
		default:
			e.Label = fmt.Sprintf("%s (%s:%d)", name, e.File, e.Line)
		}
	}
}

// applier is what applies an extension, or else its file.
func applier(e *Extension) string {
	if e.Unit != "" {
		return e.Unit
	}
	return e.File
}
